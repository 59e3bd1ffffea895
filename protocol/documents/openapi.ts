import { ERROR_CODES, type ErrorCode } from '../../primitives/errors.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../endpoints/endpoints.ts'
import { errorsOf } from '../endpoints/errors-of.ts'
import type { Parameter } from '../endpoints/parameter.ts'
import { collection, ErrorEnvelope, SCHEMA_VERSION, single } from '../envelope.ts'
import { RATE_CLASSES } from '../limits.ts'
import { createSchemaComponents, type Json, type JsonObject, type SchemaComponents } from './schema-components.ts'

const DESCRIPTION = `Indexes made from prediction markets, kept so that any past answer can be asked again.

Every answer is \`{data, meta}\` or \`{data, page, meta}\`, every error \`{error}\`. Decimals are strings, instants RFC 3339 in UTC.
\`as_of\` asks for what was known at an instant; such an answer never changes. Unknown or repeated parameters are refused.`

/** The OpenAPI 3.1 document of every endpoint, made from the tables that routes and checks are made from. */
export function openApiDocument(): JsonObject {
  const components = createSchemaComponents('#/components/schemas')
  const endpoints = (Object.keys(ENDPOINTS) as OperationId[]).map(endpointOf)
  const paths = Object.fromEntries(
    endpoints.map((endpoint) => [`/v1${endpoint.path}`, { get: operationOf(endpoint, components) }]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark public API',
      version: SCHEMA_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { headers: HEADERS, schemas: components.all() },
    'x-rate-limits': RATE_CLASSES,
  }
}

function operationOf(endpoint: Endpoint, components: SchemaComponents): JsonObject {
  const { operation_id, tag, summary, description, limit_class, cost } = endpoint
  return {
    operationId: operation_id,
    tags: [tag],
    summary,
    description,
    parameters: parametersOf(endpoint, components),
    responses: responsesOf(endpoint, components),
    'x-rate-limit': { limit_class, cost },
  }
}

function parametersOf({ path_parameters, query }: Endpoint, components: SchemaComponents): readonly Json[] {
  const in_path = Object.entries(path_parameters).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: components.show(schema),
  }))
  const in_query = Object.entries(query).map(([name, parameter]) => queryParameter(name, parameter, components))
  return [...in_path, ...in_query]
}

function queryParameter(name: string, parameter: Parameter, components: SchemaComponents): JsonObject {
  const { kind, schema, description, required } = parameter
  return {
    name,
    in: 'query',
    required: required === true,
    description,
    ...(kind === 'list' && { style: 'form', explode: false }),
    schema: components.show(schema),
  }
}

function responsesOf(endpoint: Endpoint, components: SchemaComponents): JsonObject {
  const envelope = endpoint.envelope === 'single' ? single(endpoint.data) : collection(endpoint.data)
  const kept =
    endpoint.cache === 'none'
      ? {}
      : { '304': { description: 'unchanged since the tag of If-None-Match', headers: headers(OF_KEPT) } }
  return {
    '200': {
      description: endpoint.summary,
      headers: headers(OF_KEPT),
      content: { 'application/json': { schema: components.show(envelope) } },
    },
    ...kept,
    ...errorResponses(errorsOf(endpoint), components),
  }
}

/** One response a status, which names the codes that have it and shows each. */
function errorResponses(codes: readonly ErrorCode[], components: SchemaComponents): JsonObject {
  const by_status = Map.groupBy(codes, (code) => ERROR_CODES[code].status)
  const statuses = [...by_status.keys()].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const own = by_status.get(status)!
      const examples = Object.fromEntries(own.map((code) => [code, { value: errorExample(code) }]))
      const waits = status === 429 || status === 503
      const response = {
        description: own.join(', '),
        headers: headers(waits ? [...OF_ALL, 'Retry-After'] : OF_ALL),
        content: { 'application/json': { schema: components.show(ErrorEnvelope), examples } },
      }
      return [String(status), response]
    }),
  )
}

function errorExample(code: ErrorCode): JsonObject {
  const { status, retryable } = ERROR_CODES[code]
  const waits = status === 429 || status === 503
  const message = `one sentence: the field, the value seen, what is allowed; /docs/errors/${code}`
  return {
    error: {
      code,
      message,
      retryable,
      request_id: '01a1fdb5-1e8c-769f-814c-c0344dff4ed2',
      ...(waits && { retry_after_ms: 1000 }),
    },
  }
}

const INTEGER = { type: 'integer', minimum: 0 } as const
const TEXT = { type: 'string' } as const

const HEADERS = {
  'SVC-Request-Id': { description: 'id of the request; also meta.request_id and error.request_id', schema: TEXT },
  'SVC-RateLimit-Limit-Class': { description: 'limit class of the endpoint', schema: TEXT },
  'SVC-RateLimit-Remaining': { description: 'whole tokens that the caller has left', schema: INTEGER },
  'SVC-RateLimit-Reset': { description: 'epoch second when the bucket is full again', schema: INTEGER },
  'SVC-RateLimit-Cost': { description: 'tokens that the request cost', schema: INTEGER },
  'SVC-Stale-Since': {
    description: 'since when the service is behind its warehouse; left out when it is not',
    schema: TEXT,
  },
  ETag: { description: 'entity tag of data, page and correction chain; meta is no part of it', schema: TEXT },
  'Cache-Control': { description: 'how long the answer may be kept', schema: TEXT },
  'Retry-After': { description: 'seconds to wait before the same request', schema: { type: 'integer', minimum: 1 } },
} as const satisfies JsonObject

type HeaderName = keyof typeof HEADERS

const OF_ALL: readonly HeaderName[] = [
  'SVC-Request-Id',
  'SVC-RateLimit-Limit-Class',
  'SVC-RateLimit-Remaining',
  'SVC-RateLimit-Reset',
  'SVC-RateLimit-Cost',
]
const OF_KEPT: readonly HeaderName[] = [...OF_ALL, 'SVC-Stale-Since', 'ETag', 'Cache-Control']

function headers(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
