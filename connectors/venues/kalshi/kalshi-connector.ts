import { type JsonText, objectOf } from '../../../pipelines/venues/json-text.ts'
import { KALSHI } from '../../../pipelines/venues/kalshi/endpoints.ts'
import { cutoffOf, type HistoricalCutoff } from '../../../pipelines/venues/kalshi/historical-cutoff.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import { MICROS_PER_SECOND } from '../../../primitives/instants.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import { createClient } from '../create-client.ts'
import { fetchDocument } from '../fetch-document.ts'
import { fetchPages, pageSizes } from '../fetch-pages.ts'
import { openStreamsOf } from '../open-streams.ts'
import { connectorOf } from '../parts.ts'
import { KALSHI_ADDRESSES, type KalshiAddresses } from '../venue-addresses.ts'
import type { ConnectorOptions, ReadRange, VenueConnector } from '../venue-connector.ts'
import { KALSHI_STREAM } from './kalshi-stream.ts'
import { type ListedMarket, listedMarkets, listedSeries, nextCursor } from './market-list.ts'
import { rangeParameters, tieredRange } from './ranges.ts'

const VENUE_ID = 'kalshi'
const PAGES = { events: 200, markets: 200, trades: 1_000 } as const
/** Of candles: hourly, because the venue's days are not UTC days. */
const PERIOD_MINUTES = '60'
/** Combinations of markets flood every list, and none of them lasts. */
const NO_COMBINATIONS = { mve_filter: 'exclude' } as const

/**
 * Kalshi's trade API v2 and its websocket. What is older than the venue's cutoff is asked for below `/historical`; the
 * cutoff moves, so it is read with each catalogue.
 */
export function createKalshiConnector(
  options: ConnectorOptions,
  addresses: KalshiAddresses = KALSHI_ADDRESSES,
): VenueConnector {
  const client = createClient(VENUE_ID, addresses.rest, options)
  const page = pageSizes(PAGES, options.page_max)
  let listed: readonly ListedMarket[] | null = null
  let cutoff: HistoricalCutoff | null = null
  const series = new Map<string, string>()

  const pages = (
    endpoint: string,
    path: string,
    parameters: Readonly<Record<string, string>>,
    on_page: (body: JsonText) => void = () => undefined,
    signal?: AbortSignal,
  ) =>
    fetchPages(
      client,
      { endpoint, first: `${path}?${new URLSearchParams(parameters)}`, next: nextCursor, on_page },
      signal,
    )

  async function* list(signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    const found: ListedMarket[] = []
    const keep = (body: JsonText) => void found.push(...listedMarkets(body))
    yield* pages(KALSHI.markets, '/markets', { limit: String(page.markets), ...NO_COMBINATIONS }, keep, signal)
    listed = found
  }
  async function* catalogue(signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    yield* readCutoff(signal)
    const keep = (body: JsonText) => {
      for (const [event_ticker, series_ticker] of listedSeries(body)) series.set(event_ticker, series_ticker)
    }
    yield* pages(KALSHI.events, '/events', { limit: String(page.events) }, keep, signal)
    for (const ticker of new Set(series.values())) {
      yield* fetchDocument(client, KALSHI.series, `/series/${encodeURIComponent(ticker)}`, signal)
    }
    yield* list(signal)
  }
  async function* readCutoff(signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    const fetched = yield* fetchDocument(client, KALSHI.historical_cutoff, '/historical/cutoff', signal)
    if (fetched.kind !== 'read') return
    const parsed = parseRecord(() => cutoffOf(objectOf(fetched.document)))
    if ('record' in parsed) cutoff = parsed.record
  }
  async function* open(signal?: AbortSignal): AsyncGenerator<PayloadItem, readonly ListedMarket[]> {
    if (listed === null) yield* list(signal)
    return (listed ?? []).filter(({ trades }) => trades)
  }

  return connectorOf(VENUE_ID, {
    clients: [client],
    parts: {
      catalogue: (_range, signal) => catalogue(signal),
      async *markets(_range, signal) {
        yield* list(signal)
        for (const { ticker } of yield* open(signal)) {
          const request = `/markets/${encodeURIComponent(ticker)}/orderbook`
          yield* fetchDocument(client, KALSHI.order_book, request, signal)
        }
      },
      async *trades(range, signal) {
        if (cutoff === null) yield* readCutoff(signal)
        const { historical, live } = tieredRange(range, cutoff?.trades_created_at ?? null)
        const tape = (endpoint: string, path: string, part: ReadRange) =>
          pages(endpoint, path, { limit: String(page.trades), ...rangeParameters(part) }, undefined, signal)
        if (historical !== null) yield* tape(KALSHI.historical_trades, '/historical/trades', historical)
        if (live !== null) yield* tape(KALSHI.trades, '/markets/trades', live)
      },
      async *resolutions(range, signal) {
        // Recent results stand in the list of markets; old ones have left it.
        if (cutoff === null) yield* readCutoff(signal)
        const { historical } = tieredRange(range, cutoff?.market_settled_at ?? null)
        if (historical === null) return
        const parameters = { limit: String(page.markets), ...NO_COMBINATIONS }
        yield* pages(KALSHI.historical_markets, '/historical/markets', parameters, undefined, signal)
      },
      async *history(range, signal) {
        if (series.size === 0) yield* catalogue(signal)
        for (const { ticker, event_ticker } of yield* open(signal)) {
          const series_ticker = series.get(event_ticker)
          if (series_ticker === undefined) continue
          const request = candleRequest(series_ticker, ticker, range.from, range.to ?? options.now())
          yield* fetchDocument(client, KALSHI.market_candles, request, signal)
        }
      },
    },
    openStreams: () => {
      const names = (listed ?? []).filter(({ ended }) => !ended).map(({ ticker }) => ticker)
      return openStreamsOf(VENUE_ID, { url: addresses.stream, protocol: KALSHI_STREAM, names, options })
    },
  })
}

function candleRequest(series_ticker: string, ticker: string, from: number, to: number): string {
  const seconds = (micros: number) => String(Math.floor(micros / MICROS_PER_SECOND))
  const path = `/series/${encodeURIComponent(series_ticker)}/markets/${encodeURIComponent(ticker)}/candlesticks`
  const parameters = { start_ts: seconds(from), end_ts: seconds(to), period_interval: PERIOD_MINUTES }
  return `${path}?${new URLSearchParams(parameters)}`
}
