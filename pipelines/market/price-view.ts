import { type DecimalString, SCALE } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import { divideHalfEven, fromScaled, toScaled } from '../../primitives/scaled.ts'
import type { BookReason } from '../../vocabulary/market.ts'

/**
 * Arithmetic of a market's price view: midpoint, spread, the side derived from the other outcome, and the top of the book that
 * stands. `quality-label.ts` decides its label.
 */

type Price = DecimalString | null

/** Top of book and last trade of one outcome: prices with 9 fraction digits, depths in contracts; null is missing. */
export type Touch = {
  readonly best_bid: Price
  readonly best_ask: Price
  readonly last_trade: Price
  readonly bid_depth: DecimalString | null
  readonly ask_depth: DecimalString | null
}

/** Midpoint and spread of a book; both null without two sides, and for a book that does not count. */
export type BookPrices = {
  readonly midpoint: Price
  readonly spread: Price
  /** Why a book does not count (methodology index-1 §4); null: it counts, or a side is missing. */
  readonly reason: BookReason | null
}

const DIGITS = SCALE.observed_value
const ONE = toScaled('1', DIGITS)

/** Rules by which values are derived, beside the rules of marks. */
export const MIDPOINT_RULE = 'midpoint of bid and ask'
export const SPREAD_RULE = 'ask minus bid'

/**
 * Returns (bid + ask) / 2, half even, and ask - bid, both with 9 fraction digits. A crossed or locked book and the book of a
 * paused market have neither, with the reason.
 * @throws {ServiceError} VALIDATION_DECIMAL_INVALID for a price with more than 9 fraction digits, as all of this file do
 */
export function bookPrices(bid: Price, ask: Price, is_paused: boolean): BookPrices {
  const reason = reasonOf(bid, ask, is_paused)
  if (bid === null || ask === null || reason !== null) return { midpoint: null, spread: null, reason }
  const [low, high] = [toScaled(bid, DIGITS), toScaled(ask, DIGITS)]
  const midpoint = fromScaled(divideHalfEven(low + high, 2n), DIGITS)
  return { midpoint, spread: fromScaled(high - low, DIGITS), reason }
}

function reasonOf(bid: Price, ask: Price, is_paused: boolean): BookReason | null {
  if (bid !== null && ask !== null && toScaled(bid, DIGITS) >= toScaled(ask, DIGITS)) return 'CROSSED_BOOK'
  return is_paused && (bid !== null || ask !== null) ? 'MARKET_PAUSED' : null
}

/** Returns 1 - price with 9 fraction digits: the same price for the other outcome of a binary market. */
export function complementPrice(price: DecimalString): DecimalString {
  return fromScaled(ONE - toScaled(price, DIGITS), DIGITS)
}

/**
 * Derives the touch of one outcome of a binary market from the other one's: its bid is this one's ask and the reverse.
 * A trade stays with the outcome in which it was made.
 * @returns null for a book that does not count, and for one that is too old
 */
export function complementTouch(
  other: Touch,
  { is_paused, is_stale }: { readonly is_paused: boolean; readonly is_stale: boolean },
): Touch | null {
  if (is_stale || bookPrices(other.best_bid, other.best_ask, is_paused).reason !== null) return null
  return {
    best_bid: other.best_ask === null ? null : complementPrice(other.best_ask),
    best_ask: other.best_bid === null ? null : complementPrice(other.best_bid),
    last_trade: null,
    bid_depth: other.ask_depth,
    ask_depth: other.bid_depth,
  }
}

/** Best prices of a source at the latest instant at which it was known to show them. */
export type Sighting = {
  readonly touch: Omit<Touch, 'last_trade'>
  readonly confirmed_at: Micros
}

/** Source that shows the best prices that stand, and until when they were seen. */
export type StandingTouch = {
  /** `quote`: a newer quote contradicts the book, or there is no book. */
  readonly source: 'quote' | 'book'
  readonly confirmed_at: Micros
  /** Whether the stored book has these best prices and depths. */
  readonly is_top_of_book: boolean
}

/**
 * Decides between an outcome's newest quote and its newest stored book. A book that shows the same best prices confirms the
 * quote, and the quote the book; of two that differ the one seen later counts, the book if both were seen at once.
 */
export function standingTouch(quote: Sighting, book: Sighting | null): StandingTouch {
  if (book === null) return { source: 'quote', confirmed_at: quote.confirmed_at, is_top_of_book: false }
  if (isSameTouch(quote.touch, book.touch)) {
    const confirmed_at = Math.max(quote.confirmed_at, book.confirmed_at)
    return { source: 'book', confirmed_at, is_top_of_book: true }
  }
  const is_newer = quote.confirmed_at > book.confirmed_at
  return is_newer
    ? { source: 'quote', confirmed_at: quote.confirmed_at, is_top_of_book: false }
    : { source: 'book', confirmed_at: book.confirmed_at, is_top_of_book: true }
}

/** Returns whether a quote states the top of a book; a depth that it does not state does not differ. */
function isSameTouch(quote: Sighting['touch'], book: Sighting['touch']): boolean {
  return (
    quote.best_bid === book.best_bid &&
    quote.best_ask === book.best_ask &&
    (quote.bid_depth === null || quote.bid_depth === book.bid_depth) &&
    (quote.ask_depth === null || quote.ask_depth === book.ask_depth)
  )
}
