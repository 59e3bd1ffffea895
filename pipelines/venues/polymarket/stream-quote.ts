import type { Micros } from '../../../primitives/instants.ts'
import { bookQuote } from './book-records.ts'
import type { LiveBook } from './live-book.ts'
import type { Location, Reading } from './memory.ts'
import { recordOf } from './reading.ts'
import type { TokenOutcome } from './token-directory.ts'

/** Adds a quote of a token's book if its best prices or depths changed since the last one. */
export function pushTouch(reading: Reading, location: Location, token: TokenOutcome, live: LiveBook): void {
  const [bid, ask] = [live.book.best('bid'), live.book.best('ask')]
  if (!live.isNews(bid, ask)) return
  const common = recordOf(reading, location, token.source_market_id, live.shows_at)
  reading.found.quotes.push(bookQuote(common, token.outcome, bid, ask, besideBook(live, null)))
}

/** Returns a live book's fields beside its best prices: the last trade of the stream, with its time. */
export function besideBook({ last_trade }: LiveBook, confirmed_at: Micros | null) {
  return { last_trade: last_trade?.price, last_trade_at: last_trade?.at, confirmed_at }
}
