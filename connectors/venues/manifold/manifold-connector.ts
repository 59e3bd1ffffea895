import type { JsonText } from '../../../pipelines/venues/json-text.ts'
import { MANIFOLD_ENDPOINTS as ENDPOINTS } from '../../../pipelines/venues/manifold/endpoints.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import { createClient } from '../create-client.ts'
import { fetchDocument } from '../fetch-document.ts'
import { fetchPages, pageSizes, withParameters } from '../fetch-pages.ts'
import { openStreamsOf } from '../open-streams.ts'
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

  return connectorOf(VENUE_ID, {
    clients: [client],
    parts: {
      catalogue: (_range, signal) => catalogue(signal),
      async *markets(_range, signal) {
        if (listed === null) yield* catalogue(signal)
        // Resolved ones too: a market can be unresolved again.
        for (const request of probRequests(listed ?? [])) {
          yield* fetchDocument(client, ENDPOINTS.probs, request, signal)
        }
      },
      trades: (range, signal) =>
        pages({ endpoint: ENDPOINTS.bets, request: betRequest(range), limit: page.bets }, () => undefined, signal),
    },
    openStreams: () => openStreamsOf(VENUE_ID, { url: addresses.stream, protocol: NEW_BETS, names: [], options }),
  })
}

type Paged = { readonly endpoint: string; readonly request: string; readonly limit: number }

function betRequest({ from, to }: ReadRange): string {
  const until = to === null ? {} : { beforeTime: String(Math.ceil(to / 1000)) }
  return withParameters('/v0/bets', { afterTime: String(Math.floor(from / 1000)), ...until })
}

function probRequests(markets: readonly ListedMarket[]): string[] {
  return Array.from({ length: Math.ceil(markets.length / PROBS_MAX) }, (_, chunk) => {
    const ids = markets.slice(chunk * PROBS_MAX, (chunk + 1) * PROBS_MAX)
    return `/v0/market-probs?${ids.map(({ id }) => `ids=${encodeURIComponent(id)}`).join('&')}`
  })
}
