import { vi } from 'vitest'
import { createPublicApi } from '../../../client/http/public-api.ts'
import { createHttpVerifier } from '../../../client/verify/verify-over-http.ts'
import { isObject } from '../../../primitives/canonical-json.ts'
import { type Alterations, alteredFetch } from '../../client/everything/altered-fetch.ts'
import { sized } from '../../support/sized.ts'

type Path = readonly (string | number)[]
export type Place = { readonly index_id: string; readonly observation_id: string }
/** One value of an answer, and a level that rests on the answer. */
type Value = { readonly asked: string; readonly path: Path; readonly is_missing: boolean; readonly place: Place }

/** Fields of no record behind a level: nothing in it is compared with them. */
const MARKET_TEXTS = [
  ...['category', 'created_at', 'eligibility', 'event_id', 'metrics', 'outcome_type', 'rules', 'simulated', 'slug'],
  ...['outcomes.complementary_outcome_id', 'outcomes.label', 'outcomes.payout_value', 'outcomes.status', 'status'],
  ...['schedule.closes_at', 'schedule.opens_at', 'title', 'trading_parameters', 'updated_at'],
  ...['venue_mapping.mapping_version', 'venue_mapping.source_market_id', 'venue_mapping.source_outcome_ids'],
  ...['venue_mapping.valid_from', 'venue_mapping.valid_to', 'venue_mapping.venue_id'],
]
const DERIVED = ['calculated_at', 'derivation_rule', 'derived', 'methodology_id', 'methodology_version', 'tick_at']
const OF_QUOTE = [
  ...[...DERIVED, 'correction_reason', 'quality_state', 'revision', 'schema_version', 'source_market_id'],
  ...['source_observation_ids', 'supersedes_id'],
]
const OF_RESOLUTION = [
  ...['confirmed_at', 'correction_reason', 'dispute_window_ends_at', 'evidence', 'final_at', 'resolved_at'],
  ...['resolver.kind', 'resolver.resolver_id', 'revision', 'supersedes_id', 'winning_outcome_ids'],
]

/** Fields that the verifier takes as published, by the kind of the answer; docs/python.md has those of records behind a level in words. */
export const TAKEN_AS_PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  indexes: [
    ...['active_version_id', 'base_date', 'base_value', 'created_at', 'description', 'family', 'name', 'simulated'],
    ...['slug', 'status', 'symbol', 'tags', 'unit', 'updated_at'],
  ],
  'indexes/prices': ['inputs.legs.window_observation_ids'],
  'indexes/versions': [
    ...['announced_at', 'effective_at', 'governance', 'level_at_link', 'link_at', 'proposal_id', 'status'],
    // No roll of these levels is near its end.
    'definition.roll.stop_days',
  ],
  'indexes/versions/constituents': ['rating_assessment_id_at_selection'],
  markets: MARKET_TEXTS,
  'markets/prices/one': [...OF_QUOTE, 'quote.reported_probability'],
  'markets/resolution': OF_RESOLUTION,
  'markets/trades': [
    ...['aggressor_side', 'correction', 'correction.supersedes_trade_id', 'derivation_rule', 'derived', 'match_kind'],
    ...['segments', 'source_sequence', 'source_trade_ids', 'venue_id'],
  ],
  methodologies: ['document_uri', 'name', 'published_at', 'status', 'supersedes_version', 'text_uri'],
}

/** Lists that only show which records there are: each that counts is read alone. */
const INDICES = ['markets/prices', 'markets/resolution/history']

/** Changes one value at a time in the answers from which levels are recomputed. @returns fields whose changes are not noticed, by kind */
export async function unnoticedFields(base_url: string, places: readonly Place[]): Promise<Record<string, string[]>> {
  const fields = new Map<string, Value[]>()
  for (const place of places) {
    const found = await verifyAltered(base_url, place, (asked, body) => {
      if (INDICES.includes(kindOf(asked))) return
      for (const { path, value } of leaves(body.data)) {
        const field = `${kindOf(asked)} ${path.filter((key) => typeof key === 'string').join('.')}`
        const is_missing = value === null || Array.isArray(value)
        fields.set(field, [...(fields.get(field) ?? []), { asked, path, is_missing, place }])
      }
    })
    if (found) throw new Error(`${place.observation_id} differs before anything was changed`)
  }
  const unnoticed = new Map<string, string[]>()
  for (const [field, values] of fields) {
    const [kind, name] = field.split(' ') as [string, string]
    const some = [...someOf(values)]
    const tried = TAKEN_AS_PUBLISHED[kind]?.includes(name) ? some.slice(0, OF_TAKEN) : some
    if (!(await anyNoticed(base_url, tried))) unnoticed.set(kind, [...(unnoticed.get(kind) ?? []), name])
  }
  return Object.fromEntries([...unnoticed].map(([kind, names]) => [kind, names.sort()]))
}

/** Values of a field that are tried beside one of each level. */
const SPREAD = 3
/** Values that are tried of a field which is taken as published: none of them is noticed, so each costs a whole verification. */
const OF_TAKEN = sized(1, Number.POSITIVE_INFINITY)

/** Returns one value of each level and some others; those that are not missing first: a missing value shows less. */
function someOf(values: readonly Value[]): ReadonlySet<Value> {
  const sorted = values.toSorted((a, b) => Number(a.is_missing) - Number(b.is_missing))
  const step = Math.ceil(sorted.length / SPREAD)
  const of_levels = new Map(sorted.toReversed().map((value) => [value.place, value]))
  return new Set([...sorted.filter((_, n) => n % step === 0), ...of_levels.values()])
}

async function anyNoticed(base_url: string, values: readonly Value[]): Promise<boolean> {
  for (const { asked, path, place } of values)
    if (await verifyAltered(base_url, place, (other, body) => other === asked && change(body, ['data', ...path])))
      return true
  return false
}

/** Verifies a level while answers are altered. @returns whether anything is wrong */
async function verifyAltered(base_url: string, place: Place, api: NonNullable<Alterations['api']>) {
  vi.stubGlobal('fetch', alteredFetch({ api }))
  try {
    return (await createHttpVerifier(createPublicApi(base_url))(place)) !== null
  } catch {
    return true
  } finally {
    vi.unstubAllGlobals()
  }
}

function* leaves(value: unknown, path: Path = []): Generator<{ readonly path: Path; readonly value: unknown }> {
  const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
  for (const [key, item] of inner) yield* leaves(item, [...path, key])
  if (inner.length === 0 && !isObject(value)) yield { path, value }
}

type Inner = Record<string | number, unknown>

function change(body: unknown, path: Path): void {
  const inner = path.slice(0, -1).reduce((part, key) => part[key] as Inner, body as Inner)
  const last = path.at(-1)!
  inner[last] = other(inner[last])
}

/** Returns another value of the same kind; of instants a later one, of decimals one with another first fraction digit. */
function other(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return ['OTHER']
  if (typeof value !== 'string') return '1'
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return `2031${value.slice(4)}`
  if (/^\d+\.\d/.test(value)) return value.replace(/\.(\d)/, (_, digit: string) => `.${9 - Number(digit)}`)
  return `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}`
}

/** Returns what the records of an answer are: the words of its path, without ids. */
function kindOf(asked: string): string {
  const [, first, ...words] = asked.split('/')
  if (first === 'methodologies') return first
  return [first, ...words.filter((word) => !/^(?!obs_)[a-z]+_/.test(word))]
    .join(' ')
    .replace(/ obs_.*/, ' one')
    .replaceAll(' ', '/')
}
