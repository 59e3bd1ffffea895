import type { DecimalString } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { BookSide } from '../../../vocabulary/market.ts'
import { isSameLevel, OrderBook } from '../../market/order-book.ts'
import type { BookLevel } from '../record.ts'

/** The total that a message says now rests at a price; 0 means none. */
export type LevelChange = { readonly side: BookSide; readonly price: DecimalString; readonly quantity: DecimalString }

export type LastTrade = { readonly price: DecimalString; readonly at: Micros }

const NEVER: Micros = 0

/**
 * The book of one token as websocket messages build it. Messages count in the order of their arrival: their milliseconds
 * may repeat or go back within a burst, so the book's own source time is the newest one that it contains.
 */
export class LiveBook {
  readonly book = new OrderBook()
  last_trade: LastTrade | null = null
  #shows_at = NEVER
  /** A whole book read by request counts from here on: it holds every message that was missed. */
  #missed_at = NEVER
  /** Changes before this are in the whole book already. */
  #contains_before = NEVER
  #told_bid: BookLevel | null = NOT_TOLD
  #told_ask: BookLevel | null = NOT_TOLD

  /** The newest source time of anything that the book shows. */
  get shows_at(): Micros {
    return this.#shows_at
  }

  /** A whole book from the stream itself: what comes after it comes after it. */
  replace(bids: readonly BookLevel[], asks: readonly BookLevel[], source_at: Micros): void {
    this.book.replace(bids, asks)
    this.#contains_before = NEVER
    this.see(source_at)
  }

  /** A whole book read by request: taken only where the stream has lost the book and this is not older than the loss. */
  offer(bids: readonly BookLevel[], asks: readonly BookLevel[], source_at: Micros): void {
    if (this.book.known || this.#missed_at === NEVER || source_at < this.#missed_at) return
    this.replace(bids, asks, source_at)
    this.#contains_before = source_at
  }

  /** True where a change is older than the whole book that was read by request. */
  contains(source_at: Micros): boolean {
    return source_at < this.#contains_before
  }

  /** The changes of one message. */
  apply(changes: readonly LevelChange[], source_at: Micros): void {
    for (const { side, price, quantity } of changes) this.book.set(side, price, quantity)
    this.see(source_at)
  }

  /** The book now shows what happened at `source_at`. */
  see(source_at: Micros): void {
    this.#shows_at = Math.max(this.#shows_at, source_at)
  }

  /** The book is unknown until the next whole one; `source_at` is the latest instant at which something may be missing. */
  lose(source_at: Micros): void {
    this.book.clear()
    this.#missed_at = Math.max(this.#missed_at, source_at)
  }

  /** True where the best levels are others than when this was asked last. */
  isNews(bid: BookLevel | null, ask: BookLevel | null): boolean {
    const news = !isSameLevel(bid, this.#told_bid) || !isSameLevel(ask, this.#told_ask)
    this.#told_bid = bid
    this.#told_ask = ask
    return news
  }
}

/** No level that a book has. */
const NOT_TOLD: BookLevel = { price: '', quantity: 'none' }
