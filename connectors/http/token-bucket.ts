import type { RateLimit } from './rate-limits.ts'

/** Part of a limit that may be used at once; the rest comes back evenly over the window. */
const BURST = { one_in: 10 } as const

/** Places under one limit, given out in the order in which they are asked for. */
export type TokenBucket = {
  /** Takes a place; gives the milliseconds after which it may be used. */
  take(now_ms: number): number
}

/**
 * A token bucket that keeps a limit in every window, however the window lies: what may be used at once and what comes back
 * within a window are together the limit.
 * @param limit  whole requests, at least 1, in window_ms
 */
export function createTokenBucket({ requests, window_ms }: Omit<RateLimit, 'path'>): TokenBucket {
  const burst = Math.max(1, Math.floor(requests / BURST.one_in))
  const gap_ms = window_ms / Math.max(1, requests - burst)
  // When the bucket is full again: each taken place moves it by one gap.
  let full_at_ms = Number.NEGATIVE_INFINITY
  return {
    take(now_ms) {
      full_at_ms = Math.max(full_at_ms, now_ms) + gap_ms
      return Math.max(0, Math.ceil(full_at_ms - burst * gap_ms - now_ms))
    },
  }
}
