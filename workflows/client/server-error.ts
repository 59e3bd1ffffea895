import { ServiceError } from '../../primitives/errors.ts'

/**
 * Returns an error of a call to the Temporal server as one sentence that says what failed and why; any other error as it is. The
 * client's own error names the call alone, and its cause is the server's answer.
 */
export function serverError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const details = detailsOf(error.cause)
  if (details === null) return error
  const text = `the Temporal server did not do what was asked: ${error.message}: ${details}`
  return new ServiceError('SERVICE_UNAVAILABLE', text, {}, error)
}

/** Returns the reason in the answer of a gRPC call; null: it is not one. */
function detailsOf(cause: unknown): string | null {
  if (!(cause instanceof Error) || !('details' in cause && 'metadata' in cause)) return null
  return typeof cause.details === 'string' && cause.details !== '' ? cause.details : cause.message
}
