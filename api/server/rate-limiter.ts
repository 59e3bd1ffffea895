import { TokenBucket } from '../../primitives/token-bucket.ts'
import type { RateClass } from '../../protocol/limits.ts'

/** What a caller has left after one request. */
export type RateVerdict = {
  readonly admitted: boolean
  /** Whole tokens left. */
  readonly remaining: number
  /** Epoch seconds when the bucket is full again. */
  readonly reset_s: number
  /** Milliseconds until the same request would be admitted; 0: it was. */
  readonly retry_after_ms: number
}

/** Token buckets of one limit class, one a caller. `now_ms` is epoch milliseconds; a clock that steps back refills nothing. */
export type RateLimiter = {
  take(caller: string, cost: number, now_ms: number): RateVerdict
  readonly size: () => number
}

type Caller = { readonly bucket: TokenBucket; placed_ms: number }

/** More callers than this at once are not tracked: the one that was quiet longest is forgotten, which is to its favour. */
const CALLERS_MAX = 100_000
/** A bucket goes to the end of the order at most once in this time: moving it costs more than the rest of a request's count. */
const REPLACE_MS = 1000

/**
 * Makes buckets of `burst` tokens into which `rate` come back a second, exactly. A request that is refused takes nothing.
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
  return {
    size: () => callers.size,
    take: (caller, cost, now_ms) => {
      const bucket = bucketOf(caller, now_ms)
      const admitted = bucket.take(now_ms, cost)
      return {
        admitted,
        remaining: bucket.remaining(),
        reset_s: Math.ceil((now_ms + bucket.fullInMs()) / 1000),
        retry_after_ms: admitted ? 0 : bucket.waitMs(cost),
      }
    },
  }
}
