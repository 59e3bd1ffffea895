import { levelAgeMax } from '../../pipelines/index/level-label.ts'
import { isStale } from '../../pipelines/market/freshness.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { indexObservationOf, indexObservationWithInputs } from '../resources/index-observation.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { loggedAs, recordOf } from '../transparency/record-form.ts'
import { INDEX_OBSERVATION } from '../transparency/record-forms.ts'
import { childOf } from './child-of.ts'
import { expandLevels } from './expand-levels.ts'
import {
  candleAnswer,
  candleInstants,
  type DomainColumns,
  historyPage,
  isSampled,
  oneMore,
  pageAnswer,
  pinnedAt,
  sampledRange,
} from './history-request.ts'
import { listParameter, requiredText, requireIndex } from './parameters.ts'
import { prebuilt } from './prebuilt.ts'

const TABLE = ['index_observation'] as const
const COLUMNS: DomainColumns = {
  published: 'published_at',
  source: 'source_cutoff_at',
  calculated: 'calculated_at',
}

const fresh_bytes = prebuilt((row) => indexObservationOf(row))
const stale_bytes = prebuilt((row) => indexObservationOf(row, true))

/** Returns the bytes of a level's resource, shared with the stream. @param is_stale whether the level is older than its bound */
export function observationBytes(row: Row, is_stale: boolean): Buffer {
  return is_stale ? stale_bytes(row) : fresh_bytes(row)
}

export const INDEX_PRICE_ROUTES = {
  get_index_price: (request) => {
    const index_id = String(requireIndex(request).index_id)
    const { as_of, now, reader } = request
    if (as_of === null) {
      const row = reader.latest.observation(index_id)?.row ?? null
      return priceAnswer(request, index_id, row, now)
    }
    return reader.history.latestObservation(index_id, as_of).then((row) => priceAnswer(request, index_id, row, as_of))
  },
  list_index_prices: async (request) => {
    const index_id = String(requireIndex(request).index_id)
    const page = historyPage(request, TABLE)
    const { history } = request.reader
    const rows = isSampled(request)
      ? await history.sampledObservations(index_id, sampledRange(request), oneMore(page))
      : await history.observations(index_id, oneMore(page))
    const answer = pageAnswer(rows, page, {
      column: COLUMNS[page.time_domain],
      id: 'observation_id',
      show: (row) => indexObservationOf(row),
    })
    const shown = { index_id, rows: rows.slice(0, page.limit), as_of: page.as_of }
    const records = async () => {
      const whole = await history.wholeObservations(index_id, shown.rows, page.as_of)
      return whole.map((row) => recordOf(INDEX_OBSERVATION, row))
    }
    const is_expanded = listParameter(request, 'expand').length > 0
    const data = is_expanded ? await expandLevels(request, shown) : answer.data
    return { ...answer, data, logged: { kinds: [INDEX_OBSERVATION.kind], records } }
  },
  get_index_observation: getIndexObservation,
  list_index_candles: async (request) => {
    const index_id = String(requireIndex(request).index_id)
    const instants = await candleInstants(request, TABLE)
    const candles = await request.reader.history.indexCandles(index_id, sampledRange(request), instants)
    return candleAnswer(request, candles, instants)
  },
} as const satisfies Partial<RouteHandlers>

function priceAnswer(request: RouteRequest, index_id: string, row: Row | null, at: Micros): RouteAnswer {
  if (row === null) throw missing('index_level', index_id)
  const { max_age_ms, current_until } = freshnessOf(request.reader.catalog(request.as_of), row)
  return {
    data: observationBytes(row, isPast(current_until, at)),
    max_age_ms,
    current_until,
    ...loggedAs(INDEX_OBSERVATION, row),
  }
}

/** Returns whether a level is older at an instant than its bound, and the bound. */
export function currentLevel(catalog: Catalog, row: Row, at: Micros) {
  const { max_age_ms, current_until } = freshnessOf(catalog, row)
  return { is_stale: isPast(current_until, at), max_age_ms }
}

/** Returns whether a level is older at an instant than its bound. */
export function isLevelStale(catalog: Catalog, row: Row, at: Micros): boolean {
  return currentLevel(catalog, row, at).is_stale
}

function isPast(current_until: Micros | null, at: Micros): boolean {
  return current_until !== null && isStale(current_until, at, 0)
}

async function getIndexObservation(request: RouteRequest): Promise<RouteAnswer> {
  const index_id = String(requireIndex(request).index_id)
  const observation_id = requiredText(request, 'observation_id')
  const found = await request.reader.history.observation(observation_id, pinnedAt(request, TABLE))
  const row = childOf(found?.row ?? null, { index_id }, 'index_observation', observation_id)
  const with_inputs = listParameter(request, 'expand').includes('inputs')
  return {
    data: with_inputs ? indexObservationWithInputs(row) : indexObservationOf(row),
    correction_chain: found!.chain,
    ...loggedAs(INDEX_OBSERVATION, row),
  }
}

type Freshness = { readonly max_age_ms: number; readonly current_until: Micros | null }

/** Freshness bound of each level with the catalogue it was computed from; levels are read more often than either changes. */
const known_freshness = new WeakMap<Row, { readonly catalog: Catalog; readonly freshness: Freshness }>()

function freshnessOf(catalog: Catalog, observation: Row): Freshness {
  const known = known_freshness.get(observation)
  if (known?.catalog === catalog) return known.freshness
  const max_age_ms = maxAgeMs(catalog, observation)
  const { source_cutoff_at } = observation
  const current_until = source_cutoff_at == null ? null : toMicros(source_cutoff_at) + max_age_ms * 1000
  const freshness = { max_age_ms, current_until }
  known_freshness.set(observation, { catalog, freshness })
  return freshness
}

function maxAgeMs(catalog: Catalog, observation: Row): number {
  const version = catalog.version(String(observation.index_version_id))
  const methodology = catalog.methodology(String(observation.methodology_id), String(observation.methodology_version))
  return levelAgeMax(version?.calculation_frequency, methodology?.parameters) / 1000
}
