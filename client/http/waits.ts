import { type BackoffRule, backoffMs, jitteredMs } from '../../primitives/backoff.ts'

/** Longest time from the first attempt of a public read to its last one, in milliseconds. */
export const WAITING_MS_MAX = 600_000

/** Least wait where one is stated; doubled each time, so that a service that keeps refusing is asked less often. */
const STATED: BackoffRule = { first_ms: 25, max_ms: 1_000 }

/** Returns a wait that an answer states, in milliseconds; null: none, or one that cannot be kept. */
export function statedMs(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY ? value : null
}

/** Returns the wait that an answer asks for in `Retry-After`, in milliseconds; null: none, or one that is not in seconds. */
export function retryAfterMs(headers: { get(name: string): string | null }): number | null {
  const text = headers.get('retry-after')
  return text !== null && /^\d+(\.\d+)?$/.test(text) ? statedMs(Number(text) * 1000) : null
}

/**
 * Returns the wait before the next attempt in milliseconds.
 * @param rule      back-off where no wait is stated
 * @param refusals  in a row, from 1
 * @param chance    in [0, 1)
 */
export function waitMs(rule: BackoffRule, stated_ms: number | null, refusals: number, chance: number): number {
  if (stated_ms === null) return jitteredMs(backoffMs(rule, refusals), chance)
  return Math.max(stated_ms, backoffMs(STATED, refusals))
}
