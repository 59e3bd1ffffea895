import type { Micros } from '../../../primitives/instants.ts'
import type { EndedMinutes } from '../read-payload.ts'
import { pushBooks } from './books.ts'
import type { BookMoment, LiveBook, Reading, Subscription } from './memory.ts'

/**
 * One-minute snapshots of live books (see LastOfMinute): a book is recorded as of the last message of each minute. It is copied
 * when the minute has ended and not at every message, so a moment is noted before the next message changes the book.
 */

/** Notes that a message is about to change a book; records the minute that it ends. */
export function noteMoment(moment: BookMoment, { memory, out }: Reading): void {
  const ended = memory.moments.add(moment.live.key, moment)
  if (ended !== null) pushMoment(out, ended)
}

/** Records the book of a minute that was over at an instant and that no message has ended. */
export function endMinuteBefore({ key }: LiveBook, at: Micros, { memory, out }: Reading): void {
  const ended = memory.moments.endBefore(key, at)
  if (ended !== null) pushMoment(out, ended)
}

/** Records a book's last state and discards it. */
export function loseBook(subscription: Subscription, ticker: string, { memory, out }: Reading): void {
  const open = memory.moments.end(keyOf(subscription, ticker))
  if (open !== null) pushMoment(out, open)
  subscription.books.delete(ticker)
}

/** Discards all books of the subscription. */
export function loseBooks(subscription: Subscription, reading: Reading): void {
  for (const ticker of [...subscription.books.keys()]) loseBook(subscription, ticker, reading)
}

/** Adds the book of a minute that has ended. */
export function pushMoment(
  { books, changed }: Pick<EndedMinutes, 'books' | 'changed'>,
  { base, source_sequence, live, is_within }: BookMoment,
): void {
  if (is_within) changed.push({ file: base.file, line: base.line, from: 'WITHIN_MINUTE', to: 'taken' })
  const [bids, asks] = [live.book.levels('bid'), live.book.levels('ask')]
  pushBooks(books, base, bids, asks, source_sequence, { bids: live.no_bids.of(asks), asks: live.no_asks.of(bids) })
}

/** Returns the key of a book among the moments. */
export function keyOf({ sid }: Subscription, ticker: string): string {
  return `${sid} ${ticker}`
}
