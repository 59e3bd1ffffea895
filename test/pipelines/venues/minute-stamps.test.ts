import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minuteOf, minuteStamps, stampsOf } from '../../../pipelines/venues/minute-stamps.ts'
import { SEED } from '../../support/seed.ts'

const MINUTE = 60_000_000
const received = (...instants: readonly number[]) => instants.map((received_at) => ({ received_at }))

test('a minute is published at the latest receipt in it, over all lists', () => {
  const stamps = minuteStamps([received(3, 1), received(MINUTE - 1, MINUTE)], 0)
  expect([...stamps]).toEqual([
    [0, MINUTE - 1],
    [1, MINUTE],
  ])
})

test('a minute that comes again after a later one is published a microsecond after the last stamp', () => {
  const stamps = minuteStamps([received(5, MINUTE + 5)], 9 * MINUTE)
  expect([...stamps]).toEqual([
    [0, 9 * MINUTE + 1],
    [1, 9 * MINUTE + 2],
  ])
})

test('every record has the stamp of its minute', () => {
  const sorted = received(1, 2, MINUTE, 3 * MINUTE, 4 * MINUTE - 1)
  expect(stampsOf(sorted, minuteStamps([sorted], 0))).toEqual([2, 2, MINUTE, 4 * MINUTE - 1, 4 * MINUTE - 1])
})

test('stamps ascend from batch to batch, and nothing is published before it was received', () => {
  const instants = fc.array(fc.nat({ max: 6 * MINUTE }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.array(instants, { minLength: 1, maxLength: 6 }), (batches) => {
      let last = 0
      for (const batch of batches) {
        const stamps = minuteStamps([received(...batch)], last)
        for (const stamp of stamps.values()) {
          expect(stamp).toBeGreaterThan(last)
          last = stamp
        }
        for (const instant of batch) expect(stamps.get(minuteOf(instant))).toBeGreaterThanOrEqual(instant)
      }
    }),
    { seed: SEED },
  )
})

test('a sorted archive is published in no later minute than it was received in', () => {
  const stamps = minuteStamps([received(1, MINUTE - 1, 2 * MINUTE)], 0)
  for (const [minute, stamp] of stamps) expect(minuteOf(stamp)).toBe(minute)
})
