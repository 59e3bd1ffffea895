import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callerOf } from '../../../api/server/client-address.ts'
import { createRateLimiter } from '../../../api/server/rate-limiter.ts'

const T = 1_768_651_200_000

describe('a bucket of 20 a second, 200 at once', () => {
  test('admits its burst, then one each 50 ms, and is full again after ten seconds', () => {
    const limiter = createRateLimiter({ rate: 20, burst: 200 })
    for (let left = 199; left >= 0; left -= 1) {
      expect(limiter.take('a', 1, T)).toMatchObject({ admitted: true, remaining: left, retry_after_ms: 0 })
    }
    expect(limiter.take('a', 1, T)).toEqual({
      admitted: false,
      remaining: 0,
      reset_s: T / 1000 + 10,
      retry_after_ms: 50,
    })
    expect(limiter.take('a', 1, T + 49)).toMatchObject({ admitted: false, retry_after_ms: 1 })
    expect(limiter.take('a', 1, T + 50)).toMatchObject({ admitted: true, remaining: 0 })
    expect(limiter.take('a', 5, T + 60)).toMatchObject({ admitted: false, retry_after_ms: 240 })
    expect(limiter.take('a', 1, T + 60_000)).toMatchObject({ admitted: true, remaining: 199 })
    expect(limiter.take('b', 5, T)).toMatchObject({ admitted: true, remaining: 195 })
  })

  test('a clock that steps back refills nothing and takes nothing back', () => {
    const limiter = createRateLimiter({ rate: 20, burst: 10 })
    limiter.take('a', 10, T)
    expect(limiter.take('a', 1, T - 60_000).admitted).toBe(false)
    expect(limiter.take('a', 1, T + 50).admitted).toBe(true)
  })

  test('over any course of requests no more is spent than burst and refill give, and a refusal is right about when', () => {
    const course = fc.array(fc.record({ wait_ms: fc.nat(400), cost: fc.integer({ min: 1, max: 5 }) }), {
      maxLength: 300,
    })
    fc.assert(
      fc.property(course, (requests) => {
        const limiter = createRateLimiter({ rate: 20, burst: 30 })
        let now = T
        let spent = 0
        for (const { wait_ms, cost } of requests) {
          now += wait_ms
          const verdict = limiter.take('a', cost, now)
          if (verdict.admitted) spent += cost
          else expect(verdict.retry_after_ms).toBeGreaterThan(0)
          expect(spent).toBeLessThanOrEqual(30 + ((now - T) * 20) / 1000)
        }
      }),
    )
  })
})

test('the number of callers is bounded, and the one quiet longest is forgotten first', () => {
  const limiter = createRateLimiter({ rate: 1, burst: 10 }, 3)
  for (const caller of ['a', 'b', 'c']) limiter.take(caller, 10, T)
  limiter.take('a', 1, T + 1000)
  limiter.take('d', 10, T + 1000)
  expect(limiter.size()).toBe(3)
  expect(limiter.take('a', 1, T + 1000).admitted).toBe(false)
  expect(limiter.take('b', 10, T + 1000).admitted).toBe(true)
})

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::7', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1:2:3:4', 'fe80:0:0:0'],
])('the address %s counts as %s', (address, caller) => {
  expect(callerOf(address)).toBe(caller)
})
