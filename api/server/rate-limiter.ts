import type { RateClass } from '../../protocol/limits.ts'

/** Verdict on one request, and the tokens left. */
export type RateVerdict = {
  readonly admitted: boolean
  /** Whole tokens left. */
  readonly remaining: number
  /** Unix second at which the bucket is full again. */
  readonly reset_s: number
  /** Milliseconds until the same request would be admitted; 0 if it was admitted. */
  readonly retry_after_ms: number
}

/** Token buckets of one limit class, one per caller. `now_ms` is epoch milliseconds; a clock that steps back refills nothing. */
export type RateLimiter = {
  take(caller: string, cost: number, now_ms: number): RateVerdict
  readonly size: () => number
}

/** Bucket in thousandths of a token: `rate` a second is then `rate` a millisecond, and every count an integer. */
type Bucket = { millitokens: number; at_ms: number; placed_ms: number }

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
  const buckets = new Map<string, Bucket>()
  const full = burst * 1000
  const place = (caller: string, bucket: Bucket): void => {
    if (!buckets.delete(caller) && buckets.size >= callers_max) buckets.delete(buckets.keys().next().value!)
    buckets.set(caller, bucket)
  }
  const bucketOf = (caller: string, now_ms: number): Bucket => {
    const known = buckets.get(caller)
    const bucket = known ?? { millitokens: full, at_ms: now_ms, placed_ms: now_ms }
    if (now_ms > bucket.at_ms) {
      bucket.millitokens = Math.min(full, bucket.millitokens + (now_ms - bucket.at_ms) * rate)
      bucket.at_ms = now_ms
    }
    if (known === undefined || now_ms - bucket.placed_ms >= REPLACE_MS) {
      bucket.placed_ms = now_ms
      place(caller, bucket)
    }
    return bucket
  }
  return {
    size: () => buckets.size,
    take: (caller, cost, now_ms) => {
      const bucket = bucketOf(caller, now_ms)
      const missing = cost * 1000 - bucket.millitokens
      if (missing <= 0) bucket.millitokens -= cost * 1000
      return {
        admitted: missing <= 0,
        remaining: Math.floor(bucket.millitokens / 1000),
        reset_s: Math.ceil((now_ms + (full - bucket.millitokens) / rate) / 1000),
        retry_after_ms: missing <= 0 ? 0 : Math.ceil(missing / rate),
      }
    },
  }
}
