import { durationMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { indexObservationOf, indexObservationWithInputs } from '../resources/index-observation.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import {
  candleAnswer,
  candleInstants,
  type DomainColumns,
  historyPage,
  isSampled,
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

/** Bytes of a level's resource, shared with the stream. */
export const observationBytes = prebuilt(indexObservationOf)

export const INDEX_PRICE_ROUTES = {
  get_index_price: (request) => {
    const index_id = String(requireIndex(request).index_id)
    const { as_of, reader } = request
    if (as_of === null) return priceAnswer(request, index_id, reader.latest.observation(index_id)?.row ?? null)
    return reader.history.latestObservation(index_id, as_of).then((row) => priceAnswer(request, index_id, row))
  },
  list_index_prices: async (request) => {
    const index_id = String(requireIndex(request).index_id)
    const page = historyPage(request, TABLE)
    const { history } = request.reader
    const rows = isSampled(request)
      ? await history.sampledObservations(index_id, sampledRange(request), page)
      : await history.observations(index_id, page)
    return pageAnswer(rows, page, {
      column: COLUMNS[page.time_domain],
      id: 'observation_id',
      show: indexObservationOf,
    })
  },
  get_index_observation: getIndexObservation,
  list_index_candles: async (request) => {
    const index_id = String(requireIndex(request).index_id)
    const instants = await candleInstants(request, TABLE)
    const candles = await request.reader.history.indexCandles(index_id, sampledRange(request), instants)
    return candleAnswer(request, candles, instants)
  },
} as const satisfies Partial<RouteHandlers>

function priceAnswer(request: RouteRequest, index_id: string, row: Row | null): RouteAnswer {
  if (row === null) throw missing('index_level', index_id)
  const { max_age_ms, current_until } = freshnessOf(request.reader.catalog(request.as_of), row)
  return { data: observationBytes(row), max_age_ms, current_until }
}

async function getIndexObservation(request: RouteRequest): Promise<RouteAnswer> {
  const index_id = String(requireIndex(request).index_id)
  const observation_id = requiredText(request, 'observation_id')
  const found = await request.reader.history.observation(observation_id, pinnedAt(request, TABLE))
  if (found === null || found.row.index_id !== index_id) {
    throw missing('index_observation', observation_id)
  }
  const with_inputs = listParameter(request, 'expand').includes('inputs')
  return {
    data: with_inputs ? indexObservationWithInputs(found.row) : indexObservationOf(found.row),
    correction_chain: found.chain,
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

/** Returns 2 x calculation_frequency + grace: a level is not older than this while publication is on time. */
function maxAgeMs(catalog: Catalog, observation: Row): number {
  const version = catalog.version(String(observation.index_version_id))
  const methodology = catalog.methodology(String(observation.methodology_id), String(observation.methodology_version))
  const frequency = durationMicros(version?.calculation_frequency ?? 'PT1M')
  const parameters = JSON.parse(String(methodology?.parameters ?? '{}')) as Record<string, unknown>
  const grace = durationMicros(parameters['admission.grace'] ?? 'PT5S')
  return (2 * frequency + grace) / 1000
}
