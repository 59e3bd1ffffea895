import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayBatches } from '../../../pipelines/revisions/day-batches.ts'
import { MICROS_PER_DAY as DAY } from '../../../primitives/instants.ts'
import { SEED } from '../../support/seed.ts'

test('commits: one a UTC day, whose last microsecond belongs to it and whose midnight to the next', () => {
  expect(dayBatches([5, 5, DAY - 1, DAY, 3 * DAY])).toEqual([
    { sequence: 1, from: 0, to: 3, turn: 0 },
    { sequence: 2, from: 3, to: 4, turn: DAY },
    { sequence: 3, from: 4, to: 5, turn: 3 * DAY },
  ])
  expect(dayBatches([])).toEqual([])
})

test('batches cover every place once, in order, and no batch holds two days', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4 * DAY })), (instants) => {
      const stamps = instants.toSorted((a, b) => a - b)
      const batches = dayBatches(stamps)
      expect(batches.flatMap(({ from, to }) => stamps.slice(from, to))).toEqual(stamps)
      for (const { from, to, turn } of batches) {
        for (const stamp of stamps.slice(from, to)) expect(Math.floor(stamp / DAY) * DAY).toBe(turn)
      }
    }),
    { seed: SEED },
  )
})
