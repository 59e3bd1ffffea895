/** Waits between attempts that fail in a row, and what is begun again after a success. Milliseconds. */
export type Backoff = {
  /** How long to wait before the next attempt: twice the wait before, up to the greatest. */
  next(): number
  /** An attempt succeeded: the next failure waits for the first time again. */
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
