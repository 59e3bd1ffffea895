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
  const refusals = createRefusals(components)
  const endpoints = (Object.keys(ENDPOINTS) as OperationId[]).map(endpointOf)
  const paths = Object.fromEntries(
    endpoints.map((endpoint) => [`/v1${endpoint.path}`, { get: operationOf(endpoint, components, refusals) }]),
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
    components: {
      headers: HEADERS,
      responses: refusals.all(),
      examples: Object.fromEntries(refusals.codes().map((code) => [code, { value: errorExample(code) }])),
      schemas: components.all(),
    },
    'x-rate-limits': RATE_CLASSES,
  }
}

function operationOf(endpoint: Endpoint, components: SchemaComponents, refusals: Refusals): JsonObject {
  const { operation_id, tag, summary, description, limit_class, cost } = endpoint
  return {
    operationId: operation_id,
    tags: [tag],
    summary,
    description,
    parameters: parametersOf(endpoint, components),
    responses: responsesOf(endpoint, components, refusals),
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

function responsesOf(endpoint: Endpoint, components: SchemaComponents, refusals: Refusals): JsonObject {
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
    ...refusals.show(errorsOf(endpoint)),
  }
}

/** Collects the error responses: one of a status and its codes, each once. */
type Refusals = {
  /** By status, references to the responses that name these codes. */
  readonly show: (codes: readonly ErrorCode[]) => JsonObject
  readonly all: () => JsonObject
  readonly codes: () => readonly ErrorCode[]
}

function createRefusals(components: SchemaComponents): Refusals {
  const named = new Map<string, { name: string; status: number; codes: readonly ErrorCode[] }>()
  const nameOf = (status: number, codes: readonly ErrorCode[]): string => {
    const others = [...named.values()].filter((one) => one.status === status).length
    const refusal = named.get(codes.join()) ?? { name: `Error${status}_${others + 1}`, status, codes }
    named.set(codes.join(), refusal)
    return refusal.name
  }
  return {
    show: (codes) => {
      const statuses = [...new Set(codes.map((code) => ERROR_CODES[code].status))].sort((a, b) => a - b)
      const refer = (status: number): Json => {
        const own = codes.filter((code) => ERROR_CODES[code].status === status)
        return { $ref: `#/components/responses/${nameOf(status, own)}` }
      }
      return Object.fromEntries(statuses.map((status) => [String(status), refer(status)]))
    },
    all: () =>
      Object.fromEntries(
        [...named.values()].map(({ name, status, codes }) => [name, errorResponse(status, codes, components)]),
      ),
    codes: () => [...new Set([...named.values()].flatMap(({ codes }) => codes))].sort(),
  }
}

function errorResponse(status: number, codes: readonly ErrorCode[], components: SchemaComponents): JsonObject {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    description: codes.join(', '),
    headers: headers(status === 429 || status === 503 ? [...OF_ALL, 'Retry-After'] : OF_ALL),
    content: { 'application/json': { schema: components.show(ErrorEnvelope), examples } },
  }
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
