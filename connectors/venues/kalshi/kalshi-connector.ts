import type { JsonText } from '../../../pipelines/text/json-text.ts'
import { KALSHI } from '../../../pipelines/venues/kalshi/endpoints.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import { createClient } from '../create-client.ts'
import { createDocumentMemory } from '../document-memory.ts'
import { fetchDocument } from '../fetch-document.ts'
import { fetchPages, pageSizes } from '../fetch-pages.ts'
import { connectorOf } from '../parts.ts'
import { KALSHI_ADDRESSES, type KalshiAddresses } from '../venue-addresses.ts'
import type { ConnectorOptions, ReadRange, VenueConnector } from '../venue-connector.ts'
import { createHistoricalTier, type Tier } from './historical-tier.ts'
import { KALSHI_STREAM } from './kalshi-stream.ts'
import { marketCandles } from './market-candles.ts'
import { describeMarket, type KnownMarket } from './market-documents.ts'
import { type ListedMarket, listedMarkets, listedSeries, nextCursor } from './market-list.ts'
import { rangeParameters, tieredRange } from './ranges.ts'

const VENUE_ID = 'kalshi'
const PAGES = { events: 200, markets: 200, trades: 1_000 } as const
/** Combinations of markets flood every list, and none of them lasts. */
const NO_COMBINATIONS = { mve_filter: 'exclude' } as const
const TAPES = {
  live: [KALSHI.trades, '/markets/trades'],
  historical: [KALSHI.historical_trades, '/historical/trades'],
} as const

/**
 * Creates a connector to Kalshi's trade API v2 and its websocket. Data older than the venue's cutoff is requested below
 * `/historical`; the cutoff moves, so it is read with each catalogue, and again if a range begins near it.
 */
export function createKalshiConnector(
  options: ConnectorOptions,
  addresses: KalshiAddresses = KALSHI_ADDRESSES,
): VenueConnector {
  const client = createClient(VENUE_ID, addresses.rest, options)
  const page = pageSizes(PAGES, options.page_max)
  const tiers = createHistoricalTier(client, options.now)
  const known = { markets: new Map<string, KnownMarket>(), series: new Map<string, string>() }
  const documents = { client, memory: createDocumentMemory(options.now), ...known }
  let listed: readonly ListedMarket[] | null = null

  const pages = (
    [endpoint, path]: readonly [endpoint: string, path: string],
    parameters: Readonly<Record<string, string>>,
    on_page: (body: JsonText) => void = () => undefined,
    signal?: AbortSignal,
  ) =>
    fetchPages(
      client,
      { endpoint, first: `${path}?${new URLSearchParams(parameters)}`, next: nextCursor, on_page },
      signal,
    )
  const knows = (tier: Tier, found: readonly ListedMarket[]) => {
    for (const { ticker, event_ticker } of found) known.markets.set(ticker, { event_ticker, tier })
    return found
  }

  async function* list(signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    const found: ListedMarket[] = []
    const keep = (body: JsonText) => void found.push(...listedMarkets(body))
    const parameters = { limit: String(page.markets), ...NO_COMBINATIONS }
    yield* pages([KALSHI.markets, '/markets'], parameters, keep, signal)
    listed = knows('live', found)
  }
  async function* catalogue(signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    yield* tiers.read(signal)
    const keep = (body: JsonText) => {
      for (const [event_ticker, series_ticker] of listedSeries(body)) known.series.set(event_ticker, series_ticker)
    }
    yield* pages([KALSHI.events, '/events'], { limit: String(page.events) }, keep, signal)
    for (const ticker of new Set(known.series.values())) {
      yield* fetchDocument(client, KALSHI.series, `/series/${encodeURIComponent(ticker)}`, signal)
    }
    yield* list(signal)
  }
  async function* described(tickers: readonly string[], signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    for (const ticker of tickers) yield* describeMarket(documents, ticker, signal)
  }
  /** Yields the tickers of a range: those it names, else those of trading markets. */
  async function* tickersOf(
    { source_market_ids }: ReadRange,
    signal?: AbortSignal,
  ): AsyncGenerator<PayloadItem, readonly string[]> {
    if (source_market_ids !== undefined) return source_market_ids
    if (listed === null) yield* list(signal)
    return (listed ?? []).filter(({ trades }) => trades).map(({ ticker }) => ticker)
  }
  async function* tape(
    tier: Tier,
    range: ReadRange,
    ticker: string | null,
    signal?: AbortSignal,
  ): AsyncGenerator<PayloadItem> {
    const of_market = ticker === null ? {} : { ticker }
    const parameters = { limit: String(page.trades), ...of_market, ...rangeParameters(range) }
    yield* pages(TAPES[tier], parameters, undefined, signal)
  }

  return connectorOf(VENUE_ID, {
    clients: [client],
    described_first: true,
    memories: [documents.memory],
    parts: {
      catalogue: ({ source_market_ids }, signal) =>
        source_market_ids === undefined ? catalogue(signal) : described(source_market_ids, signal),
      async *markets(range, signal) {
        if (range.source_market_ids === undefined) yield* list(signal)
        for (const ticker of yield* tickersOf(range, signal)) {
          const request = `/markets/${encodeURIComponent(ticker)}/orderbook`
          yield* fetchDocument(client, KALSHI.order_book, request, signal)
        }
      },
      async *trades(range, signal) {
        for (const ticker of range.source_market_ids ?? [null]) {
          yield* tiers.trades(range, (tier, part) => tape(tier, part, ticker, signal), signal)
        }
      },
      async *resolutions(range, signal) {
        // Recent results are in the list of markets; old ones have left it. A named market's result is in its document.
        if (range.source_market_ids !== undefined) return
        yield* tiers.refresh(range.from, signal)
        const { historical } = tieredRange(range, tiers.cutoff?.market_settled_at ?? null)
        if (historical === null) return
        const parameters = { limit: String(page.markets), ...NO_COMBINATIONS }
        const keep = (body: JsonText) => void knows('historical', listedMarkets(body))
        yield* pages([KALSHI.historical_markets, '/historical/markets'], parameters, keep, signal)
      },
      async *history(range, signal) {
        if (range.source_market_ids === undefined && known.series.size === 0) yield* catalogue(signal)
        for (const ticker of yield* tickersOf(range, signal)) {
          if (range.source_market_ids !== undefined && !known.markets.has(ticker)) yield* described([ticker], signal)
          const { event_ticker, tier = 'live' } = known.markets.get(ticker) ?? {}
          const series_ticker = known.series.get(event_ticker ?? '') ?? null
          if (series_ticker === null && tier === 'live') continue
          const { from, to } = range
          yield* marketCandles(client, { ticker, series_ticker, tier, from, to: to ?? options.now() }, signal)
        }
      },
    },
    streams: {
      url: addresses.stream,
      protocol: KALSHI_STREAM,
      names: () => options.stream_markets ?? (listed ?? []).filter(({ ended }) => !ended).map(({ ticker }) => ticker),
      options,
    },
  })
}
