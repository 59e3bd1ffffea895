import {
  type KnownRecord,
  type KnownRecords,
  levelChange,
  recordChanges,
} from '../../pipelines/index/knowledge-diff.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { KNOWLEDGE_DIFF } from '../../protocol/limits.ts'
import type { HistoryPage, Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { atInstant, missingIndex } from '../missing-resource.ts'
import { indexObservationWithInputs } from '../resources/index-observation.ts'
import { constituentsOf, indexOf, indexVersionOf, marketsOf } from '../resources/index-resources.ts'
import { marketRatingOf, notRated } from '../resources/market-rating.ts'
import type { CursorState, RouteAnswer, RouteRequest } from '../server/handler.ts'
import { readInSteps } from '../server/read-in-steps.ts'
import { RequestRefusal, violation } from '../server/request-refusal.ts'
import { afterKey } from './history-request.ts'
import { instantParameter, integerParameter, requiredText } from './parameters.ts'
import { isSimulated } from './simulated.ts'

/** Comparison of an index at two instants, and the ticks that count. */
type Compared = {
  readonly index_id: string
  readonly from: Micros
  readonly to: Micros
  /** Half-open range of ticks; null: unbounded. */
  readonly start: Micros | null
  readonly end: Micros | null
  readonly limit: number
}

/**
 * Lists what is known of an index at a later instant and was not, or otherwise, at an earlier one: its definition, versions,
 * composition in force and ratings first, then its levels in the order of their publication.
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_RANGE_INVALID, VALIDATION_AS_OF_IN_FUTURE
 */
export async function listKnowledgeChanges(request: RouteRequest): Promise<RouteAnswer> {
  const compared = comparedOf(request)
  const { reader, cursor } = request
  const { from, to, limit } = compared
  const place = placeOf(cursor)
  if (place.kind === 'levels') return levelPage(reader, compared, request)
  const [before, after] = [await referencesAt(reader, compared, from), await referencesAt(reader, compared, to)]
  if (after.index.size === 0) {
    const indexes = await reader.asOf(to, (pinned) => pinned.catalog(to).indexes())
    throw atInstant(missingIndex(compared.index_id, indexes), 'to_as_of', to)
  }
  const changes = await referenceChanges(reader, compared, before, after)
  const page = changes.slice(place.skipped, place.skipped + limit)
  if (page.length === 0) return levelPage(reader, compared, request)
  const skipped = place.skipped + page.length
  if (skipped < changes.length) return { data: page, next: { as_of: to, key: ['references', skipped] } }
  const levels = await levelPage(reader, { ...compared, limit: limit - page.length }, request)
  return { data: [...page, ...(levels.data as readonly object[])], next: levels.next ?? null }
}

function comparedOf(request: RouteRequest): Compared {
  const [from, to] = [toMicros(requiredText(request, 'from_as_of')), toMicros(requiredText(request, 'to_as_of'))]
  if (from > to) {
    const rule = `allowed: an instant not before from_as_of ${formatMicros(from)}`
    throw new RequestRefusal([violation('VALIDATION_RANGE_INVALID', 'to_as_of', formatMicros(to), rule)])
  }
  return {
    index_id: requiredText(request, 'index_id'),
    from,
    to,
    start: instantParameter(request, 'start_time'),
    end: instantParameter(request, 'end_time'),
    limit: Math.min(integerParameter(request, 'limit'), KNOWLEDGE_DIFF.page_max),
  }
}

type Place = { readonly kind: 'references'; readonly skipped: number } | { readonly kind: 'levels' }

function placeOf(cursor: CursorState | null): Place {
  if (cursor === null) return { kind: 'references', skipped: 0 }
  const [kind, skipped] = cursor.key
  return kind === 'references' ? { kind, skipped: Number(skipped) } : { kind: 'levels' }
}

/** Definition, versions and composition of an index as known at an instant, and the markets that it reads. */
type References = {
  readonly index: KnownRecords
  readonly versions: KnownRecords
  readonly constituents: KnownRecords
  readonly market_ids: ReadonlySet<string>
}

function referencesAt(reader: Reader, { index_id }: Compared, at: Micros): Promise<References> {
  return reader.asOf(at, (pinned) => {
    const catalog = pinned.catalog(at)
    const index = catalog.index(index_id)
    const version = index === null ? null : catalog.version(String(index.active_version_id))
    return {
      index: byId(index === null ? [] : [indexOf(index, isSimulated(pinned, catalog, index))], 'index_id'),
      versions: byId(catalog.versions(index_id).map(indexVersionOf), 'index_version_id'),
      constituents: byId(version === null ? [] : constituentsOf(version), 'constituent_id'),
      market_ids: version === null ? new Set() : marketsOf(version),
    }
  })
}

function byId(records: readonly object[], id: string): KnownRecords {
  return new Map((records as readonly KnownRecord[]).map((record) => [String(record[id]), record]))
}

async function referenceChanges(reader: Reader, { from, to }: Compared, before: References, after: References) {
  const market_ids = [...new Set([...before.market_ids, ...after.market_ids])].sort()
  const [rated_before, rated_after] = [
    await ratingsAt(reader, market_ids, from),
    await ratingsAt(reader, market_ids, to),
  ]
  return [
    ...recordChanges('index', before.index, after.index),
    ...recordChanges('index_version', before.versions, after.versions),
    ...recordChanges('constituent', before.constituents, after.constituents),
    ...recordChanges('rating', rated_before, rated_after),
  ]
}

function ratingsAt(reader: Reader, market_ids: readonly string[], at: Micros): Promise<KnownRecords> {
  return reader.asOf(at, async ({ assessments }) => {
    const any = { kind: null, methodology_id: null, whole: false }
    const ratings = await readInSteps(market_ids, async (market_id) => {
      const { row } = await assessments.inForce({ table: 'market_rating', key: { market_id } }, any, at)
      return row === null ? notRated(market_id) : marketRatingOf(row)
    })
    return byId(ratings, 'market_id')
  })
}

/**
 * Reads current levels that became known between the two instants. A current level published by the earlier one was current then:
 * a later revision would hide it, and an earlier one cannot return.
 */
function changedLevels(
  reader: Reader,
  { index_id, from, to }: Compared,
  after: HistoryPage['after'],
  limit: number,
): Promise<readonly Row[]> {
  return reader.asOf(to, ({ history }) =>
    history.observations(index_id, {
      time_domain: 'published',
      start: from + 1,
      end: to + 1,
      after,
      limit,
      quality_state: null,
      include_corrections: false,
      as_of: to,
    }),
  )
}

async function levelPage(reader: Reader, compared: Compared, request: RouteRequest): Promise<RouteAnswer> {
  const { to, limit, start, end } = compared
  const after = afterKey({ ...request, cursor: levelCursor(request) })
  const rows = await changedLevels(reader, compared, after, limit + 1)
  const page = rows.slice(0, limit)
  const within = page.filter(({ tick_at }) => {
    const tick = toMicros(tick_at)
    return (start === null || tick >= start) && (end === null || tick < end)
  })
  const changes = await levelChanges(reader, compared, within)
  const last = page.at(-1)
  // No level fits on a page that other records fill; its next one begins with them.
  const next =
    rows.length <= limit ? null : { as_of: to, key: last === undefined ? (['levels'] as const) : keyOf(last) }
  return { data: changes, next }
}

/** Returns the cursor of the levels themselves; null: their first page. */
function levelCursor({ cursor }: RouteRequest): CursorState | null {
  const [kind, ...key] = cursor?.key ?? []
  return kind !== 'levels' || key.length === 0 ? null : { ...cursor!, key }
}

function keyOf({ published_at, observation_id, row_ordinal }: Row): CursorState['key'] {
  const at = toMicros(published_at)
  return ['levels', at, String(observation_id), at, row_ordinal as number]
}

/** Returns the changes of some ticks: levels now with inputs, and those current at the earlier instant, each in one read. */
async function levelChanges(reader: Reader, { index_id, from, to }: Compared, rows: readonly Row[]) {
  if (rows.length === 0) return []
  const ticks = rows.map(({ tick_at }) => toMicros(tick_at))
  const now = await reader.asOf(to, ({ history }) => history.wholeObservations(index_id, rows, to))
  const then = await reader.asOf(from, ({ history }) => history.observationsAtTicks(index_id, ticks, from))
  const before = new Map(then.map((row) => [toMicros(row.tick_at), recordOf(row)]))
  return now.flatMap((row) => levelChange(before.get(toMicros(row.tick_at)) ?? null, recordOf(row)) ?? [])
}

function recordOf(row: Row): KnownRecord {
  return indexObservationWithInputs(row) as KnownRecord
}
