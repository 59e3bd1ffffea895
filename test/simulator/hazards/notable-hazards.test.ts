import { expect, test } from 'vitest'
import { MICROS_PER_DAY, MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import { reportAt } from '../../../simulator/hazards/hazard.ts'
import { notableHazards } from '../../../simulator/hazards/notable-hazards.ts'
import { planHazards } from '../../../simulator/hazards/plan-hazards.ts'

const START = toMicros('2026-03-01T07:13:00Z')
const END = START + 14 * MICROS_PER_DAY
const MINUTE = 60 * MICROS_PER_SECOND

test('has every hazard of the plan, and two more with numbers of their own, oldest first', () => {
  const hazards = notableHazards('tide', START, END)
  const planned = planHazards('tide', START, END)
  expect(hazards).toHaveLength(planned.length + 2)
  expect(hazards.filter((one) => planned.some(({ number }) => number === one.number))).toEqual(planned)
  expect(new Set(hazards.map(({ number }) => number)).size).toBe(hazards.length)
  expect(hazards.map(({ started_at }) => started_at)).toEqual(
    hazards.map(({ started_at }) => started_at).sort((a, b) => a - b),
  )
})

test('the cyclone is orange half an hour after the begin and red an hour after it; the earthquake has a loss estimate', () => {
  const hazards = notableHazards('tide', START, END)
  const cyclone = hazards.find(({ name }) => name === 'ASPEN')!
  const alertAt = (minutes: number) => reportAt(cyclone, START + minutes * MINUTE)!.alert
  expect([alertAt(0), alertAt(30), alertAt(60)]).toEqual(['orange', 'orange', 'red'])
  const earthquake = hazards.find(({ place }) => place.name === 'Tern Ridge')!
  expect(reportAt(earthquake, START)).toMatchObject({ loss_alert: 'green', magnitude: 61 })
  expect(notableHazards('ebb', START + MICROS_PER_DAY, END).some(({ number }) => number === cyclone.number)).toBe(false)
})
