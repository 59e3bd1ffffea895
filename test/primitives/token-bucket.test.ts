import { expect, test } from 'vitest'
import { TokenBucket } from '../../primitives/token-bucket.ts'

test('a bucket is full at first, refuses what it does not have, and fills evenly', () => {
  const bucket = new TokenBucket({ tokens: 3, window_ms: 1000, burst: 2 })
  expect([bucket.take(0), bucket.take(0), bucket.take(0)]).toEqual([true, true, false])
  expect(bucket.waitMs(1)).toBe(334)
  expect(bucket.take(333)).toBe(false)
  expect(bucket.take(334)).toBe(true)
  expect([bucket.isFull(999), bucket.isFull(1000)]).toEqual([false, true])
})

test('a reservation on credit waits until its token is earned', () => {
  const bucket = new TokenBucket({ tokens: 1, window_ms: 60_000, burst: 1 })
  expect([bucket.reserve(5), bucket.reserve(5), bucket.reserve(5)]).toEqual([0, 60_000, 120_000])
})

test('a clock that steps back refills nothing', () => {
  const bucket = new TokenBucket({ tokens: 1, window_ms: 1000, burst: 1 })
  expect([bucket.take(5000), bucket.take(0), bucket.take(5999), bucket.take(6000)]).toEqual([true, false, false, true])
})
