import type { TSchema } from 'typebox'
import type { Endpoint } from '../../../protocol/endpoints/endpoint.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../../../protocol/endpoints/endpoints.ts'
import type { Parameter } from '../../../protocol/endpoints/parameter.ts'
import type { Random } from '../../../simulator/world/random.ts'
import type { KnownRecords, Names } from './known-records.ts'

/** A request of a public endpoint: its path below /v1, and the parameters of its query. */
export type PublicRequest = {
  readonly operation_id: OperationId
  readonly path: string
  readonly query: Readonly<Record<string, string>>
}

export const OPERATIONS = Object.keys(ENDPOINTS) as OperationId[]

/** Share of the optional parameters that a request has, in millionths. */
const OPTIONAL = 250_000

/** Ranges that have records. */
const RANGES: readonly (readonly [start: string, end: string])[] = [
  ['2026-02-01T00:00:00Z', '2026-02-01T12:00:00Z'],
  ['2026-02-01T03:00:00Z', '2026-02-02T00:00:00Z'],
  ['2026-04-01T00:00:00Z', '2026-04-30T00:00:00Z'],
]

/** Makes a request about records that exist, with parameters that the endpoint accepts; `as_of` and `cursor` are left out. */
export function publicRequest(operation_id: OperationId, known: KnownRecords, random: Random): PublicRequest {
  const endpoint = endpointOf(operation_id)
  const names = namesFor(endpoint, known, random)
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(pick(names[name] ?? ['absent'], random)),
  )
  const [start_time, end_time] = RANGES[random.below(RANGES.length)]!
  const ranged: Names = { ...names, start_time: [start_time], end_time: [end_time] }
  const query: Record<string, string> = {}
  for (const [name, parameter] of Object.entries(endpoint.query)) {
    if (name === 'as_of' || name === 'cursor') continue
    if (parameter.required !== true && !random.chance(OPTIONAL)) continue
    const value = valueFor(name, parameter, ranged, random)
    if (value !== null) query[name] = value
  }
  if ('sampling' in query || 'interval' in query) Object.assign(query, complete(endpoint, start_time, end_time, query))
  return { operation_id, path, query }
}

/** Returns the path with its query, below /v1. */
export function targetOf({ path, query }: Pick<PublicRequest, 'path' | 'query'>): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}?${text}`
}

/** Names of one record of each kind; an observation is one of the record that the path is about. */
function namesFor({ path }: Endpoint, known: KnownRecords, random: Random): Names {
  const kinds = ['methodology', 'severity_index', 'index', 'event', 'market'] as const
  const found = Object.fromEntries(kinds.map((kind) => [kind, oneOf(known[kind], random)]))
  const kind = kinds.find((name) => path.startsWith(`/${name.replace('_', '-')}`)) ?? null
  const about = path.includes('methodologies/') ? found.methodology! : kind === null ? {} : found[kind]!
  const others: Names = Object.assign({}, ...Object.values(found))
  return kind === null ? others : { ...others, observation_id: ['absent'], ...about }
}

/** Picks a record, mostly one of those about which most is known. */
function oneOf(records: readonly Names[], random: Random): Names {
  const sizeOf = (names: Names) => Object.keys(names).length
  const most = Math.max(...records.map(sizeOf))
  return pick(random.chance(700_000) ? records.filter((names) => sizeOf(names) === most) : records, random)
}

/** Returns a value that the parameter's schema permits; null: none is known. */
function valueFor(name: string, { kind, schema }: Parameter, names: Names, random: Random): string | null {
  if (name === 'market_ids') return pick(names.market_id!, random)
  const known = names[name]
  if (known !== undefined) return pick(known, random)
  if (kind === 'boolean') return random.chance(500_000) ? 'true' : 'false'
  if (kind === 'integer') return String(1 + random.below(30))
  const permitted = enumOf(schema) ?? enumOf((schema as { readonly items?: TSchema }).items)
  return permitted === null ? null : pick(permitted, random)
}

function enumOf(schema: TSchema | undefined): readonly string[] | null {
  return (schema as { readonly enum?: readonly string[] } | undefined)?.enum ?? null
}

/** Parameters that sampling and interval require together. */
function complete(
  { query: accepted }: Endpoint,
  start_time: string,
  end_time: string,
  query: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (!('sampling' in accepted)) return {}
  const { interval = 'PT1H' } = query
  return { sampling: 'latest_per_interval', interval, start_time, end_time }
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[random.below(items.length)]!
}
