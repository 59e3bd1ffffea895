import {
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  type IBackoff,
  type IBackoffFactory,
  type IRetryBackoffContext,
  type RetryPolicy,
  retry,
} from 'cockatiel'
import { VenueUnavailableError } from './venue-errors.ts'

/** Timeouts and limits of an HTTP client. Milliseconds unless the name says otherwise. */
export type HttpPolicy = {
  readonly connect_ms: number
  /** Until the first byte of the answer. */
  readonly first_byte_ms: number
  /** Between two parts of the body. */
  readonly idle_ms: number
  /** The whole answer. */
  readonly answer_ms: number
  readonly body_bytes_max: number
  /** Concurrent connections. */
  readonly connections_max: number
  /** Requests for one answer, including the first. */
  readonly attempts_max: number
  readonly backoff_first_ms: number
  readonly backoff_max_ms: number
  /** A venue that asks for a longer wait counts as unavailable at once. */
  readonly retry_after_max_ms: number
  /** Failures in a row, of any request, that open the circuit breaker. */
  readonly breaker_failures: number
  readonly breaker_open_ms: number
}

export const HTTP_POLICY: HttpPolicy = {
  connect_ms: 5_000,
  first_byte_ms: 15_000,
  idle_ms: 10_000,
  answer_ms: 60_000,
  body_bytes_max: 64 * 1024 * 1024,
  connections_max: 4,
  attempts_max: 5,
  backoff_first_ms: 250,
  backoff_max_ms: 15_000,
  retry_after_max_ms: 60_000,
  breaker_failures: 10,
  breaker_open_ms: 30_000,
}

/** Retries while a venue is unavailable, unless it asks for a longer wait than allowed. */
export function retryPolicy(policy: HttpPolicy): RetryPolicy {
  const may_help = (error: Error) =>
    error instanceof VenueUnavailableError && (error.retry_after_ms ?? 0) <= policy.retry_after_max_ms
  return retry(handleWhen(may_help), { maxAttempts: policy.attempts_max - 1, backoff: patience(policy) })
}

/** Stops requests to a venue that failed several times in a row. One that asks for fewer requests is alive. */
export function breakerPolicy(policy: HttpPolicy): CircuitBreakerPolicy {
  const failed = handleWhen((error) => error instanceof VenueUnavailableError && !error.throttled)
  return circuitBreaker(failed, {
    halfOpenAfter: policy.breaker_open_ms,
    breaker: new ConsecutiveBreaker(policy.breaker_failures),
  })
}

type Context = IRetryBackoffContext<unknown>

/** Exponential back-off with jitter, never shorter than the venue asks for. */
function patience({ backoff_first_ms, backoff_max_ms }: HttpPolicy): IBackoffFactory<Context> {
  const factory = new ExponentialBackoff({ initialDelay: backoff_first_ms, maxDelay: backoff_max_ms })
  const after = (own: IBackoff<unknown>, context: Context): IBackoff<Context> => {
    const asked = 'error' in context.result ? retryAfterOf(context.result.error) : 0
    return {
      duration: Math.max(own.duration, asked),
      next: (later) => after(own.next(later), later),
    }
  }
  return { next: (context) => after(factory.next(), context) }
}

function retryAfterOf(error: Error): number {
  return error instanceof VenueUnavailableError ? (error.retry_after_ms ?? 0) : 0
}
