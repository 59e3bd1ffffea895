import { ERROR_CODES } from '../../primitives/error-codes.ts'
import { type ErrorFacts, isServiceError, ServiceError } from '../../primitives/errors.ts'
import { SIGNATURE_FACTS } from '../../protocol/envelope.ts'
import { RequestRefusal, type Violation } from './request-refusal.ts'

/** An error response: status, additional headers, JSON text. */
export type ErrorAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Default Retry-After of an unavailable service. */
const RETRY_AFTER_MS = 1000

/**
 * Builds the response to a rejected or failed request: `{error: {code, message, retryable, request_id, ...}}`. Any error but a
 * ServiceError becomes INTERNAL_ERROR, which does not reveal its cause.
 * @param status  if it differs from that of the code: a missing resource that a body refers to is 422, not 404
 */
export function errorAnswer(error: unknown, request_id: string, status?: number): ErrorAnswer {
  const known = isServiceError(error) && error.code !== 'INTERNAL_ERROR' ? error : INTERNAL
  const details = detailsOf(known)
  const headers: Record<string, string> = {}
  if (details.retry_after_ms !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(details.retry_after_ms / 1000)))
  const body = `{"error":${JSON.stringify(objectOf(known, request_id, details))}}`
  return { status: status ?? ERROR_CODES[known.code].status, headers, body }
}

/** Returns the JSON text of the error object alone, for responses that have `data` beside it. */
export function errorText(error: ServiceError, request_id: string): string {
  return JSON.stringify(objectOf(error, request_id, detailsOf(error)))
}

/** Reports whether the cause of an error belongs in the log. */
export function isFailure(error: unknown): boolean {
  return !isServiceError(error) || ERROR_CODES[error.code].status >= 500
}

const INTERNAL = new ServiceError(
  'INTERNAL_ERROR',
  'the service failed on this request; its log has the cause under the request_id',
)

type Details = {
  readonly field_violations?: readonly Violation[]
  readonly retry_after_ms?: number
  readonly server_time_ms?: number
  readonly [fact: string]: unknown
}

function objectOf({ code, message }: ServiceError, request_id: string, details: Details): object {
  return { code, message, retryable: ERROR_CODES[code].retryable, request_id, ...details }
}

function detailsOf(error: ServiceError): Details {
  const { code, facts } = error
  const field_violations = violationsOf(error)
  return {
    ...(field_violations.length > 0 && { field_violations }),
    ...timesOf(error),
    // These facts derive from what the caller sent: the message that was checked, and its signer.
    ...(code.startsWith('SIGNATURE_') && pick(facts, SIGNATURE_FACTS)),
  }
}

/**
 * Returns the times that an error states. An unavailable service states a usual wait. A limit of a number states none: it ends when
 * something of the caller closes, which the service cannot know.
 */
export function timesOf({ code, facts }: ServiceError): Pick<Details, 'retry_after_ms' | 'server_time_ms'> {
  const usual = ERROR_CODES[code].status === 503 ? RETRY_AFTER_MS : undefined
  const retry_after_ms = facts.retry_after_ms ?? usual
  return {
    ...(retry_after_ms !== undefined && { retry_after_ms: +retry_after_ms }),
    ...(facts.server_time_ms !== undefined && { server_time_ms: +facts.server_time_ms }),
  }
}

function pick(facts: ErrorFacts, names: readonly string[]): ErrorFacts {
  return Object.fromEntries(names.flatMap((name) => (facts[name] === undefined ? [] : [[name, facts[name]]])))
}

/** Returns the field violations: those of a RequestRefusal, or the one field that a validation error names in its facts. */
function violationsOf(error: ServiceError): readonly Violation[] {
  if (error instanceof RequestRefusal) return error.violations
  const { code, message, facts } = error
  if (!code.startsWith('VALIDATION_') || facts.field === undefined) return []
  return [{ field: facts.field, code, message, value: facts.value ?? null }]
}
