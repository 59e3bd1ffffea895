import { ERROR_CODES, type ErrorCode } from '../../primitives/errors.ts'
import type { Endpoint } from './endpoint.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'

/** What any request may be answered with: how it is written, what its caller may still spend, how the service is. */
const OF_EVERY_ENDPOINT = [
  'VALIDATION_PARAMETER_UNKNOWN',
  'VALIDATION_PARAMETER_REPEATED',
  'VALIDATION_PARAMETER_INVALID',
  'VALIDATION_REQUEST_MALFORMED',
  'VALIDATION_BODY_INVALID',
  'VALIDATION_BODY_TOO_LARGE',
  'VALIDATION_MEDIA_TYPE_UNSUPPORTED',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'WAREHOUSE_CORRUPT',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]

/** Codes that a parameter brings to every endpoint that has it. */
const OF_PARAMETERS: Readonly<Record<string, readonly ErrorCode[]>> = {
  as_of: ['VALIDATION_AS_OF_IN_FUTURE', 'VALIDATION_AS_OF_UNAVAILABLE'],
  cursor: ['VALIDATION_CURSOR_INVALID'],
  end_time: ['VALIDATION_RANGE_INVALID', 'VALIDATION_QUERY_LIMIT'],
  sampling: ['VALIDATION_PARAMETER_MISSING'],
}

/** Every code that an endpoint may answer with, each once. */
export function errorsOf(endpoint: Endpoint): readonly ErrorCode[] {
  const parameters = Object.entries(endpoint.query)
  const missing: readonly ErrorCode[] = parameters.some(([, { required }]) => required === true)
    ? ['VALIDATION_PARAMETER_MISSING']
    : []
  const brought = parameters.flatMap(([name]) => OF_PARAMETERS[name] ?? [])
  return [...new Set([...OF_EVERY_ENDPOINT, ...missing, ...brought, ...endpoint.errors])]
}

/** What any signed request may be answered with. */
const OF_KEYS = [
  'AUTH_CREDENTIALS_INVALID',
  'AUTH_TIMESTAMP_OUT_OF_WINDOW',
  'AUTH_SCOPE_INSUFFICIENT',
  'AUTH_IP_NOT_ALLOWED',
  'AUTH_ENVIRONMENT_MISMATCH',
  'REPLAY_REQUEST_NONCE_REUSED',
] as const satisfies readonly ErrorCode[]

const OF_WRITES = [
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_CONFLICT',
  'IDEMPOTENCY_IN_PROGRESS',
  'OUTCOME_UNKNOWN',
] as const satisfies readonly ErrorCode[]

/** Every code that a private endpoint may answer with, each once. */
export function privateErrorsOf(endpoint: PrivateEndpoint): readonly ErrorCode[] {
  const of_body: readonly ErrorCode[] = endpoint.body === null ? [] : ['OUTCOME_UNKNOWN']
  const of_write: readonly ErrorCode[] = endpoint.idempotent ? OF_WRITES : []
  return [...new Set([...errorsOf(endpoint), ...OF_KEYS, ...of_write, ...of_body])]
}

/** Of what a body refers to; what the path names is missing with 404. */
const REFERENCES: readonly ErrorCode[] = [
  'ACCOUNT_NOT_FOUND',
  'MARKET_NOT_FOUND',
  'MARKET_OUTCOME_NOT_FOUND',
  'INDEX_NOT_FOUND',
]

/** The status that a code has in the answers of a private endpoint. */
export function answerStatus({ body }: PrivateEndpoint, code: ErrorCode): number {
  return body !== null && REFERENCES.includes(code) ? 422 : ERROR_CODES[code].status
}
