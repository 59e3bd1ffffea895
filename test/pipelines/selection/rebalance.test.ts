import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import '../../support/fast-check.ts'
import type { VersionFile } from '../../../pipelines/index/definition-schema.ts'
import { type ProposedRebalance, rebalancedFile, rebalanceFaults } from '../../../pipelines/selection/next-version.ts'
import { dueSteps, isOnSchedule, nextRebalance, type Rebalance } from '../../../pipelines/selection/schedule.ts'
import { formatMicros, MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import { REBALANCE_SCHEDULES, WEEKDAYS } from '../../../vocabulary/eligibility.ts'

const HOUR = MICROS_PER_DAY / 24
const MONTHLY: Rebalance = { schedule: 'monthly', weekday: 'wednesday', at: 14 * HOUR }
const next = (rebalance: Rebalance, after: string) => formatMicros(nextRebalance(rebalance, toMicros(after)))

test('the default is the first Wednesday of a month at 14:00 UTC, strictly after an instant', () => {
  expect(next(MONTHLY, '2026-06-01T00:00:00Z')).toBe('2026-06-03T14:00:00Z')
  expect(next(MONTHLY, '2026-06-03T13:59:59Z')).toBe('2026-06-03T14:00:00Z')
  expect(next(MONTHLY, '2026-06-03T14:00:00Z')).toBe('2026-07-01T14:00:00Z')
  expect(next({ ...MONTHLY, schedule: 'quarterly' }, '2026-06-03T14:00:00Z')).toBe('2026-09-02T14:00:00Z')
  expect(next({ ...MONTHLY, schedule: 'weekly' }, '2026-06-03T14:00:00Z')).toBe('2026-06-10T14:00:00Z')
})

test('any schedule is that of the calendar, day by day', () => {
  const rule = fc.record({
    schedule: fc.constantFrom(...REBALANCE_SCHEDULES),
    weekday: fc.constantFrom(...WEEKDAYS),
    at: fc.integer({ min: 0, max: 1439 }).map((minute) => minute * 60_000_000),
  })
  const after = fc.integer({ min: toMicros('1999-01-01T00:00:00Z') / 1e6, max: toMicros('2040-01-01T00:00:00Z') / 1e6 })
  const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
  fc.assert(
    fc.property(rule, after, (rebalance, second) => {
      const found = nextRebalance(rebalance, second * 1e6)
      const day = new Date((second - (second % 86_400)) * 1000)
      for (;;) {
        const instant = day.getTime() * 1000 + rebalance.at
        const is_first = day.getUTCDate() <= 7
        const fits =
          names[day.getUTCDay()] === rebalance.weekday &&
          (rebalance.schedule === 'weekly' ||
            (is_first && (rebalance.schedule === 'monthly' || [2, 5, 8, 11].includes(day.getUTCMonth()))))
        if (fits && instant > second * 1e6) return found === instant
        day.setUTCDate(day.getUTCDate() + 1)
      }
    }),
    { numRuns: 300 },
  )
})

describe('steps that are due', () => {
  const T = toMicros('2026-06-03T14:00:00Z')
  const newest = toMicros('2026-05-06T14:00:00Z')
  const due = (now: string, { is_governed = false, announced = [] as string[], from = newest } = {}) =>
    dueSteps(
      MONTHLY,
      { newest: from, announced: new Set(announced.map((at) => toMicros(at))), is_governed },
      toMicros(now),
    ).map(({ step, effective_from }) => `${step} ${formatMicros(effective_from)}`)
  const instant = formatMicros(T)

  test('it is announced in the day that ends two days before, five if it is governed', () => {
    expect(due('2026-05-31T13:59:59Z')).toEqual([])
    expect(due('2026-05-31T14:00:00Z')).toEqual([`announce ${instant}`])
    expect(due('2026-06-01T14:00:00Z')).toEqual([`announce ${instant}`])
    expect(due('2026-06-01T14:00:01Z')).toEqual([])
    expect(due('2026-05-28T13:59:59Z', { is_governed: true })).toEqual([])
    expect(due('2026-05-29T14:00:00Z', { is_governed: true })).toEqual([`announce ${instant}`])
    expect(due('2026-05-29T14:00:01Z', { is_governed: true })).toEqual([])
  })

  test('once, and its version is published in the hour before it takes effect, or late', () => {
    const announced = [instant]
    expect(due('2026-06-01T13:00:00Z', { announced })).toEqual([])
    expect(due('2026-06-03T12:59:59Z', { announced })).toEqual([])
    expect(due('2026-06-03T13:00:00Z', { announced })).toEqual([`publish ${instant}`])
    expect(due('2026-06-05T00:00:00Z', { announced })).toEqual([`publish ${instant}`])
    expect(due('2026-06-05T00:00:00Z', { announced, from: T })).toEqual([])
  })

  test('the version of a governed index is due no longer once its start has passed: no proposal begins in the past', () => {
    const governed = { announced: [instant], is_governed: true }
    expect(due('2026-06-03T12:59:59Z', governed)).toEqual([])
    expect(due('2026-06-03T13:00:00Z', governed)).toEqual([`publish ${instant}`])
    expect(due(instant, governed)).toEqual([`publish ${instant}`])
    expect(due('2026-06-03T14:00:01Z', governed)).toEqual([])
  })

  test('one that was not announced in time is not made', () => {
    expect(due('2026-06-03T13:30:00Z')).toEqual([])
    expect(due('2026-06-03T14:30:00Z')).toEqual([])
  })
})

describe('a scheduled rebalance', () => {
  const effective_from = toMicros('2026-06-03T14:00:00Z')
  const base = {
    version: '1',
    effective_from: '2026-05-06T14:00:00Z',
    calculation_frequency: 'P1D',
    approved_by: 'somebody',
    selection: { count: 2 },
    rebalance: { schedule: 'monthly' },
  } as unknown as VersionFile
  const file = {
    ...rebalancedFile(base, effective_from),
    constituents: [{ constituent_id: 'con_a' }, { constituent_id: 'con_b' }],
  }
  const composition = { file, weights: ['0.5000000000', '0.5000000000'] }
  const announced = { ...composition, published_at: effective_from - 2 * MICROS_PER_DAY, is_governed: false }
  const change: ProposedRebalance = {
    base,
    rebalance: MONTHLY,
    proposed: composition,
    announced,
    recomputed: composition,
    lead: 2 * MICROS_PER_DAY,
  }
  const otherwise = (more: object) => ({ ...composition, file: { ...file, ...more } }) as typeof composition
  const weighed = { ...composition, weights: ['0.6000000000', '0.4000000000'] }

  test('has the rules of its base from an instant of the schedule, and the name of its day', () => {
    expect(rebalanceFaults(change)).toEqual([])
    expect(file).toMatchObject({ version: '2026-06-03', selection: { count: 2 }, rebalance: { schedule: 'monthly' } })
    expect(file).not.toHaveProperty('approved_by')
  })

  test.each<[string, Partial<ProposedRebalance>]>([
    ['NO_SCHEDULE', { rebalance: null }],
    ['OFF_SCHEDULE', { rebalance: { ...MONTHLY, at: 15 * HOUR } }],
    ['RULES_CHANGED', { base: { ...base, calculation_frequency: 'PT1H' } }],
    ['NOT_ANNOUNCED', { announced: null }],
    ['ANNOUNCED_LATE', { announced: { ...announced, published_at: announced.published_at + 1 } }],
    ['DIFFERS_FROM_ANNOUNCED', { announced: { ...announced, ...weighed } }],
    ['SELECTION_DIFFERS', { recomputed: weighed }],
    ['SELECTION_DIFFERS', { recomputed: otherwise({ constituents: [{ constituent_id: 'con_a' }] }) }],
  ])('is none with %s', (fault, more) => {
    expect(rebalanceFaults({ ...change, ...more })).toEqual([fault])
  })

  test('is none with another constituent than announced and selected', () => {
    const proposed = otherwise({ constituents: [{ constituent_id: 'con_a' }, { constituent_id: 'con_z' }] })
    expect(rebalanceFaults({ ...change, proposed })).toEqual(['DIFFERS_FROM_ANNOUNCED', 'SELECTION_DIFFERS'])
  })

  test('is on the schedule at its instant alone', () => {
    expect(isOnSchedule(MONTHLY, effective_from)).toBe(true)
    expect(isOnSchedule(MONTHLY, effective_from + 7 * MICROS_PER_DAY)).toBe(false)
  })
})
