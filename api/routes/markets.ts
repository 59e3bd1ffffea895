import { toMicros } from '../../primitives/instants.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { withMarket } from '../own-venue/known-market.ts'
import { type OwnStates, withOwnStates } from '../own-venue/own-states.ts'
import { eventOf, marketOf, resolutionOf, updatedAt } from '../resources/market-resources.ts'
import { rowsOf, textsOf } from '../resources/pick.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { catalogPage, compareKeys } from './catalog-page.ts'
import { listMarkets } from './list-markets.ts'
import { instantParameter, requiredText, textParameter } from './parameters.ts'
import { equalTests, type RowTest, titleTests } from './row-tests.ts'

export const MARKET_ROUTES = {
  list_events: (request) => {
    const tests = eventTests(request)
    const page = (own: OwnStates) => ({
      rows: (catalog: Catalog) => own.events(catalog),
      keep: (row: Row) => tests.every((test) => test(row)),
      key: (row: Row) => [-toMicros(updatedAt(row)), String(row.event_id)],
      show: eventOf,
    })
    return withOwnStates(request, (own) => catalogPage(request, page(own)))
  },
  get_event: (request) => {
    const event_id = requiredText(request, 'event_id')
    const catalog = request.reader.catalog(request.as_of)
    return withOwnStates(request, (own) => {
      const row = own.event(catalog, event_id)
      if (row === null) throw missing('event', event_id)
      return { data: eventOf(row) }
    })
  },
  list_markets: listMarkets,
  get_market: (request) =>
    withMarket(request, (market) => {
      const catalog = request.reader.catalog(request.as_of)
      const current = (own: OwnStates) => own.market(catalog, String(market.market_id)) ?? market
      return withOwnStates(request, (own) => ({ data: marketOf(current(own), request.reader.simulatedVenues()) }))
    }),
  get_market_resolution: (request) => withMarket(request, (market) => getMarketResolution(request, market)),
  list_market_resolutions: (request) =>
    withMarket(request, ({ market_id }) =>
      catalogPage(request, {
        rows: (catalog) => catalog.resolutionHistory(String(market_id)),
        keep: () => true,
        key: (row) => [toMicros(row.published_at), String(row.resolution_id)],
        show: resolutionOf,
      }),
    ),
} as const satisfies Partial<RouteHandlers>

function getMarketResolution(request: RouteRequest, market: Row): RouteAnswer {
  const market_id = String(market.market_id)
  const evidence_id = textParameter(request, 'evidence_id')
  const catalog = request.reader.catalog(request.as_of)
  const row =
    evidence_id === null
      ? catalog.resolution(market_id)
      : resolutionWithEvidence(catalog.resolutions(market_id), evidence_id)
  if (row === null && evidence_id !== null) throw missing('resolution_evidence', evidence_id)
  if (row === null) throw missing('resolution', market_id)
  const chain = catalog.resolutionHistory(market_id).map(({ resolution_id }) => String(resolution_id))
  return { data: resolutionOf(row), ...(evidence_id === null ? { correction_chain: chain } : {}) }
}

/** Finds the resolution that a level refers to, by its first evidence, or by its id if it has none (methodology §4, M0). */
export function resolutionWithEvidence(resolutions: readonly Row[], evidence_id: string): Row | null {
  const named = resolutions.filter((row) => (rowsOf(row.evidence)[0]?.evidence_id ?? row.resolution_id) === evidence_id)
  const order = (row: Row) => [toMicros(row.source_at), toMicros(row.received_at), row.revision as number]
  return named.sort((a, b) => compareKeys(order(a), order(b))).at(-1) ?? null
}

function eventTests(request: RouteRequest): RowTest[] {
  const [region, venue_id] = [textParameter(request, 'region'), textParameter(request, 'venue_id')]
  const [starts_after, ends_before] = [
    instantParameter(request, 'starts_after'),
    instantParameter(request, 'ends_before'),
  ]
  const source_event_id = textParameter(request, 'source_event_id')
  return [
    ...equalTests(request, ['status', 'category']),
    ...titleTests(request),
    (row) => region === null || textsOf(row.regions).includes(region),
    (row) =>
      (venue_id === null && source_event_id === null) ||
      rowsOf(row.source_mappings).some(
        (mapping) =>
          (venue_id === null || mapping.venue_id === venue_id) &&
          (source_event_id === null || mapping.source_event_id === source_event_id),
      ),
    (row) => starts_after === null || (row.event_start != null && toMicros(row.event_start) > starts_after),
    (row) => ends_before === null || (row.event_end != null && toMicros(row.event_end) < ends_before),
  ]
}
