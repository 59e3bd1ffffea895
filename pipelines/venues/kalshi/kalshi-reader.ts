import type { Micros } from '../../../primitives/instants.ts'
import { idField, optionalText, requiredText } from '../../text/json-fields.ts'
import { parseJsonText } from '../../text/json-scan.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { parseRecord, Quarantined } from '../quarantine.ts'
import { afterEnded, endedMinutes, type PayloadOrigin, payloadReader, readItem } from '../read-payload.ts'
import type { VenuePayload, VenueReader } from '../record.ts'
import { readOrderBook, readOrderBooks } from './books.ts'
import { readEventCandles, readHistoricalCandles, readMarketCandles, readMarketsCandles } from './candles.ts'
import { isCombo } from './combos.ts'
import { KALSHI } from './endpoints.ts'
import { readEvent, readEvents } from './events.ts'
import { KALSHI_CHANGE, KALSHI_FORMS } from './forms.ts'
import { cutoffOf } from './historical-cutoff.ts'
import { listField, readEach } from './lists.ts'
import { readMarket, readMarkets } from './markets.ts'
import { createMemory, type KalshiMemory, type Reading } from './memory.ts'
import { readTrades } from './trades.ts'
import { readFrame } from './ws-frames.ts'
import { loseBooks, pushMoment } from './ws-minutes.ts'

type Read = (body: JsonTextObject, reading: Reading) => void

/** Reader of payloads that are kept and checked for being JSON, without records. */
const keptOnly: Read = (_body, reading) => whole(reading, () => 'NO_MARKET_DATA')

/**
 * Reads a message; a rejected one may still have ended a book, whose last state is recorded. One that cannot be read at all may
 * have been a change of any book, so all of them are unknown from then on.
 */
function readMessage(reading: Reading): void {
  whole(reading, () => {
    const parsed = parseRecord(() => frameOf(reading.payload))
    if ('record' in parsed) return readFrame(parsed.record, reading)
    for (const subscription of reading.memory.subscriptions.values()) loseBooks(subscription, reading)
    throw new Quarantined(parsed.reason, parsed.advice)
  })
}

/** Reads a payload that is one record. */
function whole({ out, payload }: Reading, read: (origin: PayloadOrigin) => Outcome): void {
  readItem(out, payload.file, '$', read)
}

const READERS = new Map<string, Read>([
  [KALSHI.series_list, readSeriesList],
  [KALSHI.series, readSeries],
  [KALSHI.events, readEvents],
  [KALSHI.events_multivariate, readEvents],
  [KALSHI.event, readEvent],
  [KALSHI.markets, readMarkets],
  [KALSHI.market, readMarket],
  [KALSHI.order_book, readOrderBook],
  [KALSHI.order_books, readOrderBooks],
  [KALSHI.trades, readTrades],
  [KALSHI.market_candles, readMarketCandles],
  [KALSHI.markets_candles, readMarketsCandles],
  [KALSHI.event_candles, readEventCandles],
  [KALSHI.historical_markets, readMarkets],
  [KALSHI.historical_market, readMarket],
  [KALSHI.historical_trades, readTrades],
  [KALSHI.historical_candles, readHistoricalCandles],
  // The client reads this one itself (`cutoffOf`).
  [KALSHI.historical_cutoff, (body, reading) => whole(reading, () => cutoffOf(body) && 'NO_MARKET_DATA')],
  [KALSHI.event_metadata, keptOnly],
  [KALSHI.exchange_status, keptOnly],
  [KALSHI.exchange_schedule, keptOnly],
  [KALSHI.exchange_announcements, keptOnly],
  [KALSHI.fee_changes, keptOnly],
  [KALSHI.milestones, keptOnly],
  [KALSHI.structured_targets, keptOnly],
  [KALSHI.tags, keptOnly],
  [KALSHI.multivariate_collections, keptOnly],
  [KALSHI.multivariate_collection, keptOnly],
])

const MESSAGES: ReadonlySet<string> = new Set([
  ...[KALSHI.ws, KALSHI.ws_orderbook_snapshot, KALSHI.ws_orderbook_delta, KALSHI.ws_ticker, KALSHI.ws_trade],
  ...[KALSHI.ws_market_lifecycle, KALSHI.ws_heartbeat],
])

/**
 * Creates a reader of Kalshi's payloads (trade API v2, REST and websocket; endpoints of `endpoints.ts`). Binary markets with
 * outcomes YES and NO; `source_market_id` is the ticker, `source_event_id` the event ticker. It keeps titles of events,
 * categories of series, live books, and results and trades already recorded.
 * @param now the wall clock: nothing can have been received later
 */
export function createKalshiReader(now: Micros, zero_means_missing = false): VenueReader {
  const readPayload = payloadReader(now)
  const memory = createMemory(zero_means_missing)
  return {
    read: (payload) => {
      const ended = endedMinutes(memory.moments.endOver(payload.received_at), pushMoment)
      const records = readPayload(payload, (out) => {
        const reading = { payload, memory, out }
        if (MESSAGES.has(payload.endpoint)) return readMessage(reading)
        const read = READERS.get(payload.endpoint)
        if (read === undefined) throw new Quarantined('UNKNOWN_SHAPE')
        read(answerOf(payload.endpoint, parseJsonText(payload.text, KALSHI_FORMS)), reading)
      })
      return afterEnded(ended, records)
    },
    finish: () => endedMinutes(memory.moments.finish(), pushMoment) ?? {},
  }
}

/** Parses a message. @throws Quarantined if it is no object, or one that neither the venue nor a recorder sends */
function frameOf({ endpoint, text }: VenuePayload): JsonTextObject {
  const change = endpoint === KALSHI.ws_orderbook_delta ? KALSHI_CHANGE(text) : null
  if (change !== null) return change
  const frame = objectOf(parseJsonText(text, KALSHI_FORMS))
  if (frame.cmd === undefined) requiredText(frame, 'type')
  return frame
}

/** Fields of answers that recorders also keep alone: the list of an answer, its market, or one of its trades. */
const BARE = new Map<string, string>([
  [KALSHI.markets, 'markets'],
  [KALSHI.historical_markets, 'markets'],
  [KALSHI.trades, 'trades'],
  [KALSHI.historical_trades, 'trades'],
  [KALSHI.events, 'events'],
  [KALSHI.market, 'market'],
])

function answerOf(endpoint: string, document: JsonText): JsonTextObject {
  const field = BARE.get(endpoint)
  if (field === undefined) return objectOf(document)
  if (Array.isArray(document)) return { [field]: document }
  const answer = objectOf(document)
  if (endpoint === KALSHI.market && answer.ticker !== undefined) return { market: answer }
  return field === 'trades' && answer.trade_id !== undefined ? { trades: [answer] } : answer
}

/**
 * Reads `GET /series`: `{series[]}`. A series is not a record: its category and settlement sources are kept for its markets.
 */
function readSeriesList(body: JsonTextObject, reading: Reading): void {
  readEach(reading, listField(body, 'series'), 'series', (series) => remember(series, reading.memory))
}

/** Reads `GET /series/{series_ticker}`: `{series}`. */
function readSeries(body: JsonTextObject, reading: Reading): void {
  whole(reading, () => remember(objectOf(body.series), reading.memory))
}

function remember(series: JsonTextObject, memory: KalshiMemory): Outcome {
  if (isCombo(series)) return 'COMBINATION'
  const ticker = idField(series, 'ticker')
  const known = memory.series.get(ticker)
  const sources = sourcesOf(series)
  memory.series.set(ticker, {
    category: optionalText(series, 'category') ?? known?.category ?? null,
    resolution_sources: sources.length > 0 ? sources : (known?.resolution_sources ?? []),
  })
  return 'CONTEXT_ONLY'
}

/** Returns the addresses of the settlement sources; the name of one without an address. */
function sourcesOf(series: JsonTextObject): string[] {
  return listOf(series.settlement_sources)
    .map(objectOf)
    .map((source) => optionalText(source, 'url') ?? optionalText(source, 'name'))
    .filter((source) => source !== null)
}
