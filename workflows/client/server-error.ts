import { ServiceError } from '../../primitives/errors.ts'
import { saysAway, serverAway, withoutStatus } from '../server/server-away.ts'
import type { ServerAddress } from '../server/server-file.ts'

/**
 * Returns an error of a call to the Temporal server as one sentence that says what failed and why; any other error as it is. The
 * client's own error names the call alone, and its cause is the server's answer; a direct call fails with that answer itself. A server
 * that does not answer has one sentence, whatever was asked.
 */
export function serverError(error: unknown, server: ServerAddress): unknown {
  if (!(error instanceof Error)) return error
  if (error.name === 'TransportError') return transportError(error, server)
  const direct = detailsOf(error)
  const details = direct ?? detailsOf(error.cause)
  if (details === null) return error
  if (saysAway(details)) return serverAway(server, error)
  const reason = direct ?? `${error.message}: ${details}`
  const text = `the Temporal server did not do what was asked: ${reason}`
  return new ServiceError('SERVICE_UNAVAILABLE', text, {}, error)
}

/** Returns an error of a worker's own client, which holds the answer as text. */
function transportError(error: Error, server: ServerAddress): ServiceError {
  if (saysAway(error.message)) return serverAway(server, error)
  const text = `the Temporal server at ${server.address} refused the worker: ${withoutStatus(error.message)}`
  return new ServiceError('SERVICE_UNAVAILABLE', text, { address: server.address }, error)
}

/** Returns the reason in the answer of a gRPC call; null: it is not one. */
function detailsOf(cause: unknown): string | null {
  if (!(cause instanceof Error) || !('details' in cause && 'metadata' in cause)) return null
  return typeof cause.details === 'string' && cause.details !== '' ? cause.details : cause.message
}
