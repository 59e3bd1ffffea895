import { listOf } from '../../../pipelines/venues/json-text.ts'
import { ENDPOINTS, VENUE_ID } from '../../../pipelines/venues/polymarket/endpoints.ts'
import { MICROS_PER_SECOND } from '../../../primitives/instants.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import { createClient } from '../create-client.ts'
import { fetchDocument } from '../fetch-document.ts'
import { fetchPages, nextOffset, pageSizes } from '../fetch-pages.ts'
import { openStreamsOf } from '../open-streams.ts'
import { connectorOf } from '../parts.ts'
import { POLYMARKET_ADDRESSES, type PolymarketAddresses } from '../venue-addresses.ts'
import type { ConnectorOptions, ReadRange, VenueConnector } from '../venue-connector.ts'
import { MARKET_CHANNEL } from './market-channel.ts'
import { type ListedMarket, listedMarkets } from './market-list.ts'
import { nextTrades } from './trade-pages.ts'

const PAGES = { events: 50, markets: 100, trades: 500 } as const
/** Of past prices: hourly. */
const FIDELITY_MINUTES = 60

/**
 * Polymarket: events and markets of Gamma, books and past prices of the CLOB, trades of the Data API, and the market
 * channel. The Data API pages no further than its offset allows, so the tape of a busy range may end early.
 */
export function createPolymarketConnector(
  options: ConnectorOptions,
  addresses: PolymarketAddresses = POLYMARKET_ADDRESSES,
): VenueConnector {
  const client = (base_url: string) => createClient(VENUE_ID, base_url, options)
  const [gamma, clob, data] = [client(addresses.gamma), client(addresses.clob), client(addresses.data)]
  const page = pageSizes(PAGES, options.page_max)
  let listed: readonly ListedMarket[] | null = null

  async function* list(signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    const found: ListedMarket[] = []
    yield* fetchPages(
      gamma,
      {
        endpoint: ENDPOINTS.gamma_markets,
        first: `/markets?limit=${page.markets}&offset=0`,
        next: (body, request) => nextOffset(request, listOf(body).length),
        on_page: (body) => found.push(...listedMarkets(body)),
      },
      signal,
    )
    listed = found
  }
  async function* known(signal?: AbortSignal): AsyncGenerator<PayloadItem, readonly ListedMarket[]> {
    if (listed === null) yield* list(signal)
    return listed ?? []
  }

  return connectorOf(VENUE_ID, {
    clients: [gamma, clob, data],
    parts: {
      catalogue: (_range, signal) =>
        fetchPages(
          gamma,
          {
            endpoint: ENDPOINTS.gamma_events,
            first: `/events?limit=${page.events}&offset=0`,
            next: (body, request) => nextOffset(request, listOf(body).length),
          },
          signal,
        ),
      async *markets(_range, signal) {
        yield* list(signal)
        for (const { tokens } of (listed ?? []).filter(({ trades }) => trades)) {
          for (const token of tokens) yield* fetchDocument(clob, ENDPOINTS.clob_book, bookRequest(token), signal)
        }
      },
      trades: ({ from }, signal) =>
        fetchPages(
          data,
          {
            endpoint: ENDPOINTS.data_trades,
            first: `/trades?limit=${page.trades}&offset=0`,
            next: (body, request) => nextTrades(body, request, from),
          },
          signal,
        ),
      async *resolutions(range, signal) {
        const ended = (yield* known(signal)).filter((market) => closedWithin(market, range))
        for (const { condition_id } of ended) {
          const request = `/markets/${encodeURIComponent(condition_id)}`
          yield* fetchDocument(clob, ENDPOINTS.clob_market, request, signal)
        }
      },
      async *history(range, signal) {
        const open = (yield* known(signal)).filter(({ trades }) => trades)
        const until = range.to ?? options.now()
        for (const token of open.flatMap(({ tokens }) => tokens.slice(0, 1))) {
          yield* fetchDocument(clob, ENDPOINTS.prices_history, historyRequest(token, range.from, until), signal)
        }
      },
    },
    openStreams: () => {
      const names = (listed ?? []).filter(({ closed }) => !closed).flatMap(({ tokens }) => tokens)
      return openStreamsOf(VENUE_ID, { url: addresses.stream, protocol: MARKET_CHANNEL, names, options })
    },
  })
}

/** The venue says it to the second, so the second in which the range begins counts. */
function closedWithin({ closed_at }: ListedMarket, { from, to }: ReadRange): boolean {
  if (closed_at === null) return false
  return closed_at >= from - (from % MICROS_PER_SECOND) && (to === null || closed_at < to)
}

function bookRequest(token: string): string {
  return `/book?${new URLSearchParams({ token_id: token })}`
}

/** Of the first token: the other's prices are one minus these. */
function historyRequest(token: string, from: number, to: number): string {
  const seconds = (micros: number) => String(Math.floor(micros / MICROS_PER_SECOND))
  const fidelity = String(FIDELITY_MINUTES)
  return `/prices-history?${new URLSearchParams({ market: token, startTs: seconds(from), endTs: seconds(to), fidelity })}`
}
