import { BINARY_OUTCOMES } from '../../../vocabulary/market.ts'
import { readId } from '../../text/fields.ts'
import { idField } from '../../text/json-fields.ts'
import { type JsonTextObject, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { missingField } from '../quarantine.ts'
import { readItem } from '../read-payload.ts'
import type { BookLevel, BookRecord } from '../record.ts'
import { isCombo, isComboTicker } from './combos.ts'
import { complementLevels, type Ladder, readLadder } from './ladders.ts'
import { listField, readEach } from './lists.ts'
import type { Base, Reading, Touch } from './memory.ts'
import { baseOf, pushQuotes } from './quotes.ts'

/** Reads `GET /markets/{ticker}/orderbook`: `{orderbook}` or `{orderbook_fp}`. Only the request names the market. */
export function readOrderBook(body: JsonTextObject, reading: Reading): void {
  const ticker = requestedTicker(reading.payload.request)
  const path = body.orderbook_fp === undefined ? 'orderbook' : 'orderbook_fp'
  readItem(reading.out, reading.payload.file, path, (origin) => {
    if (isComboTicker(ticker)) return 'COMBINATION'
    return readBook(baseOf(reading, origin, ticker, reading.payload.received_at), objectOf(body[path]), reading)
  })
}

/** Reads `GET /markets/orderbooks`: `{orderbooks[{ticker, orderbook_fp}]}`. */
export function readOrderBooks(body: JsonTextObject, reading: Reading): void {
  readEach(reading, listField(body, 'orderbooks'), 'orderbooks', (item, origin) => {
    if (isCombo(item)) return 'COMBINATION'
    const base = baseOf(reading, origin, idField(item, 'ticker'), reading.payload.received_at)
    return readBook(base, objectOf(item.orderbook_fp ?? item.orderbook), reading)
  })
}

/**
 * Records the whole books of YES and NO. The venue shows bids of both and no asks: the asks of one are one minus the bids of
 * the other.
 * @param bids for YES, best first
 * @param asks for YES, best first
 * @param source_sequence of the message, if it has one
 * @param no both sides for NO, if known already
 */
export function pushBooks(
  books: BookRecord[],
  base: Base,
  bids: Ladder,
  asks: Ladder,
  source_sequence: number | null,
  no = { bids: complementLevels(asks) as Ladder, asks: complementLevels(bids) as Ladder },
): void {
  const [yes_label, no_label] = BINARY_OUTCOMES
  books.push(
    bookOf(base, yes_label, bids, asks, source_sequence),
    bookOf(base, no_label, no.bids, no.asks, source_sequence),
  )
}

function bookOf(base: Base, outcome: string, bids: Ladder, asks: Ladder, source_sequence: number | null): BookRecord {
  return {
    file: base.file,
    line: base.line,
    path: base.path,
    venue_id: base.venue_id,
    source_series_id: base.source_series_id,
    source_market_id: base.source_market_id,
    outcome,
    source_at: base.source_at,
    received_at: base.received_at,
    source_sequence,
    price_unit: 'probability',
    bids,
    asks,
    asks_derived: true,
    overround: null,
  }
}

/** Returns the best bids of both outcomes; null if there are none. */
export function touchOf(yes: BookLevel | null, no: BookLevel | null): Touch {
  return {
    yes_bid: yes?.price ?? null,
    no_bid: no?.price ?? null,
    yes_depth: yes?.quantity ?? null,
    no_depth: no?.quantity ?? null,
    last: null,
  }
}

function readBook(base: Base, book: JsonTextObject, reading: Reading): Outcome {
  const [yes, no] = [readLadder(book, 'yes'), readLadder(book, 'no')]
  pushBooks(reading.out.books, base, yes, complementLevels(no), null)
  pushQuotes(reading, base, touchOf(yes[0] ?? null, no[0] ?? null), {
    source_sequence: null,
    confirmed_at: base.received_at,
  })
  return 'taken'
}

function requestedTicker(request: string | null): string {
  const ticker = /\/markets\/([^/?#]+)\/orderbook(?:[?#]|$)/.exec(request ?? '')?.[1]
  if (ticker === undefined) throw missingField('the market, in the request, the wrapper or the name of the file,')
  return readId(ticker)
}
