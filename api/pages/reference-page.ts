import type { TSchema } from 'typebox'
import { escapeHtml } from '../../primitives/escape-html.ts'
import type { Endpoint } from '../../protocol/endpoints/endpoint.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../../protocol/endpoints/endpoints.ts'
import { errorsOf, privateErrorsOf } from '../../protocol/endpoints/errors-of.ts'
import { OPEN_WRITES } from '../../protocol/endpoints/notice-endpoints.ts'
import type { PrivateEndpoint } from '../../protocol/endpoints/private-endpoint.ts'
import { PRIVATE_ENDPOINTS } from '../../protocol/endpoints/trading-endpoints.ts'
import { RATE_CLASSES } from '../../protocol/limits.ts'
import { describeAllowed } from '../server/describe-allowed.ts'
import { block, code, page, table } from './html.ts'

const LEAD = `<p>Every answer is <code>{data, meta}</code> or <code>{data, page, meta}</code>. Decimals are strings, instants RFC 3339 in UTC,
ranges half-open. <code>as_of</code> asks for what was known at an instant: such an answer never changes. Unknown, repeated and malformed
parameters are <a href="/docs/errors">rejected</a>, never ignored. In a query <code>+</code> is a space and <code>%2B</code> a plus.</p>`

/** Renders /docs: every endpoint with its parameters, fields, cost and errors. */
export function referencePage(base_url: string): string {
  const of_public = (Object.keys(ENDPOINTS) as OperationId[]).map(endpointOf)
  const endpoints: readonly Shown[] = [
    ...of_public,
    ...Object.values(OPEN_WRITES),
    ...Object.values<PrivateEndpoint>(PRIVATE_ENDPOINTS),
  ]
  const tags = [...new Set(endpoints.map(({ tag }) => tag))]
  const sections = tags.map((tag) => {
    const own = endpoints.filter((endpoint) => endpoint.tag === tag)
    return `<h2>${escapeHtml(tag)}</h2>${own.map((endpoint) => section(endpoint, base_url)).join('')}`
  })
  return page('Endpoints', `${LEAD}${limits()}${overview(endpoints)}${sections.join('')}`)
}

/** A public endpoint, or a private one with method, scope and body. */
type Shown = Endpoint & Partial<Pick<PrivateEndpoint, 'method' | 'scope' | 'body' | 'idempotent' | 'cost_each'>>

function limits(): string {
  const { anonymous } = RATE_CLASSES.market_data
  return `<p>A caller without a key may spend ${anonymous.rate} tokens a second, ${anonymous.burst} at once; what is left stands in
<code>SVC-RateLimit-Remaining</code>. Endpoints with a scope ask for a signed request: the headers <code>SVC-Access-Key</code>,
<code>-Timestamp</code>, <code>-Nonce</code>, <code>-Signature</code> and <code>-Signature-Version</code>; writes also for <code>Idempotency-Key</code>. The limits in force: <a href="/v1/capabilities">/v1/capabilities</a>.</p>`
}

function overview(endpoints: readonly Shown[]): string {
  const rows = endpoints.map((endpoint) => [
    `<a href="#${endpoint.operation_id}">${code(routeOf(endpoint))}</a>`,
    escapeHtml(endpoint.summary),
    endpoint.scope === undefined ? 'public' : code(endpoint.scope),
    costOf(endpoint),
  ])
  return table(['endpoint', 'what', 'scope', 'cost'], rows)
}

function routeOf({ method = 'GET', path }: Shown): string {
  return `${method} /v1${path}`
}

function costOf({ cost, cost_each, limit_class }: Shown): string {
  return `${cost} ${limit_class}${cost_each == null ? '' : ` for each of ${cost_each}`}`
}

function section(endpoint: Shown, base_url: string): string {
  const { operation_id, summary, description, scope, body, idempotent } = endpoint
  const asks = scope === undefined ? '' : ` · scope ${code(scope)}${idempotent === true ? ' · Idempotency-Key' : ''}`
  const codes = scope !== undefined ? privateErrorsOf(endpoint as PrivateEndpoint) : errorsOf(endpoint)
  const fields = body == null ? '' : `<details><summary>Fields of the body</summary>${fieldTable(body)}</details>`
  return `<section aria-labelledby="${operation_id}"><h3 id="${operation_id}">${escapeHtml(summary)}</h3>
<p>${code(routeOf(endpoint))} · cost ${costOf(endpoint)}${asks}</p><p>${escapeHtml(description)}</p>
${parameterTable(endpoint)}
${fields}
<details><summary>Fields of ${endpoint.envelope === 'single' ? 'data' : 'each item of data'}</summary>${fieldTable(endpoint.data)}</details>
<details><summary>Errors</summary><p>${codes.map(errorLink).join(' ')}</p></details>
${scope === undefined ? block(sampleOf(endpoint, base_url)) : ''}</section>`
}

function parameterTable({ path_parameters, query }: Endpoint): string {
  const in_path = Object.entries(path_parameters).map(([name, schema]) => [
    code(name),
    'path',
    escapeHtml(describeAllowed(schema)),
  ])
  const in_query = Object.entries(query).map(([name, { schema, description, required }]) => [
    code(name),
    required === true ? 'required' : 'optional',
    `${escapeHtml(description)}; ${escapeHtml(describeAllowed(schema))}${defaultOf(schema)}`,
  ])
  return table(['parameter', '', 'meaning'], [...in_path, ...in_query])
}

function defaultOf(schema: TSchema): string {
  const { default: value } = schema as { readonly default?: unknown }
  return value === undefined ? '' : `; ${escapeHtml(String(value))} where left out`
}

type Shape = { readonly properties?: Readonly<Record<string, TSchema>>; readonly required?: readonly string[] }

function fieldTable(schema: TSchema): string {
  const { properties = {}, required = [] } = schema as Shape
  const rows = Object.entries(properties).map(([name, field]) => [
    code(name),
    escapeHtml(typeOf(field)),
    required.includes(name) ? '' : 'may be left out',
  ])
  return table(['field', 'type', ''], rows)
}

type Typed = {
  readonly title?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
}

function typeOf(schema: TSchema): string {
  const { title, type, description, enum: values, anyOf, items } = schema as Typed
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  if (values !== undefined) return values.join(', ')
  if (items !== undefined) return `list of ${typeOf(items)}`
  const name = title ?? type ?? 'any JSON'
  return description === undefined ? name : `${name}: ${description}`
}

function errorLink(name: string): string {
  return `<a href="/docs/errors/${name}">${code(name)}</a>`
}

/** Returns a request that passes the endpoint's checks, with ids from the schemas' examples. */
export function sampleOf({ path, path_parameters, query }: Endpoint, base_url: string): string {
  const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => exampleOf(name, path_parameters[name]!))
  const given = Object.entries(query).filter(([, { required }]) => required === true)
  const pairs = given.map(([name, { schema }]) => `${name}=${exampleOf(name, schema)}`)
  return `curl '${base_url}/v1${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}'`
}

const BY_NAME: Readonly<Record<string, string>> = {
  start_time: '2026-01-01T00:00:00Z',
  end_time: '2026-01-02T00:00:00Z',
  interval: 'PT1H',
  version: '1.0.0',
}

function exampleOf(name: string, schema: TSchema): string {
  const {
    examples,
    enum: values,
    items,
  } = schema as {
    readonly examples?: readonly string[]
    readonly enum?: readonly string[]
    readonly items?: TSchema
  }
  if (items !== undefined) return exampleOf(name, items)
  return BY_NAME[name] ?? values?.[0] ?? examples?.[0] ?? name
}
