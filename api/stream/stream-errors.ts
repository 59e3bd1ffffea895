import { ERROR_CODES } from '../../primitives/error-codes.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { TokenBucket } from '../../primitives/token-bucket.ts'
import { timesOf } from '../server/error-answer.ts'
import type { StreamLimits } from './stream-limits.ts'

/** Builds the error object of a message: that of REST, with the wait and the clock that the error states. */
export function streamError(error: ServiceError, request_id: string) {
  const { code, message } = error
  return { code, message, retryable: ERROR_CODES[code].retryable, request_id, ...timesOf(error) }
}

/** Takes `cost` messages from the bucket of a connection. @throws {ServiceError} RATE_LIMIT_EXCEEDED */
export function takeMessages(bucket: TokenBucket, now_ms: number, { messages }: StreamLimits, cost = 1): void {
  if (bucket.take(now_ms, cost)) return
  const allowed = `${messages.rate} a second, at most ${messages.burst} at once`
  throw tooFast(`this connection sends too many messages; allowed: ${allowed}`, bucket.waitMs(cost))
}

/** Builds the error of a token bucket without enough tokens. @param wait_ms  until it has them */
export function tooFast(message: string, wait_ms: number): ServiceError {
  return new ServiceError('RATE_LIMIT_EXCEEDED', message, { retry_after_ms: String(wait_ms) })
}
