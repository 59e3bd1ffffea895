import type { BookRecord } from '../record.ts'
import { pushBooks } from './books.ts'
import type { BookMoment, KalshiMemory, Reading, Subscription } from './memory.ts'

/**
 * One-minute snapshots of live books (see LastOfMinute): a book is given out as it stood after the last message of each
 * minute. It is copied when the minute has ended and not at every message, so a moment is noted before the message that
 * makes it changes the book.
 */

/** Notes that a message is about to change a book; gives out the minute that it ends. */
export function noteMoment(moment: BookMoment, { memory, out }: Reading): void {
  const ended = memory.moments.add(moment.live.key, moment)
  if (ended !== null) pushMoment(out.books, ended)
}

/** The book is unknown from now on; what it was is given out. */
export function loseBook(subscription: Subscription, ticker: string, { memory, out }: Reading): void {
  const open = memory.moments.end(keyOf(subscription, ticker))
  if (open !== null) pushMoment(out.books, open)
  subscription.books.delete(ticker)
}

/** All books of the subscription are unknown from now on. */
export function loseBooks(subscription: Subscription, reading: Reading): void {
  for (const ticker of [...subscription.books.keys()]) loseBook(subscription, ticker, reading)
}

/** The books of the minutes that no message has ended. */
export function finishMinutes({ moments }: KalshiMemory): BookRecord[] {
  const books: BookRecord[] = []
  for (const moment of moments.finish()) pushMoment(books, moment)
  return books
}

function pushMoment(books: BookRecord[], { base, source_sequence, live }: BookMoment): void {
  const [bids, asks] = [live.book.levels('bid'), live.book.levels('ask')]
  pushBooks(books, base, bids, asks, source_sequence, { bids: live.no_bids.of(asks), asks: live.no_asks.of(bids) })
}

/** What names a book among the moments. */
export function keyOf({ sid }: Subscription, ticker: string): string {
  return `${sid} ${ticker}`
}
