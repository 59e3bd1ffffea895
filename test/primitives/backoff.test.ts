import { expect, test } from 'vitest'
import { backoffMs, createBackoff, DEFAULT_BACKOFF, jitteredMs } from '../../primitives/backoff.ts'

test('a wait doubles with each failure up to the longest, and chance takes up to half of it', () => {
  const wait = (failures: number, random: number) => jitteredMs(backoffMs(DEFAULT_BACKOFF, failures), random)
  expect([1, 2, 3].map((failures) => wait(failures, 0))).toEqual([250, 500, 1000])
  expect(wait(50, 0.999)).toBeLessThanOrEqual(30_000)
  expect(wait(50, 0)).toBe(15_000)
})

test('a back-off begins again after a success', () => {
  const backoff = createBackoff({ first_ms: 100, max_ms: 350 })
  expect([backoff.next(), backoff.next(), backoff.next()]).toEqual([100, 200, 350])
  backoff.reset()
  expect(backoff.next()).toBe(100)
})
