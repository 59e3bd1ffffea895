import type { ErrorCode } from '../../primitives/error-codes.ts'
import { answerStatus, privateErrorsOf } from '../endpoints/errors-of.ts'
import type { PrivateEndpoint } from '../endpoints/private-endpoint.ts'
import { collection, ErrorEnvelope, refusedWith, single } from '../envelope.ts'
import { type HeaderName, headers, OF_ALL } from './openapi-headers.ts'
import type { Refusals } from './openapi-refusals.ts'
import { TABLES } from './openapi-tables.ts'
import type { Json, JsonObject, SchemaComponents } from './schema-components.ts'

const header = (name: string, description: string): JsonObject => ({ type: 'apiKey', in: 'header', name, description })

/** The five headers of a signed request; all of them are needed. */
export const SECURITY_SCHEMES = {
  access_key: header('SVC-Access-Key', 'key_id'),
  access_timestamp: header('SVC-Access-Timestamp', 'Unix epoch milliseconds; 30 s behind to 5 s ahead of the service'),
  access_nonce: header('SVC-Access-Nonce', '8 to 64 of [A-Za-z0-9_-], new for every request'),
  access_signature: header(
    'SVC-Access-Signature',
    'HMAC-SHA256 or Ed25519 over the nine canonical lines, lower-case hex',
  ),
  access_signature_version: header('SVC-Access-Signature-Version', 'v1'),
} as const satisfies JsonObject

const SECURITY: Json = [Object.fromEntries(Object.keys(SECURITY_SCHEMES).map((name) => [name, []]))]

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: '1 to 64 printable characters: new for every intent, repeated for its retries',
  schema: { type: 'string', pattern: '^[!-~]([ -~]{0,62}[!-~])?$' },
}

/** Builds the operation of a private endpoint: signature, body and responses of its own. */
export function privateOperation(
  endpoint: PrivateEndpoint,
  components: SchemaComponents,
  refusals: Refusals,
): JsonObject {
  const { scope, body, idempotent, limit_class, cost, cost_each } = endpoint
  return {
    security: SECURITY,
    ...(idempotent && { parameters: [...pathParameters(endpoint, components), IDEMPOTENCY_KEY] }),
    ...(body !== null && {
      requestBody: { required: true, content: { 'application/json': { schema: components.show(body) } } },
    }),
    responses: responsesOf(endpoint, components, refusals),
    'x-scope': scope,
    'x-rate-limit': { limit_class, cost, ...(cost_each !== null && { cost_each }) },
  }
}

function pathParameters({ path_parameters }: PrivateEndpoint, components: SchemaComponents): readonly Json[] {
  return Object.entries(path_parameters).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: components.show(schema),
  }))
}

function responsesOf(endpoint: PrivateEndpoint, components: SchemaComponents, refusals: Refusals): JsonObject {
  const { summary, success, cache, idempotent, data } = endpoint
  const own: HeaderName[] = ['Cache-Control']
  if (cache === 'record') own.push('ETag')
  if (idempotent) own.push('SVC-Idempotent-Replay')
  if (success === 201) own.push('Location')
  const envelope = endpoint.envelope === 'single' ? single(data) : collection(data)
  const codes = privateErrorsOf(endpoint)
  const statusOf = (code: ErrorCode): number => answerStatus(endpoint, code)
  return {
    [success]: {
      description: summary,
      headers: headers([...OF_ALL, ...own]),
      content: {
        'application/json': { schema: components.show(envelope) },
        ...(endpoint.is_history === true && TABLES),
      },
    },
    ...(cache === 'record' && {
      '304': { description: 'unchanged since the entity tag in If-None-Match', headers: headers([...OF_ALL, ...own]) },
    }),
    ...refusals.show(
      codes.filter((code) => !carriesData(endpoint, statusOf(code))),
      statusOf,
    ),
    ...Object.fromEntries((endpoint.refused_with_data?.statuses ?? []).map((status) => [status, withData(status)])),
  }
  function withData(status: number): Json {
    const named = codes.filter((code) => statusOf(code) === status)
    const examples = Object.fromEntries(named.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
    const schema = {
      anyOf: [components.show(refusedWith(endpoint.refused_with_data!.data)), components.show(ErrorEnvelope)],
    }
    return {
      description: `${named.join(', ')}; with data if there is a record to return`,
      headers: headers([...OF_ALL, ...own]),
      content: { 'application/json': { schema, examples } },
    }
  }
}

function carriesData({ refused_with_data }: PrivateEndpoint, status: number): boolean {
  return refused_with_data?.statuses.some((one) => one === status) === true
}
