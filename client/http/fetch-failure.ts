/** Returns the reason of a failed `fetch`, which hides it behind "fetch failed". */
export function fetchFailure(error: unknown): string {
  const { cause, message } = error as Error
  const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string }
  return reason || code || message
}
