import type { Micros } from '../../../primitives/instants.ts'
import { parseJsonText } from '../../text/json-scan.ts'
import { type JsonText, listOf, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { parseRecord, Quarantined } from '../quarantine.ts'
import { afterEnded, endedMinutes, payloadReader } from '../read-payload.ts'
import type { BookRecord, ChangedOutcome, QuoteRecord, VenuePayload, VenueReader, VenueRecords } from '../record.ts'
import { endMomentAt, loseBooks, pushMoment } from './book-minutes.ts'
import { bookQuote, bookRecord } from './book-records.ts'
import { readDataTrades } from './data-trades.ts'
import { ENDPOINTS } from './endpoints.ts'
import { POLYMARKET_CHANGE, POLYMARKET_FORMS } from './forms.ts'
import { readEventsAnswer, readMarketsAnswer } from './gamma-markets.ts'
import { readMarketChannel } from './market-channel.ts'
import { type Location, Memory, type Reading } from './memory.ts'
import { readRecord, recordOf } from './reading.ts'
import { plausible, readMillis, readSeconds } from './times.ts'
import type { TokenOutcome } from './token-directory.ts'
import { numberText, readPrice, readQuotedPrice } from './values.ts'
import { readSides } from './whole-book.ts'

type EndpointReader = (reading: Reading, document: JsonText) => void

const READERS: ReadonlyMap<string, EndpointReader> = new Map(
  Object.entries<EndpointReader>({
    [ENDPOINTS.gamma_markets]: readMarketsAnswer,
    [ENDPOINTS.gamma_market]: readMarketsAnswer,
    [ENDPOINTS.gamma_events]: readEventsAnswer,
    [ENDPOINTS.gamma_event]: readEventsAnswer,
    [ENDPOINTS.clob_book]: readClobBook,
    [ENDPOINTS.clob_books]: readClobBooks,
    [ENDPOINTS.clob_market]: readMarketsAnswer,
    [ENDPOINTS.prices_history]: readPricesHistory,
    [ENDPOINTS.data_trades]: readDataTrades,
    [ENDPOINTS.ws_market]: readMarketChannel,
  }),
)

/** Text that only keeps a websocket open. */
const KEEPALIVE = /^\s*P[IO]NG\s*$/

/**
 * Creates a reader of Polymarket's payloads. References (Gamma markets and events, CLOB markets) map tokens to outcomes; a
 * token without a reference is quarantined as UNKNOWN_OUTCOME. Books built from websocket messages are recorded once a minute,
 * requested ones as they come.
 * @param now the wall clock: nothing can have been received later
 */
export function createPolymarketReader(now: Micros): VenueReader {
  const readPayload = payloadReader(now)
  const memory = new Memory()
  return {
    read(payload: VenuePayload): VenueRecords {
      const ended = endedMinutes(memory.moments.endOver(payload.received_at), pushMoment)
      return afterEnded(
        ended,
        readPayload(payload, (found) => readEndpoint({ payload, memory, found })),
      )
    },
    finish: () => finish(memory),
  }
}

/** Returns the last book of each token, and rejects what waits for a market that nothing has described. */
function finish(memory: Memory): VenueRecords {
  const last = { books: [] as BookRecord[], changed: [] as ChangedOutcome[] }
  for (const moment of memory.moments.finish()) pushMoment(last, moment)
  const unknown = [...memory.waiting.values()].flat()
  memory.waiting.clear()
  const quarantine = unknown.map(({ payload, location: { line, path } }) => {
    last.changed.push({ file: payload.file, line, from: 'WAITS_FOR_MARKET', to: 'quarantined' })
    return { file: payload.file, line, path, reason: 'UNKNOWN_MARKET' as const }
  })
  return quarantine.length === 0 ? last : { ...last, quarantine }
}

function readEndpoint(reading: Reading): void {
  const { endpoint, received_at, text } = reading.payload
  plausible(received_at)
  const read = READERS.get(endpoint)
  if (read === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  if (endpoint === ENDPOINTS.ws_market && KEEPALIVE.test(text)) {
    readRecord(reading, '$', () => 'CONNECTION')
    return
  }
  if (endpoint === ENDPOINTS.ws_market) readMessages(reading)
  else read(reading, parseJsonText(text, POLYMARKET_FORMS))
}

/** Reads a frame of the websocket. One that cannot be read may have been a change of any book. */
function readMessages(reading: Reading): void {
  const { text } = reading.payload
  const parsed = parseRecord(() => POLYMARKET_CHANGE(text) ?? parseJsonText(text, POLYMARKET_FORMS))
  if ('record' in parsed) readMarketChannel(reading, parsed.record)
  else {
    readRecord(reading, '$', () => {
      loseBooks(reading)
      throw new Quarantined(parsed.reason, parsed.advice)
    })
  }
}

/** Reads `GET /book`: the whole book of one token. */
function readClobBook(reading: Reading, document: JsonText): void {
  readRecord(reading, '$', (location) => takeBook(reading, location, document))
}

/** Reads `POST /books`: a bare list of books. */
function readClobBooks(reading: Reading, document: JsonText): void {
  if (document === null) throw new Quarantined('UNKNOWN_SHAPE')
  for (const [i, item] of listOf(document).entries()) {
    readRecord(reading, `$[${i}]`, (location) => takeBook(reading, location, item))
  }
}

/**
 * Reads one book with its best prices, confirmed by the read. It is a new base for a stream that has lost its own.
 * @throws Quarantined
 */
function takeBook(reading: Reading, location: Location, item: JsonText): Outcome {
  const message = objectOf(item)
  if (message.asset_id === undefined && (message.bids ?? message.buys) === undefined)
    throw new Quarantined('UNKNOWN_SHAPE')
  const { token_id, source_market_id, outcome } = reading.memory.tokens.find(message.asset_id, message.market)
  const { bids, asks } = readSides(message)
  const last_trade = readQuotedPrice(message.last_trade_price)
  const { received_at } = reading.payload
  const source_at = (message.timestamp ?? '') === '' ? received_at : readMillis(message.timestamp)
  const confirmed_at = Math.max(received_at, source_at)
  const common = recordOf(reading, location, source_market_id, source_at)
  endMomentAt(reading, token_id, source_at)
  const live = reading.memory.book(token_id)
  live.offer(bids, asks, source_at)
  // The answer has no time of the last trade; the stream may have shown the same trade with its time.
  live.stateLastTrade(last_trade, source_at)
  const last_trade_at = live.last_trade?.price === last_trade ? live.last_trade?.at : null
  reading.found.books.push(bookRecord(common, outcome, bids, asks))
  reading.found.quotes.push(bookQuote(common, outcome, bids[0], asks[0], { last_trade, last_trade_at, confirmed_at }))
  return 'taken'
}

/**
 * Reads `GET /prices-history?market=TOKEN`: midpoints of one token, at instants some seconds after the hour. The answer names
 * no token, so the request must. An empty history is valid. A midpoint is never a payout (P15).
 * @throws Quarantined
 */
function readPricesHistory(reading: Reading, document: JsonText): void {
  const { history } = objectOf(document)
  if (history === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  const points = listOf(history)
  const token = reading.memory.tokens.find(tokenAskedFor(reading.payload.request), null)
  for (const [i, point] of points.entries()) {
    readRecord(reading, `history[${i}]`, (location) => {
      reading.found.quotes.push(readPoint(reading, location, point, token))
      return 'taken'
    })
  }
}

function tokenAskedFor(request: string | null): string | undefined {
  const query = request?.split('?')[1]
  return query === undefined ? undefined : (new URLSearchParams(query).get('market') ?? undefined)
}

function readPoint(reading: Reading, location: Location, item: JsonText, token: TokenOutcome): QuoteRecord {
  const { t, p } = objectOf(item)
  const reported_probability = readPrice(p)
  return {
    ...recordOf(reading, location, token.source_market_id, readSeconds(t)),
    outcome: token.outcome,
    reported_probability,
    raw_value: numberText(p),
    is_final: false,
    text: '',
    book: null,
  }
}
