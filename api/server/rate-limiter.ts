import { TokenBucket } from '../../primitives/token-bucket.ts'
import type { RateClass } from '../../protocol/limits.ts'

/** State of a bucket after a request. */
export type TokensLeft = {
  /** Whole tokens left; 0 while the bucket owes tokens. */
  readonly remaining: number
  /** Unix second at which the bucket is full again. */
  readonly reset_s: number
}

/** Verdict on one request, and the tokens left. */
export type RateVerdict = TokensLeft & {
  readonly admitted: boolean
  /** Milliseconds until the same request would be admitted; 0 if it was admitted, Infinity if it costs more than the burst. */
  readonly retry_after_ms: number
}

/** Token buckets of one limit class, one per caller. `now_ms` is epoch milliseconds; a clock that steps back refills nothing. */
export type RateLimiter = {
  take(caller: string, cost: number, now_ms: number): RateVerdict
  /** Takes tokens whether or not they are left; further requests wait until those on credit have come back. */
  charge(caller: string, cost: number, now_ms: number): TokensLeft
  /** Returns tokens that the caller took. */
  giveBack(caller: string, cost: number): void
  readonly size: () => number
}

type Caller = { readonly bucket: TokenBucket; placed_ms: number }

/** Most callers tracked; beyond it the one idle longest is evicted, which leaves it a full bucket. */
const CALLERS_MAX = 100_000
/** Minimum time between two moves of a bucket to the end of the order; a move costs more than the rest of the count. */
const REPLACE_MS = 1000

/**
 * Creates buckets of `burst` tokens that refill by exactly `rate` a second. A rejected request takes nothing.
 * @param rule  whole tokens; burst at least the greatest cost of a request
 */
export function createRateLimiter({ rate, burst }: RateClass, callers_max: number = CALLERS_MAX): RateLimiter {
  // Ordered by last use, to within REPLACE_MS.
  const callers = new Map<string, Caller>()
  const rule = { tokens: rate, window_ms: 1000, burst }
  const bucketOf = (name: string, now_ms: number): TokenBucket => {
    const known = callers.get(name)
    if (known !== undefined && now_ms - known.placed_ms < REPLACE_MS) return known.bucket
    const caller = known ?? { bucket: new TokenBucket(rule), placed_ms: now_ms }
    caller.placed_ms = now_ms
    if (!callers.delete(name) && callers.size >= callers_max) callers.delete(callers.keys().next().value!)
    callers.set(name, caller)
    return caller.bucket
  }
  const leftIn = (bucket: TokenBucket, now_ms: number): TokensLeft => ({
    remaining: Math.max(0, bucket.remaining()),
    reset_s: Math.ceil((now_ms + bucket.fullInMs()) / 1000),
  })
  return {
    size: () => callers.size,
    charge: (caller, cost, now_ms) => {
      const bucket = bucketOf(caller, now_ms)
      bucket.reserve(now_ms, cost)
      return leftIn(bucket, now_ms)
    },
    giveBack: (caller, cost) => callers.get(caller)?.bucket.giveBack(cost),
    take: (caller, cost, now_ms) => {
      const bucket = bucketOf(caller, now_ms)
      const admitted = bucket.take(now_ms, cost)
      return {
        admitted,
        ...leftIn(bucket, now_ms),
        retry_after_ms: admitted ? 0 : cost > burst ? Number.POSITIVE_INFINITY : bucket.waitMs(cost),
      }
    },
  }
}
