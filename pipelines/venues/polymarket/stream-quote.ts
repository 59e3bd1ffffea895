import type { DecimalString } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { Outcome } from '../outcomes.ts'
import type { BookLevel } from '../record.ts'
import { bookQuote, quoteRecord } from './book-records.ts'
import type { LiveBook } from './live-book.ts'
import type { Location, Reading } from './memory.ts'
import { recordOf } from './reading.ts'
import type { TokenOutcome } from './token-directory.ts'

/** Adds a quote of a token's book if its best prices or depths changed since the last one; returns whether it did. */
export function pushTouch(reading: Reading, location: Location, token: TokenOutcome, live: LiveBook): boolean {
  const [bid, ask] = [live.book.best('bid'), live.book.best('ask')]
  if (!live.isNews(bid, ask)) return false
  const common = recordOf(reading, location, token.source_market_id, live.shows_at)
  reading.found.quotes.push(bookQuote(common, token.outcome, bid, ask, besideBook(live, null)))
  return true
}

/** Best prices that a message states without their depths; null: none. */
type StatedTouch = { readonly bid: DecimalString | null; readonly ask: DecimalString | null }

/** Adds a quote of best prices that the venue states while the book is unknown, if they changed since the last quote. */
export function pushStatedTouch(
  reading: Reading,
  location: Location,
  token: TokenOutcome,
  { bid, ask }: StatedTouch,
  stated_at: Micros,
): Outcome {
  const live = reading.memory.book(token.token_id)
  const common = recordOf(reading, location, token.source_market_id, stated_at)
  if (!live.isNews(withoutDepth(bid), withoutDepth(ask), common.source_at)) return 'UNCHANGED'
  reading.found.quotes.push(quoteRecord(common, token.outcome, { bid, ask, ...besideBook(live, null) }))
  return 'taken'
}

function withoutDepth(price: DecimalString | null): BookLevel | null {
  return price === null ? null : { price, quantity: '' }
}

/** Returns a live book's fields beside its best prices: the last trade of the stream, with its time. */
export function besideBook({ last_trade }: LiveBook, confirmed_at: Micros | null) {
  return { last_trade: last_trade?.price, last_trade_at: last_trade?.at, confirmed_at }
}
