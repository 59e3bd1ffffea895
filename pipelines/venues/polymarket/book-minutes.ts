import type { Micros } from '../../../primitives/instants.ts'
import type { BookRecord, ChangedOutcome } from '../record.ts'
import { CLOCK_AHEAD_MAX, sourceTime } from '../source-times.ts'
import { bookRecord } from './book-records.ts'
import type { BookMoment, Location, Reading } from './memory.ts'
import { recordAt } from './reading.ts'
import type { TokenOutcome } from './token-directory.ts'

/**
 * One-minute snapshots of the books that websocket messages build (see LastOfMinute): a book is recorded as of the last message
 * of each minute. Its levels are copied when the minute has ended and not at every message, so a moment is noted before the
 * next message changes the book.
 */

/**
 * Notes that a message is about to change a token's book; records the minute that it ends.
 * @param source_at the newest instant that the book will show
 * @throws Quarantined BAD_DATE, SOURCE_AFTER_RECEIVED
 */
export function noteMoment(reading: Reading, location: Location, token: TokenOutcome, source_at: Micros): void {
  const { memory, payload, found } = reading
  const { file, received_at } = payload
  const { book } = memory.book(token.token_id)
  const { message } = memory
  const moment = {
    file,
    location,
    token,
    source_at: sourceTime(source_at, received_at, CLOCK_AHEAD_MAX.polymarket),
    received_at,
    book,
    message,
  }
  const ended = memory.moments.add(token.token_id, moment)
  if (ended !== null) pushMoment(found, ended)
}

/** Records a token's open moment, before its book ends or is replaced. */
export function endMoments({ memory, found }: Reading, token_id: string): void {
  const open = memory.moments.end(token_id)
  if (open !== null) pushMoment(found, open)
}

/**
 * Records a token's open moment before a requested book about the same instant. Records of one instant then come in the order of
 * receipt, so that they get the same revisions whether they are stored one by one, as they arrive, or together.
 */
export function endMomentAt({ memory, found }: Reading, token_id: string, source_at: Micros): void {
  const open = memory.moments.endAt(token_id, source_at)
  if (open !== null) pushMoment(found, open)
}

/** Discards every book until its next whole one, as after a message that may have changed any of them. */
export function loseBooks(reading: Reading): void {
  for (const [token_id, live] of reading.memory.books()) {
    endMoments(reading, token_id)
    live.lose(reading.payload.received_at)
  }
}

/** Adds the book of a moment; a message that was counted as one within a minute has given a record now. */
export function pushMoment(
  { books, changed }: { readonly books: BookRecord[]; readonly changed: ChangedOutcome[] },
  moment: BookMoment,
): void {
  const { file, location, message } = moment
  if (message.is_within) changed.push({ file, line: location.line, from: 'WITHIN_MINUTE', to: 'taken' })
  message.is_within = false
  books.push(recordOfMoment(moment))
}

function recordOfMoment({ file, location, token, source_at, received_at, book }: BookMoment) {
  const common = recordAt(file, location, token.source_market_id, source_at, received_at)
  return bookRecord(common, token.outcome, book.levels('bid'), book.levels('ask'))
}
