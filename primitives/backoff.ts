/** Shortest and longest wait between attempts that keep failing, in milliseconds. */
export type BackoffRule = { readonly first_ms: number; readonly max_ms: number }

/** Back-off of connections and of work that is repeated until it succeeds. */
export const DEFAULT_BACKOFF: BackoffRule = { first_ms: 500, max_ms: 30_000 }

/**
 * Returns the wait after `failures` failures in a row, in milliseconds: doubled each time, up to the longest.
 * @param failures from 1
 */
export function backoffMs({ first_ms, max_ms }: BackoffRule, failures: number): number {
  return Math.min(first_ms * 2 ** (failures - 1), max_ms)
}

/**
 * Shortens a wait by up to half, so that clients that lost the same server do not return at once. Whole milliseconds.
 * @param random in [0, 1)
 */
export function jitteredMs(wait_ms: number, random: number): number {
  return Math.round(wait_ms * (0.5 + random / 2))
}

/** Waits between attempts of one piece of work, counting its failures. */
export type Backoff = {
  /** Counts a failure and returns the wait before the next attempt, in milliseconds. */
  next(): number
  /** Records a success: the next failure waits for the shortest time again. */
  reset(): void
}

/** Creates the back-off of work that runs once on this machine, so nothing has to be spread by chance. */
export function createBackoff(rule: BackoffRule = DEFAULT_BACKOFF): Backoff {
  let failures = 0
  return {
    next() {
      failures += 1
      return backoffMs(rule, failures)
    },
    reset() {
      failures = 0
    },
  }
}
