import { ERROR_CODES, isServiceError, type ServiceError } from '../../primitives/errors.ts'
import { RequestRefusal, type Violation } from './request-refusal.ts'

/** An answer as it is written: status, headers of its own, JSON text. */
export type ErrorAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An unavailable service is asked again after this long, where nothing says more. */
const RETRY_AFTER_MS = 1000

/**
 * The answer to a refused or failed request: `{error: {code, message, retryable, request_id, ...}}`. What is no ServiceError is
 * an INTERNAL_ERROR, and says nothing of its cause.
 */
export function errorAnswer(error: unknown, request_id: string): ErrorAnswer {
  if (!isServiceError(error)) return answerOf('INTERNAL_ERROR', INTERNAL_MESSAGE, request_id, {})
  if (error.code === 'INTERNAL_ERROR') return answerOf('INTERNAL_ERROR', INTERNAL_MESSAGE, request_id, {})
  return answerOf(error.code, error.message, request_id, detailsOf(error))
}

/** Is the cause of this answer something that the log should have? */
export function isFailure(error: unknown): boolean {
  return !isServiceError(error) || ERROR_CODES[error.code].status >= 500
}

const INTERNAL_MESSAGE = 'the service failed on this request; its log has the cause under the request_id'

type Details = {
  readonly field_violations?: readonly Violation[]
  readonly retry_after_ms?: number
}

function answerOf(code: ServiceError['code'], message: string, request_id: string, details: Details): ErrorAnswer {
  const { status, retryable } = ERROR_CODES[code]
  const { retry_after_ms } = details
  const headers: Record<string, string> =
    retry_after_ms === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retry_after_ms / 1000))) }
  return { status, headers, body: JSON.stringify({ error: { code, message, retryable, request_id, ...details } }) }
}

function detailsOf(error: ServiceError): Details {
  const { status } = ERROR_CODES[error.code]
  const field_violations = violationsOf(error)
  const retry_after_ms = status === 429 || status === 503 ? +(error.facts.retry_after_ms ?? RETRY_AFTER_MS) : null
  return {
    ...(field_violations.length > 0 && { field_violations }),
    ...(retry_after_ms !== null && { retry_after_ms }),
  }
}

/** A refusal names its fields; a validation error from deeper down names one in its facts. */
function violationsOf(error: ServiceError): readonly Violation[] {
  if (error instanceof RequestRefusal) return error.violations
  const { code, message, facts } = error
  if (!code.startsWith('VALIDATION_') || facts.field === undefined) return []
  return [{ field: facts.field, code, message, value: facts.value ?? null }]
}
