/** Waits between attempts that fail in a row, and what is begun again after a success. Milliseconds. */
export type Backoff = {
  /** Returns the wait before the next attempt: twice the wait before, up to a maximum. */
  next(): number
  /** Records a success: the next failure waits as long as the first. */
  reset(): void
}

/** Work of this machine alone is repeated, so nothing has to be spread by chance. */
export function createBackoff(first_ms = 500, max_ms = 30_000): Backoff {
  let wait_ms = first_ms
  return {
    next() {
      const due = wait_ms
      wait_ms = Math.min(2 * wait_ms, max_ms)
      return due
    },
    reset() {
      wait_ms = first_ms
    },
  }
}
