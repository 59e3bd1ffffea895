import type { BookRecord } from '../venues/record.ts'
import { LastOfMinute } from './last-of-minute.ts'
import type { OrderBook } from './order-book.ts'

/** A book at the instant `source_at`, after a change of it or where the source confirmed it. */
export type BookState = Omit<BookRecord, 'bids' | 'asks'> & { readonly book: OrderBook }

/**
 * One-minute snapshots of books: of each outcome at most one record a UTC minute of `source_at`, the last state of each
 * minute in which the book changed or was confirmed. The instants and the sequence are those of that state, not of the
 * minute's end; minutes without a state have no record. See LastOfMinute for states that come late.
 */
export class MinuteBooks {
  readonly #last = new LastOfMinute<BookRecord>()

  /** Takes a state, which may change afterwards, and gives the record of the outcome's minute that it ends. */
  add({ book, ...state }: BookState): BookRecord | null {
    const { venue_id, source_series_id, source_market_id, outcome } = state
    const key = JSON.stringify([venue_id, source_series_id, source_market_id, outcome])
    return this.#last.add(key, { ...state, bids: book.levels('bid'), asks: book.levels('ask') })
  }

  /** The records of the minutes that are still open: the stream ends, or a boundary of it that no state may cross. */
  finish(): BookRecord[] {
    return this.#last.finish()
  }
}
