import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import type { Endpoint } from './endpoint.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'

/** Errors of every request that carries a key; a public endpoint verifies it, too, so that its owner notices a fault. */
const OF_KEYS = [
  'AUTH_CREDENTIALS_INVALID',
  'AUTH_TIMESTAMP_OUT_OF_WINDOW',
  'AUTH_IP_NOT_ALLOWED',
  'AUTH_ENVIRONMENT_MISMATCH',
  'REPLAY_REQUEST_NONCE_REUSED',
] as const satisfies readonly ErrorCode[]

/** Errors of every endpoint: malformed requests, keys, rate limits, and the state of the service. */
const OF_EVERY_ENDPOINT = [
  'VALIDATION_PARAMETER_UNKNOWN',
  'VALIDATION_PARAMETER_REPEATED',
  'VALIDATION_PARAMETER_INVALID',
  'VALIDATION_REQUEST_MALFORMED',
  'VALIDATION_BODY_INVALID',
  'VALIDATION_BODY_TOO_LARGE',
  'VALIDATION_MEDIA_TYPE_UNSUPPORTED',
  'VALIDATION_ACCEPT_UNSUPPORTED',
  ...OF_KEYS,
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'WAREHOUSE_CORRUPT',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]

/** Errors of reads of history, by time and by memory. */
const OF_HISTORY = ['QUERY_TIMEOUT', 'VALIDATION_QUERY_LIMIT'] as const satisfies readonly ErrorCode[]

/** Errors that a parameter adds to every endpoint that takes it. */
const OF_PARAMETERS: Readonly<Record<string, readonly ErrorCode[]>> = {
  as_of: ['VALIDATION_AS_OF_IN_FUTURE', 'VALIDATION_AS_OF_UNAVAILABLE', ...OF_HISTORY],
  cursor: ['VALIDATION_CURSOR_INVALID'],
  receipt: ['VALIDATION_PARAMETER_MISSING', 'PROOF_PENDING', 'LOG_CORRUPT'],
  end_time: ['VALIDATION_RANGE_INVALID', 'VALIDATION_QUERY_LIMIT'],
  sampling: ['VALIDATION_PARAMETER_MISSING'],
}

/** Returns every error code of an endpoint, each once. */
export function errorsOf(endpoint: Endpoint): readonly ErrorCode[] {
  const parameters = Object.entries(endpoint.query)
  const missing: readonly ErrorCode[] = parameters.some(([, { required }]) => required === true)
    ? ['VALIDATION_PARAMETER_MISSING']
    : []
  const brought = parameters.flatMap(([name]) => OF_PARAMETERS[name] ?? [])
  return [...new Set([...OF_EVERY_ENDPOINT, ...missing, ...brought, ...endpoint.errors])]
}

const OF_WRITES = [
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_CONFLICT',
  'IDEMPOTENCY_IN_PROGRESS',
  'OUTCOME_UNKNOWN',
] as const satisfies readonly ErrorCode[]

/** Returns every error code of a private endpoint, each once. */
export function privateErrorsOf(endpoint: PrivateEndpoint): readonly ErrorCode[] {
  const of_body: readonly ErrorCode[] = endpoint.body === null ? [] : ['OUTCOME_UNKNOWN']
  const of_write: readonly ErrorCode[] = endpoint.idempotent ? OF_WRITES : []
  return [...new Set([...errorsOf(endpoint), 'AUTH_SCOPE_INSUFFICIENT' as const, ...of_write, ...of_body])]
}

/** Status of a missing resource that the body of a write names; its path exists. One that path or query name is 404. */
export const BODY_REFERENCE_STATUS = 422

/** Missing resources that a path or query, or the body of a write may name, by field. Only bodies name an account. */
const REFERENCES: Partial<Readonly<Record<ErrorCode, string>>> = {
  MARKET_NOT_FOUND: 'market_id',
  MARKET_OUTCOME_NOT_FOUND: 'outcome_id',
  INDEX_NOT_FOUND: 'index_id',
}

/** Returns the HTTP status of a code in the responses of a private endpoint. */
export function answerStatus({ body, path_parameters }: PrivateEndpoint, code: ErrorCode): number {
  const field = REFERENCES[code]
  const is_of_body = body !== null && field !== undefined && !(field in path_parameters)
  return is_of_body ? BODY_REFERENCE_STATUS : ERROR_CODES[code].status
}

/** Returns every HTTP status that a code is answered with; docs/errors.md and its pages state them. */
export function statusesOf(code: ErrorCode): readonly number[] {
  const { status } = ERROR_CODES[code]
  return REFERENCES[code] === undefined ? [status] : [status, BODY_REFERENCE_STATUS]
}
