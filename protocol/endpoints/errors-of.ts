import type { ErrorCode } from '../../primitives/errors.ts'
import type { Endpoint } from './endpoint.ts'

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
