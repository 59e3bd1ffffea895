import { isTidemarkError } from '../tidemark-error.ts'

/** Error of a read whose only record is not as the contract says; the finding that names it was made. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
}

/**
 * Returns what an error says about the service's answers: whatever they are, a false one ends no other check.
 * @throws the error itself if the service does not answer now, so nothing can be checked
 */
export function faultOf(error: unknown): string {
  if (isTidemarkError(error, 'SERVICE_UNAVAILABLE') && error.retryable && isAbsent(error.status)) throw error
  return error instanceof Error ? error.message : String(error)
}

/** Tells a service that cannot be asked from one that answers, but not as this API does. */
function isAbsent(status: number | null): boolean {
  return status === null || status >= 500 || status === 429
}

/** Returns the answer of a read; null: it is not as the contract says, as a finding says. */
export async function orUnreadable<T>(read: Promise<T | null>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    if (error instanceof UnreadableAnswer) return null
    throw error
  }
}
