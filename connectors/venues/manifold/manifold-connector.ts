import type { JsonText } from '../../../pipelines/text/json-text.ts'
import { MANIFOLD_ENDPOINTS as ENDPOINTS } from '../../../pipelines/venues/manifold/endpoints.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import { createClient } from '../create-client.ts'
import { createDocumentMemory } from '../document-memory.ts'
import { fetchDocument } from '../fetch-document.ts'
import { fetchPages, pageSizes, withParameters } from '../fetch-pages.ts'
import { connectorOf } from '../parts.ts'
import { MANIFOLD_ADDRESSES, type ManifoldAddresses } from '../venue-addresses.ts'
import type { ConnectorOptions, ReadRange, VenueConnector } from '../venue-connector.ts'
import { type ListedMarket, listedMarkets, nextBefore } from './market-list.ts'
import { NEW_BETS } from './new-bets.ts'

const VENUE_ID = 'manifold'
const PAGES = { markets: 1_000, bets: 1_000 } as const
const PROBS_MAX = 100

/** Manifold's API v0 and its websocket. Play money; probabilities take the place of books. */
export function createManifoldConnector(
  options: ConnectorOptions,
  addresses: ManifoldAddresses = MANIFOLD_ADDRESSES,
): VenueConnector {
  const client = createClient(VENUE_ID, addresses.rest, options)
  const page = pageSizes(PAGES, options.page_max)
  const documents = createDocumentMemory(options.now)
  let listed: readonly ListedMarket[] | null = null

  const pages = (list: Paged, on_page: (body: JsonText) => void, signal?: AbortSignal) => {
    const { endpoint, request, limit } = list
    const first = withParameters(request, { limit: String(limit) })
    return fetchPages(client, { endpoint, first, next: (body) => nextBefore(body, limit), on_page }, signal)
  }

  async function* catalogue(signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    const found: ListedMarket[] = []
    const keep = (body: JsonText) => void found.push(...listedMarkets(body))
    yield* pages({ endpoint: ENDPOINTS.markets, request: '/v0/markets', limit: page.markets }, keep, signal)
    listed = found
    for (const { id } of found.filter(({ has_answers }) => has_answers)) {
      yield* fetchDocument(client, ENDPOINTS.market, `/v0/market/${encodeURIComponent(id)}`, signal)
    }
  }

  const describe = (id: string, signal?: AbortSignal) =>
    documents.read(id, () => fetchDocument(client, ENDPOINTS.market, `/v0/market/${encodeURIComponent(id)}`, signal))

  return connectorOf(VENUE_ID, {
    clients: [client],
    parts: {
      async *catalogue({ source_market_ids }, signal) {
        if (source_market_ids === undefined) yield* catalogue(signal)
        for (const id of source_market_ids ?? []) yield* describe(id, signal)
      },
      async *markets({ source_market_ids }, signal) {
        if (listed === null && source_market_ids === undefined) yield* catalogue(signal)
        // Resolved ones too: a market can be unresolved again.
        const ids = source_market_ids ?? (listed ?? []).map(({ id }) => id)
        for (const request of probRequests(ids)) {
          yield* fetchDocument(client, ENDPOINTS.probs, request, signal)
        }
      },
      async *trades(range, signal) {
        for (const id of range.source_market_ids ?? [null]) {
          const request = betRequest(range, id)
          yield* pages({ endpoint: ENDPOINTS.bets, request, limit: page.bets }, () => undefined, signal)
        }
      },
    },
    streams: { url: addresses.stream, protocol: NEW_BETS, names: () => [], options },
  })
}

type Paged = { readonly endpoint: string; readonly request: string; readonly limit: number }

/** Both bounds of the venue are exclusive, so the millisecond before the range is asked for too. */
function betRequest({ from, to }: ReadRange, contract_id: string | null): string {
  const until = to === null ? {} : { beforeTime: String(Math.ceil(to / 1000)) }
  const of_market = contract_id === null ? {} : { contractId: contract_id }
  return withParameters('/v0/bets', { ...of_market, afterTime: String(Math.floor(from / 1000) - 1), ...until })
}

function probRequests(market_ids: readonly string[]): string[] {
  return Array.from({ length: Math.ceil(market_ids.length / PROBS_MAX) }, (_, chunk) => {
    const ids = market_ids.slice(chunk * PROBS_MAX, (chunk + 1) * PROBS_MAX)
    return `/v0/market-probs?${ids.map((id) => `ids=${encodeURIComponent(id)}`).join('&')}`
  })
}
