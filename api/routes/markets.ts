import { toMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { withOwnStatus } from '../own-venue/with-own-status.ts'
import { eventOf, marketOf, resolutionOf, updatedAt } from '../resources/market-resources.ts'
import { rowOrNull, rowsOf, textsOf } from '../resources/pick.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { catalogPage, compareKeys } from './catalog-page.ts'
import { marketsInForce } from './indexes.ts'
import { instantParameter, requiredText, requireMarket, textParameter } from './parameters.ts'

type Test = (row: Row) => boolean

export const MARKET_ROUTES = {
  list_events: (request) => {
    const tests = eventTests(request)
    return catalogPage(request, {
      tables: ['event'],
      rows: (catalog) => catalog.events(),
      keep: (row) => tests.every((test) => test(row)),
      key: (row) => [-toMicros(updatedAt(row)), String(row.event_id)],
      show: eventOf,
    })
  },
  get_event: (request) => {
    const event_id = requiredText(request, 'event_id')
    const row = request.reader.catalog(request.as_of).event(event_id)
    if (row === null) throw missing('event', event_id)
    return { data: eventOf(row) }
  },
  list_markets: (request) => {
    const tests = marketTests(request)
    const index_id = textParameter(request, 'index_id')
    return catalogPage(request, {
      tables: ['market', 'event', 'market_eligibility', 'market_metric'],
      rows: (catalog) => {
        const markets = catalog.markets().map(withOwnStatus(request))
        if (index_id === null) return markets
        const index = catalog.index(index_id)
        const in_force = new Set(index === null ? [] : marketsInForce(index, catalog))
        return markets.filter((row) => in_force.has(String(row.market_id)))
      },
      keep: (row) => tests.every((test) => test(row)),
      key: (row) => [-toMicros(updatedAt(row)), String(row.market_id)],
      show: marketOf,
    })
  },
  get_market: (request) => ({ data: marketOf(withOwnStatus(request)(requireMarket(request))) }),
  get_market_resolution: getMarketResolution,
  list_market_resolutions: (request) => {
    const market_id = String(requireMarket(request).market_id)
    return catalogPage(request, {
      tables: ['market_resolution'],
      rows: (catalog) => catalog.resolutionHistory(market_id),
      keep: () => true,
      key: (row) => [toMicros(row.published_at), String(row.resolution_id)],
      show: resolutionOf,
    })
  },
} as const satisfies Partial<RouteHandlers>

function getMarketResolution(request: RouteRequest): RouteAnswer {
  const market_id = String(requireMarket(request).market_id)
  const evidence_id = textParameter(request, 'evidence_id')
  const catalog = request.reader.catalog(request.as_of)
  const row =
    evidence_id === null ? catalog.resolution(market_id) : restingOn(catalog.resolutions(market_id), evidence_id)
  if (row === null && evidence_id !== null) throw missing('resolution_evidence', evidence_id)
  if (row === null) throw missing('resolution', market_id)
  const chain = catalog.resolutionHistory(market_id).map(({ resolution_id }) => String(resolution_id))
  return { data: resolutionOf(row), ...(evidence_id === null ? { correction_chain: chain } : {}) }
}

/** Finds the resolution that a level refers to, by its first evidence, or by its id if it has none (methodology 4.2, M0). */
function restingOn(resolutions: readonly Row[], evidence_id: string): Row | null {
  const named = resolutions.filter((row) => (rowsOf(row.evidence)[0]?.evidence_id ?? row.resolution_id) === evidence_id)
  const order = (row: Row) => [toMicros(row.source_at), toMicros(row.received_at), row.revision as number]
  return named.sort((a, b) => compareKeys(order(a), order(b))).at(-1) ?? null
}

function eventTests(request: RouteRequest): Test[] {
  const [region, venue_id] = [textParameter(request, 'region'), textParameter(request, 'venue_id')]
  const [starts_after, ends_before] = [
    instantParameter(request, 'starts_after'),
    instantParameter(request, 'ends_before'),
  ]
  return [
    ...equalTests(request, ['status', 'category']),
    (row) => region === null || textsOf(row.regions).includes(region),
    (row) => venue_id === null || rowsOf(row.source_mappings).some((mapping) => mapping.venue_id === venue_id),
    (row) => starts_after === null || (row.event_start != null && toMicros(row.event_start) > starts_after),
    (row) => ends_before === null || (row.event_end != null && toMicros(row.event_end) < ends_before),
  ]
}

function marketTests(request: RouteRequest): Test[] {
  const venue_id = textParameter(request, 'venue_id')
  const eligibility = textParameter(request, 'eligibility_status')
  const resolution_after = instantParameter(request, 'resolution_after')
  const expected = (row: Row) => rowOrNull(row.schedule)?.expected_resolution_at ?? null
  return [
    ...equalTests(request, ['event_id', 'status', 'category', 'outcome_type']),
    (row) => venue_id === null || rowOrNull(row.venue_mapping)?.venue_id === venue_id,
    (row) => eligibility === null || rowOrNull(row.eligibility)?.status === eligibility,
    (row) => resolution_after === null || (expected(row) !== null && toMicros(expected(row)) > resolution_after),
  ]
}

/** Returns filters that compare a column with the parameter of the same name. */
function equalTests(request: RouteRequest, names: readonly string[]): Test[] {
  return names.flatMap((name) => {
    const wanted = textParameter(request, name)
    return wanted === null ? [] : [(row: Row) => row[name] === wanted]
  })
}
