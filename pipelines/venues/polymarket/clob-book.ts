import { type JsonText, listOf, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { bookQuote, bookRecord } from './book-records.ts'
import { attempt, type Place, type Reading, recordOf, WHOLE } from './reading.ts'
import { readMillis } from './times.ts'
import { readQuotedPrice } from './values.ts'
import { readSides } from './whole-book.ts'

/** `GET /book`: the whole book of one token. */
export function readClobBook(reading: Reading, document: JsonText): void {
  attempt(reading, WHOLE, () => takeBook(reading, WHOLE, document))
}

/** `POST /books`: a bare list of books. */
export function readClobBooks(reading: Reading, document: JsonText): void {
  if (document === null) throw new Quarantined('UNKNOWN_SHAPE')
  for (const [i, item] of listOf(document).entries()) {
    const place = { line: i + 1, path: `$[${i}]` }
    attempt(reading, place, () => takeBook(reading, place, item))
  }
}

/**
 * One book with its best prices, confirmed by the read. It gives the stream a new base where that has lost its own.
 * @throws Quarantined
 */
function takeBook(reading: Reading, place: Place, item: JsonText): void {
  const message = objectOf(item)
  if (message.asset_id === undefined && message.bids === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  const { token_id, source_market_id, outcome } = reading.memory.tokens.find(message.asset_id, message.market)
  const { bids, asks } = readSides(message)
  const last_trade = readQuotedPrice(message.last_trade_price)
  const confirmed_at = reading.payload.received_at
  const source_at = (message.timestamp ?? '') === '' ? confirmed_at : readMillis(message.timestamp)
  const common = recordOf(reading, place, source_market_id, source_at)
  const live = reading.memory.book(token_id)
  live.offer(bids, asks, source_at)
  // The answer gives no time of the last trade; the stream may have shown the same trade with its time.
  const last_trade_at = live.last_trade?.price === last_trade ? live.last_trade?.at : null
  reading.found.books.push(bookRecord(common, outcome, bids, asks))
  reading.found.quotes.push(bookQuote(common, outcome, bids[0], asks[0], { last_trade, last_trade_at, confirmed_at }))
}
