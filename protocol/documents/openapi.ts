import type { Endpoint } from '../endpoints/endpoint.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../endpoints/endpoints.ts'
import { errorsOf } from '../endpoints/errors-of.ts'
import { OPEN_WRITES } from '../endpoints/notice-endpoints.ts'
import { pageLimitOf } from '../endpoints/page-limit.ts'
import type { Parameter } from '../endpoints/parameter.ts'
import type { PrivateEndpoint } from '../endpoints/private-endpoint.ts'
import { PRIVATE_ENDPOINTS } from '../endpoints/trading-endpoints.ts'
import { collection, SCHEMA_VERSION, single } from '../envelope.ts'
import { RATE_CLASSES } from '../limits.ts'
import { HEADERS, headers, OF_KEPT } from './openapi-headers.ts'
import { logPaths } from './openapi-log.ts'
import { privateOperation, SECURITY_SCHEMES } from './openapi-private.ts'
import { createRefusals, errorExample, type Refusals } from './openapi-refusals.ts'
import { PRIVATE_TABLES_TEXT, TABLES, TABLES_TEXT } from './openapi-tables.ts'
import { createSchemaComponents, type Json, type JsonObject, type SchemaComponents } from './schema-components.ts'

const DESCRIPTION = `Indexes made from prediction markets, kept so that any past answer can be asked again.

Every response is \`{data, meta}\` or \`{data, page, meta}\`, every error \`{error}\`. Decimals are strings, instants RFC 3339 in UTC.
\`as_of\` returns what was known at an instant; such a response never changes. Unknown or repeated parameters are rejected.

Histories are also answered as \`text/csv\` and \`application/vnd.apache.parquet\` (Accept): every record of the filter as of one instant, or the
page that \`limit\` asks for, whose cursor is the header SVC-Next-Cursor. Large responses are compressed if Accept-Encoding has br or gzip.

\`x-page-limit\` of a list: \`max\` is the greatest \`limit\`; \`with\` has the smaller ones with a parameter, such as \`expand\`.

Private endpoints require a signed request: the key signs nine labeled lines (docs/signing.md). A public endpoint
verifies the key of a request that has one. Orders carry a signature of their own, as typed data.`

/** Builds the OpenAPI 3.1 document of every endpoint, from the tables that routes and checks derive from. */
export function openApiDocument(): JsonObject {
  const components = createSchemaComponents('#/components/schemas')
  const refusals = createRefusals(components)
  const endpoints = (Object.keys(ENDPOINTS) as OperationId[]).map(endpointOf)
  const of_accounts = Object.values<PrivateEndpoint>(PRIVATE_ENDPOINTS)
  const paths: Record<string, Record<string, Json>> = {}
  for (const endpoint of endpoints) paths[`/v1${endpoint.path}`] = { get: operationOf(endpoint, components, refusals) }
  for (const endpoint of of_accounts) {
    const operation = {
      ...operationOf(endpoint, components, refusals, PRIVATE_TABLES_TEXT),
      ...privateOperation(endpoint, components, refusals),
    }
    const path = `/v1${endpoint.path}`
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation }
  }
  for (const endpoint of Object.values(OPEN_WRITES)) {
    const operation = openWriteOperation(operationOf(endpoint, components, refusals), endpoint, components)
    paths[`/v1${endpoint.path}`] = { ...paths[`/v1${endpoint.path}`], post: operation }
  }
  Object.assign(paths, logPaths(refusals))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark public API',
      version: SCHEMA_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set([...endpoints, ...of_accounts].map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      headers: HEADERS,
      responses: refusals.all(),
      examples: Object.fromEntries(refusals.codes().map((code) => [code, { value: errorExample(code) }])),
      schemas: components.all(),
      securitySchemes: SECURITY_SCHEMES,
    },
    'x-rate-limits': RATE_CLASSES,
  }
}

function operationOf(
  endpoint: Endpoint,
  components: SchemaComponents,
  refusals: Refusals,
  tables_text = TABLES_TEXT,
): JsonObject {
  const { operation_id, tag, summary, description, limit_class, cost } = endpoint
  const page_limit = pageLimitOf(endpoint)
  return {
    operationId: operation_id,
    tags: [tag],
    summary,
    description: endpoint.is_history === true ? `${description} ${tables_text}` : description,
    parameters: parametersOf(endpoint, components),
    responses: responsesOf(endpoint, components, refusals),
    'x-rate-limit': { limit_class, cost },
    ...(page_limit !== null && { 'x-page-limit': page_limit }),
  }
}

/** Builds the operation of a write that needs no key: its body, and 202 in place of 200. */
function openWriteOperation(
  { responses, ...operation }: JsonObject,
  { body, success }: (typeof OPEN_WRITES)[keyof typeof OPEN_WRITES],
  components: SchemaComponents,
): JsonObject {
  const { '200': accepted, ...refused } = responses as JsonObject
  return {
    ...operation,
    requestBody: { required: true, content: { 'application/json': { schema: components.show(body) } } },
    responses: { [success]: accepted!, ...refused },
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
      : { '304': { description: 'unchanged since the entity tag in If-None-Match', headers: headers(OF_KEPT) } }
  return {
    '200': {
      description: endpoint.summary,
      headers: headers(OF_KEPT),
      content: {
        'application/json': { schema: components.show(envelope) },
        ...(endpoint.is_history === true && TABLES),
      },
    },
    ...kept,
    ...refusals.show(errorsOf(endpoint)),
  }
}
