import type { DecimalString } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { BookSide } from '../../../vocabulary/market.ts'
import { isSameLevel, OrderBook } from '../../market/order-book.ts'
import type { BookLevel } from '../record.ts'
import { isConfirmationDue } from '../standing-quote.ts'

/** The new total at a price; 0 means none. */
export type LevelChange = { readonly side: BookSide; readonly price: DecimalString; readonly quantity: DecimalString }

/** `at` null: a book states its price alone. */
export type LastTrade = { readonly price: DecimalString; readonly at: Micros | null }

const NEVER: Micros = 0

/**
 * The book of one token as websocket messages build it. Messages count in the order of arrival: their milliseconds may repeat
 * or go back within a burst, so the book's own source time is the newest one in it.
 */
export class LiveBook {
  readonly book = new OrderBook()
  last_trade: LastTrade | null = null
  #shows_at = NEVER
  /** A whole book read by request is accepted from here on: it contains every missed message. */
  #missed_at = NEVER
  /** The whole book contains all changes before this instant. */
  #contains_before = NEVER
  #told_bid: BookLevel | null = NOT_TOLD
  #told_ask: BookLevel | null = NOT_TOLD
  /** Source time of the last quote. */
  #told_at = NEVER

  /** The newest source time in the book. */
  get shows_at(): Micros {
    return this.#shows_at
  }

  /** Replaces the book by a whole one of the stream itself; every later message follows it. */
  replace(bids: readonly BookLevel[], asks: readonly BookLevel[], source_at: Micros): void {
    this.book.replace(bids, asks)
    this.#contains_before = NEVER
    this.see(source_at)
  }

  /**
   * Offers a whole book read by request: taken only if the stream has lost the book and this one is not older than the loss.
   */
  offer(bids: readonly BookLevel[], asks: readonly BookLevel[], source_at: Micros): void {
    if (this.book.known || this.#missed_at === NEVER || source_at < this.#missed_at) return
    this.replace(bids, asks, source_at)
    this.#contains_before = source_at
  }

  /** Returns whether a change is older than the whole book that was read by request. */
  contains(source_at: Micros): boolean {
    return source_at < this.#contains_before
  }

  /** Applies the changes of one message. */
  apply(changes: readonly LevelChange[], source_at: Micros): void {
    for (const { side, price, quantity } of changes) this.book.set(side, price, quantity)
    this.see(source_at)
  }

  /**
   * Records the last trade that a whole book states; null: it states none. The trade of the stream stays where it is the same one, or
   * newer than the book.
   */
  stateLastTrade(price: DecimalString | null, source_at: Micros): void {
    if (price === null || this.last_trade?.price === price || source_at < (this.last_trade?.at ?? 0)) return
    this.last_trade = { price, at: null }
  }

  /** Records that the book now shows an event at `source_at`. */
  see(source_at: Micros): void {
    this.#shows_at = Math.max(this.#shows_at, source_at)
  }

  /** Discards the book until the next whole one; `source_at` is the latest instant at which a message may be missing. */
  lose(source_at: Micros): void {
    this.book.clear()
    this.#missed_at = Math.max(this.#missed_at, source_at)
  }

  /**
   * Returns whether the best levels are due as a quote: they changed since the last one, or the book has stood so long since
   * that it confirms them.
   */
  isNews(bid: BookLevel | null, ask: BookLevel | null, source_at: Micros = this.#shows_at): boolean {
    const is_same = isSameLevel(bid, this.#told_bid) && isSameLevel(ask, this.#told_ask)
    if (is_same && !isConfirmationDue(this.#told_at, source_at)) return false
    this.#told_bid = bid
    this.#told_ask = ask
    this.#told_at = source_at
    return true
  }
}

/** A level that no book has. */
const NOT_TOLD: BookLevel = { price: '', quantity: 'none' }
