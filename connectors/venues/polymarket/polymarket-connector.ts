import { type JsonText, listOf } from '../../../pipelines/text/json-text.ts'
import { ENDPOINTS, VENUE_ID } from '../../../pipelines/venues/polymarket/endpoints.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import { MICROS_PER_SECOND } from '../../../primitives/instants.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import type { StreamProtocol } from '../../ws/stream-protocol.ts'
import { createClient } from '../create-client.ts'
import { createDocumentMemory } from '../document-memory.ts'
import { fetchDocument } from '../fetch-document.ts'
import { fetchPages, nextOffset, pageSizes } from '../fetch-pages.ts'
import { connectorOf } from '../parts.ts'
import { POLYMARKET_ADDRESSES, type PolymarketAddresses } from '../venue-addresses.ts'
import type { ConnectorOptions, ReadRange, VenueConnector } from '../venue-connector.ts'
import { type ListedMarket, listedMarkets } from './market-list.ts'
import { createQuietTokens } from './quiet-tokens.ts'
import { createTapeMemory } from './tape-memory.ts'

/**
 * Creates the protocol of the stream of books and trades per token. Connections with more than 200 tokens have been seen to lose
 * their first books.
 * @param on_text called for each message
 */
export const marketChannel = (on_text: (text: string) => void): StreamProtocol => ({
  names_max: 200,
  subscribe: (assets_ids) => [JSON.stringify({ assets_ids, type: 'market' })],
  endpointOf: () => ENDPOINTS.ws_market,
  ping: () => 'PING',
  isKeepalive: (text) => text === 'PONG',
  open: () => ({
    // Messages have no numbers: a gap shows when the reader compares its book with the venue's own prices.
    hasGap: (text) => {
      on_text(text)
      return false
    },
    // A connection may answer pings for hours and send nothing else (docs/decisions/0006-signs-of-life.md).
    signOfLife: () => null,
    extend: (assets_ids) => [JSON.stringify({ assets_ids, operation: 'subscribe' })],
  }),
})

const PAGES = { events: 50, markets: 100, trades: 500 } as const
/** Hourly past prices. */
const FIDELITY_MINUTES = 60

/**
 * Creates a connector to Polymarket: events and markets of Gamma, books and past prices of the CLOB, trades of the Data API,
 * and the market channel. The Data API limits the offset, so the tape of a busy range may end early.
 */
export function createPolymarketConnector(
  options: ConnectorOptions,
  addresses: PolymarketAddresses = POLYMARKET_ADDRESSES,
): VenueConnector {
  const client = (base_url: string) => createClient(VENUE_ID, base_url, options)
  const [gamma, clob, data] = [client(addresses.gamma), client(addresses.clob), client(addresses.data)]
  const page = pageSizes(PAGES, options.page_max)
  const documents = createDocumentMemory(options.now)
  const quiet = createQuietTokens(options.now)
  const tapes = createTapeMemory(data, options.now)
  /** Markets read one by one, by condition id. */
  const described = new Map<string, ListedMarket>()
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
  async function* books(tokens: readonly string[], signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    for (const token of tokens) {
      yield* fetchDocument(clob, ENDPOINTS.clob_book, bookRequest(token), signal)
      quiet.heard(token)
    }
  }
  /** Reads a market's own document; a closed one has to be requested as closed. */
  function describe(condition_id: string, signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    return documents.read(condition_id, async function* read() {
      for (const closed of ['', '&closed=true']) {
        const request = `/markets?${new URLSearchParams({ condition_ids: condition_id })}${closed}`
        const fetched = yield* fetchDocument(gamma, ENDPOINTS.gamma_markets, request, signal)
        const found = fetched.kind === 'read' ? readable(fetched.document) : []
        for (const market of found) described.set(market.condition_id, market)
        if (found.length > 0) return
      }
    })
  }
  /** Yields the markets of a range: those it names, else the whole list. */
  async function* known(
    { source_market_ids }: ReadRange,
    signal?: AbortSignal,
  ): AsyncGenerator<PayloadItem, readonly ListedMarket[]> {
    if (source_market_ids === undefined) {
      if (listed === null) yield* list(signal)
      return listed ?? []
    }
    for (const id of source_market_ids) if (!described.has(id)) yield* describe(id, signal)
    return source_market_ids.flatMap((id) => described.get(id) ?? [])
  }
  /** Returns the markets with these ids that were described, or all of the last list. */
  const followed = (ids: readonly string[] | undefined) =>
    ids === undefined ? (listed ?? []) : ids.flatMap((id) => described.get(id) ?? [])

  return connectorOf(VENUE_ID, {
    clients: [gamma, clob, data],
    described_first: true,
    memories: [documents, tapes],
    parts: {
      async *catalogue({ source_market_ids }, signal) {
        if (source_market_ids !== undefined) {
          for (const id of source_market_ids) yield* describe(id, signal)
          return
        }
        yield* fetchPages(
          gamma,
          {
            endpoint: ENDPOINTS.gamma_events,
            first: `/events?limit=${page.events}&offset=0`,
            next: (body, request) => nextOffset(request, listOf(body).length),
          },
          signal,
        )
      },
      async *markets(range, signal) {
        if (range.source_market_ids === undefined) yield* list(signal)
        const found = yield* known(range, signal)
        yield* books(tradedTokens(found), signal)
      },
      async *quiet_books(range, signal) {
        yield* books(quiet.among(tradedTokens(followed(range.source_market_ids))), signal)
      },
      async *trades(range, signal) {
        if (range.source_market_ids === undefined)
          yield* tapes.newest(`/trades?limit=${page.trades}&offset=0`, range, signal)
        for (const market of range.source_market_ids ?? []) {
          const query = new URLSearchParams({ market, limit: String(page.trades), offset: '0' })
          yield* tapes.range(`/trades?${query}`, range, signal)
        }
      },
      async *resolutions(range, signal) {
        const found = yield* known(range, signal)
        const ended = found.filter((market) => closedWithin(market, range))
        for (const { condition_id } of ended) {
          const request = `/markets/${encodeURIComponent(condition_id)}`
          yield* fetchDocument(clob, ENDPOINTS.clob_market, request, signal)
        }
      },
      async *history(range, signal) {
        const found = yield* known(range, signal)
        const wanted = range.source_market_ids === undefined ? found.filter(({ trades }) => trades) : found
        const until = range.to ?? options.now()
        for (const token of wanted.flatMap(({ tokens }) => tokens.slice(0, 1))) {
          yield* fetchDocument(clob, ENDPOINTS.prices_history, historyRequest(token, range.from, until), signal)
        }
      },
    },
    streams: {
      url: addresses.stream,
      protocol: marketChannel(quiet.message),
      names: () => followed(options.stream_markets).flatMap(({ closed, tokens }) => (closed ? [] : tokens)),
      options,
    },
  })
}

function tradedTokens(markets: readonly ListedMarket[]): readonly string[] {
  return markets.filter(({ trades }) => trades).flatMap(({ tokens }) => tokens)
}

/** Reads the markets of a page; none if it has another form. */
function readable(page: JsonText): readonly ListedMarket[] {
  const parsed = parseRecord(() => listedMarkets(page))
  return 'record' in parsed ? parsed.record : []
}

/**
 * Returns whether a market closed in the range. The venue states whole seconds, so the second in which the range begins counts.
 */
function closedWithin({ closed_at }: ListedMarket, { from, to }: ReadRange): boolean {
  if (closed_at === null) return false
  return closed_at >= from - (from % MICROS_PER_SECOND) && (to === null || closed_at < to)
}

function bookRequest(token: string): string {
  return `/book?${new URLSearchParams({ token_id: token })}`
}

/** Requests the history of the first token: the other's prices are one minus these. */
function historyRequest(token: string, from: number, to: number): string {
  const seconds = (micros: number) => String(Math.floor(micros / MICROS_PER_SECOND))
  const fidelity = String(FIDELITY_MINUTES)
  return `/prices-history?${new URLSearchParams({ market: token, startTs: seconds(from), endTs: seconds(to), fidelity })}`
}
