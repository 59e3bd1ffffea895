import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketRule } from '../../../connectors/http/rate-limits.ts'
import { retryAfterMs } from '../../../connectors/http/retry-after.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { TokenBucket } from '../../../primitives/token-bucket.ts'

test('worked example: 20 a second are 2 at once and then one each 55.6 ms', () => {
  const bucket = new TokenBucket(bucketRule({ requests: 20, window_ms: 1_000 }))
  expect([0, 0, 0, 0].map((now) => bucket.reserve(now))).toEqual([0, 0, 56, 112])
  expect(bucket.reserve(10_000)).toBe(0)
})

test('no window of the limit’s length ever holds more requests than the limit, in any order of requests', () => {
  const asked = fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), asked, (requests, gaps) => {
      const window_ms = 1_000
      const bucket = new TokenBucket(bucketRule({ requests, window_ms }))
      let now = 0
      const sent = gaps.map((gap) => {
        now += gap
        return now + bucket.reserve(now)
      })
      for (const from of sent) {
        expect(sent.filter((at) => at >= from && at < from + window_ms).length).toBeLessThanOrEqual(requests)
      }
    }),
  )
})

test('Retry-After is seconds or a date', () => {
  const now = toMicros('2026-01-05T10:00:00Z')
  expect(retryAfterMs('7', now)).toBe(7_000)
  expect(retryAfterMs('Mon, 05 Jan 2026 10:00:30 GMT', now)).toBe(30_000)
  expect(retryAfterMs('Mon, 05 Jan 2026 09:00:00 GMT', now)).toBe(0)
  expect(retryAfterMs(undefined, now)).toBeNull()
  expect(retryAfterMs('soon', now)).toBeNull()
})
