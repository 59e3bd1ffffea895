import type { Static } from 'typebox'
import type { ErrorObject } from '../../protocol/envelope.ts'

type ErrorFields = Static<typeof ErrorObject>

/** Refused or unanswered request: one sentence, a code and, if there is one, the request id. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  readonly status: number
  readonly request_id: string | null
  readonly retry_after_ms: number | null
  /** Error object as the service sent it; null: none. */
  readonly fields: ErrorFields | null
  /** Data beside the error, such as the rejected order. */
  readonly data: unknown

  constructor(code: string, message: string, facts: ApiErrorFacts) {
    super(message)
    this.code = code
    this.status = facts.status ?? 0
    this.request_id = facts.request_id ?? null
    this.retry_after_ms = facts.retry_after_ms ?? null
    this.fields = facts.fields ?? null
    this.data = facts.data ?? null
  }
}

type ApiErrorFacts = {
  readonly status?: number
  readonly request_id?: string
  readonly retry_after_ms?: number
  readonly fields?: ErrorFields
  readonly data?: unknown
}

/** Returns the error of an unsuccessful answer. */
export function errorOfAnswer(status: number, body: unknown): ApiError {
  const { error, data } = (body ?? {}) as { error?: ErrorFields; data?: unknown }
  if (error === undefined)
    return new ApiError('NO_ERROR_OBJECT', `The service answered ${status} and said no more.`, { status })
  const { code, message, request_id, retry_after_ms } = error
  return new ApiError(code, message, {
    status,
    request_id,
    fields: error,
    data,
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
  })
}

/** Returns the error of an unanswered request. */
export function unreachable(): ApiError {
  return new ApiError('UNREACHABLE', 'The service did not respond. It may be starting, or the network is down.', {})
}

const RATE_WAIT_MS_MAX = 30_000
const RATE_WAIT_MS = 1000
const TOO_MANY_REQUESTS = 429

/** Returns the wait that a refusal for too many requests asks for, its Retry-After; null: it is another error. */
export function rateWaitOf(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.status !== TOO_MANY_REQUESTS) return null
  return Math.min(error.retry_after_ms ?? RATE_WAIT_MS, RATE_WAIT_MS_MAX)
}
