import type { Micros } from '../../../primitives/instants.ts'
import { readId } from '../../text/fields.ts'
import type { JsonText, JsonTextObject } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { parseRecord, Quarantined } from '../quarantine.ts'
import { CLOCK_AHEAD_MAX, sourceTime } from '../source-times.ts'
import { endMoments, loseBooks, noteMoment } from './book-minutes.ts'
import { bookQuote } from './book-records.ts'
import { readSide } from './data-trades.ts'
import { readMarketResolved, readNewMarket } from './market-messages.ts'
import type { Location, Reading } from './memory.ts'
import { readPriceChange } from './price-change.ts'
import { attempt, lostAt, readRecord, recordOf } from './reading.ts'
import { besideBook, pushStatedTouch } from './stream-quote.ts'
import { readMillis } from './times.ts'
import { fillId, tapeId } from './trade-ids.ts'
import { changeTrading, readTrading } from './trading.ts'
import { rawPrice, readPositiveQuantity, readPrice, readQuotedPrice } from './values.ts'
import { readSides } from './whole-book.ts'

type MessageReader = (reading: Reading, message: JsonTextObject, location: Location) => Outcome

const READERS: ReadonlyMap<string, MessageReader> = new Map(
  Object.entries<MessageReader>({
    book: readBook,
    price_change: readPriceChange,
    last_trade_price: readLastTrade,
    tick_size_change: readTickSizeChange,
    best_bid_ask: readBestPrices,
    market_resolved: readMarketResolved,
    new_market: readNewMarket,
  }),
)

/**
 * Reads `ws market`: a frame is one message or a list of them, in the order in which they count. A message without a type, and of
 * no shape that is known without one, may have been a change of any book.
 */
export function readMarketChannel(reading: Reading, document: JsonText): void {
  const items = Array.isArray(document) ? (document as readonly JsonText[]) : [document]
  for (const [i, item] of items.entries()) {
    const { memory, found } = reading
    memory.message = { is_within: false }
    readRecord(reading, Array.isArray(document) ? `$[${i}]` : '$', (location) => {
      if (!isMessage(item)) {
        loseBooks(reading)
        throw new Quarantined('UNKNOWN_SHAPE')
      }
      return readerOf(item)(reading, item, location)
    })
    memory.message.is_within = found.outcomes.at(-1) === 'WITHIN_MINUTE'
  }
  // One message has at most one state per outcome.
  if (items.length < 2) return
  keepLastOfInstant(reading.found.quotes)
  keepLastOfInstant(reading.found.books)
}

/** Whether a value has a type, or the shape of a message without one. */
function isMessage(item: JsonText): item is JsonTextObject {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return false
  const message = item as JsonTextObject
  return (message.event_type ?? typeByShape(message)) !== null
}

function readerOf(message: JsonTextObject): MessageReader {
  const type = message.event_type ?? typeByShape(message)
  if (type === 'subscription') return () => 'CONNECTION'
  const reader = typeof type === 'string' ? READERS.get(type) : undefined
  if (reader === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  return reader
}

/** Recognizes messages without their type: the two about books, and a subscription, which the recorder sent itself. */
function typeByShape(message: JsonTextObject): string | null {
  if (message.price_changes !== undefined) return 'price_change'
  if (message.assets_ids !== undefined) return 'subscription'
  return (message.bids ?? message.buys) === undefined ? null : 'book'
}

type State = { readonly source_market_id: string; readonly outcome: string; readonly source_at: Micros }

/** Keeps the last of several states of one outcome at one instant, all received together. */
function keepLastOfInstant<T extends State>(records: T[]): void {
  if (records.length < 2) return
  const last = new Map<string, T>()
  for (const record of records) {
    const key = `${record.source_market_id}\u001f${record.outcome}\u001f${record.source_at}`
    last.delete(key)
    last.set(key, record)
  }
  records.splice(0, records.length, ...last.values())
}

/** Reads a whole book: the new base of its token. An unreadable one leaves the book unknown. */
function readBook(reading: Reading, message: JsonTextObject, location: Location): Outcome {
  const token = reading.memory.tokens.find(message.asset_id, null)
  const live = reading.memory.book(token.token_id)
  const taken = parseRecord(() => {
    reading.memory.tokens.find(message.asset_id, message.market)
    const { bids, asks } = readSides(message)
    const source_at = readMillis(message.timestamp)
    const shows_at = Math.max(
      sourceTime(source_at, reading.payload.received_at, CLOCK_AHEAD_MAX.polymarket),
      live.shows_at,
    )
    noteMoment(reading, location, token, shows_at)
    live.replace(bids, asks, source_at)
    live.stateLastTrade(readQuotedPrice(message.last_trade_price), source_at)
  })
  if ('reason' in taken) {
    endMoments(reading, token.token_id)
    live.lose(lostAt(reading, message))
    throw new Quarantined(taken.reason)
  }
  const [bid, ask] = [live.book.best('bid'), live.book.best('ask')]
  live.isNews(bid, ask)
  const common = recordOf(reading, location, token.source_market_id, live.shows_at)
  const beside = besideBook(live, Math.max(reading.payload.received_at, live.shows_at))
  reading.found.quotes.push(bookQuote(common, token.outcome, bid, ask, beside))
  return 'taken'
}

/**
 * Reads a trade. The venue gives no id: it is derived from the transaction, as for the Data API, or from the content where an
 * older recording states no transaction. The counter for equal trades is per recording (file), so that a second recording of the
 * same stream gives the same trades again.
 */
function readLastTrade(reading: Reading, message: JsonTextObject, location: Location): Outcome {
  const { memory, payload } = reading
  const token = memory.tokens.find(message.asset_id, message.market)
  const price = readPrice(message.price)
  const quantity = readPositiveQuantity(message.size)
  const side = readSide(message.side)
  const source_at = readMillis(message.timestamp)
  const common = recordOf(reading, location, token.source_market_id, source_at)
  const terms = [token.token_id, side ?? '', price, quantity]
  const transaction = readTransaction(message)
  reading.found.trades.push({
    ...common,
    outcome: token.outcome,
    price,
    ...rawPrice(message.price, price),
    quantity,
    aggressor_side: side,
    source_trade_id:
      transaction === null
        ? tapeId([...terms, source_at], memory.stream_trades, payload.file)
        : fillId([transaction, ...terms], memory.stream_trades, payload.file),
    source_sequence: null,
    correction_kind: null,
  })
  const live = memory.book(token.token_id)
  if (source_at >= (live.last_trade?.at ?? 0)) live.last_trade = { price, at: source_at }
  live.see(source_at)
  return 'taken'
}

/** Reads the transaction that settled a trade; null where the message states none. */
function readTransaction({ transaction_hash }: JsonTextObject): string | null {
  if (transaction_hash === undefined || transaction_hash === null || transaction_hash === '') return null
  if (typeof transaction_hash !== 'string') throw new Quarantined('BAD_TEXT')
  return readId(transaction_hash)
}

/** Reads a new tick size, which starts a new epoch of the book: the old one is dropped until the next whole one. */
function readTickSizeChange(reading: Reading, message: JsonTextObject, location: Location): Outcome {
  const token = reading.memory.tokens.find(message.asset_id, message.market)
  endMoments(reading, token.token_id)
  reading.memory.book(token.token_id).lose(lostAt(reading, message))
  const is_changed = attempt(reading, location, () =>
    changeTrading(reading, location, token.source_market_id, readTrading(message.new_tick_size, undefined)),
  )
  return is_changed === true ? 'taken' : 'CONTEXT_ONLY'
}

/** Reads best prices without depths, which count only while the more detailed book is unknown. */
function readBestPrices(reading: Reading, message: JsonTextObject, location: Location): Outcome {
  const token = reading.memory.tokens.find(message.asset_id, message.market)
  const live = reading.memory.book(token.token_id)
  if (live.book.known) return 'IN_BOOK'
  if (message.best_bid === undefined || message.best_ask === undefined) throw new Quarantined('MISSING_FIELD')
  const best = { bid: readQuotedPrice(message.best_bid), ask: readQuotedPrice(message.best_ask) }
  return pushStatedTouch(reading, location, token, best, readMillis(message.timestamp))
}
