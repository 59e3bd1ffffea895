import { idField } from '../../../pipelines/text/json-fields.ts'
import { type JsonText, listOf, objectOf } from '../../../pipelines/text/json-text.ts'
import { MANIFOLD_ENDPOINTS as ENDPOINTS } from '../../../pipelines/venues/manifold/endpoints.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import type { StreamProtocol } from '../../ws/stream-protocol.ts'
import { createClient } from '../create-client.ts'
import { createDocumentMemory } from '../document-memory.ts'
import { fetchDocument } from '../fetch-document.ts'
import { fetchPages, pageSizes, withParameters } from '../fetch-pages.ts'
import { connectorOf } from '../parts.ts'
import { MANIFOLD_ADDRESSES, type ManifoldAddresses } from '../venue-addresses.ts'
import type { ConnectorOptions, ReadRange, VenueConnector } from '../venue-connector.ts'

const GLOBAL = 'global/new-bet'
const SUBSCRIBE = 1
const OF_MARKET = /"topic"\s*:\s*"contract\//
const ACKNOWLEDGED = /^\{"type":"ack","txid":(\d{1,9}),/

/** Stream of new bets: every one, or those of the named markets. It needs a ping of its own within a minute, which the venue acknowledges. */
const NEW_BETS: StreamProtocol = {
  names_max: null,
  subscribe: (ids) => {
    const topics = ids.length === 0 ? [GLOBAL] : ids.map((id) => `contract/${id}/new-bet`)
    return [JSON.stringify({ type: 'subscribe', txid: SUBSCRIBE, topics })]
  },
  endpointOf: (text) => (OF_MARKET.test(text) ? ENDPOINTS.ws_market_bets : ENDPOINTS.ws_global_bets),
  ping: (count) => JSON.stringify({ type: 'ping', txid: SUBSCRIBE + count }),
  isKeepalive: (text) => Number(ACKNOWLEDGED.exec(text)?.[1] ?? SUBSCRIBE) !== SUBSCRIBE,
  open: () => ({ hasGap: () => false, signOfLife: () => null, extend: () => [] }),
}

/** Facts of a market that further requests need. */
type ListedMarket = {
  readonly id: string
  /** True if it has answers, which lists do not show. */
  readonly has_answers: boolean
}

const WITH_ANSWERS: readonly unknown[] = ['MULTIPLE_CHOICE', 'FREE_RESPONSE']

/**
 * Reads the markets of one page of `GET /v0/markets`. An unreadable one is omitted; its reader reports it. @throws Quarantined
 */
function listedMarkets(page: JsonText): ListedMarket[] {
  return listOf(page).flatMap((item) => {
    const parsed = parseRecord(() => {
      const market = objectOf(item)
      return { id: idField(market, 'id'), has_answers: WITH_ANSWERS.includes(market.outcomeType) }
    })
    return 'record' in parsed ? [parsed.record] : []
  })
}

/**
 * Returns the parameters of the next page, which ends before this one's last item, newest first; null after a page shorter than
 * `limit`. @throws Quarantined
 */
function nextBefore(page: JsonText, limit: number): { readonly before: string } | null {
  const items = listOf(page)
  const last = items.at(-1)
  return last === undefined || items.length < limit ? null : { before: idField(objectOf(last), 'id') }
}

const VENUE_ID = 'manifold'
const PAGES = { markets: 1_000, bets: 1_000 } as const
const PROBS_MAX = 100

/** Creates a connector to Manifold's API v0 and its websocket. Play money; probabilities replace books. */
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
    memories: [documents],
    parts: {
      async *catalogue({ source_market_ids }, signal) {
        if (source_market_ids === undefined) yield* catalogue(signal)
        for (const id of source_market_ids ?? []) yield* describe(id, signal)
      },
      async *markets({ source_market_ids }, signal) {
        if (listed === null && source_market_ids === undefined) yield* catalogue(signal)
        // Includes resolved ones: a resolution can be withdrawn.
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
    streams: { url: addresses.stream, protocol: NEW_BETS, names: () => options.stream_markets ?? [], options },
  })
}

type Paged = { readonly endpoint: string; readonly request: string; readonly limit: number }

/** Both bounds of the venue are exclusive, so the request begins a millisecond before the range. */
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
