import type { DecimalString } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { fromScaled, toScaled } from '../../primitives/scaled.ts'
import type { BookSide } from '../../vocabulary/market.ts'
import type { BookLevel } from '../venues/record.ts'

/** Fraction digits of a price in a book: a probability, or decimal odds. */
export const BOOK_PRICE_SCALE = 9
/** Fraction digits of a quantity in a book. */
export const BOOK_QUANTITY_SCALE = 6

const CANONICAL_PRICE = /^(?:0|[1-9]\d*)\.\d{9}$/
const CANONICAL_QUANTITY = /^(?:0|[1-9]\d*)\.\d{6}$/
const NO_QUANTITY = '0.000000'

/**
 * Price levels of one outcome, built from snapshots and changes. Exact: prices and quantities are decimal strings
 * at one scale each and are compared as text; only `add` calculates, with integers.
 *
 * It accepts any price at or above 0 (probabilities as well as decimal odds) and returns it with 9 fraction digits, quantities
 * with 6. A crossed or locked book is kept as it is; its interpretation is up to the reader.
 *
 * Every method rejects negative decimals (except `delta`) and decimals with more digits than their scale.
 * @throws {ServiceError} VALIDATION_DECIMAL_INVALID
 */
export class OrderBook {
  #known = false
  // Best price level last, so that changes at the touch move few others. A level is replaced, never mutated.
  #bids: BookLevel[] = []
  #asks: BookLevel[] = []
  /** Ordinal found by the last `at`: a change mostly follows a lookup at the same price. */
  #looked: { readonly side: BookSide; readonly price: DecimalString; readonly ordinal: number } | null = null

  /** Whether the book is complete: false before the first snapshot and after `clear`, as changes alone do not show what else rests. */
  get known(): boolean {
    return this.#known
  }

  /** Replaces the book, levels in any order. A quantity of 0 is dropped; of two levels at one price the later counts. */
  replace(bids: readonly BookLevel[], asks: readonly BookLevel[]): void {
    const [bid, ask] = [sortedSide('bid', bids), sortedSide('ask', asks)]
    this.#bids = bid
    this.#asks = ask
    this.#looked = null
    this.#known = true
  }

  /** Sets the total resting at a price; 0 removes the level. */
  set(side: BookSide, price: DecimalString, quantity: DecimalString): void {
    this.#put(side, this.#looked?.price === price ? price : canonicalPrice(price), canonicalQuantity(quantity))
  }

  /** Adds a signed change to the quantity at a price, where a missing level counts as 0; a result of 0 or below removes the level. */
  add(side: BookSide, price: DecimalString, delta: DecimalString): void {
    const key = canonicalPrice(price)
    const levels = this.#side(side)
    const resting = levels[findOrdinal(side, levels, key)]
    const before = resting?.price === key ? resting.quantity : NO_QUANTITY
    const sum = toScaled(before, BOOK_QUANTITY_SCALE) + toScaled(delta, BOOK_QUANTITY_SCALE, 'delta')
    this.#put(side, key, sum > 0n ? fromScaled(sum, BOOK_QUANTITY_SCALE) : NO_QUANTITY)
  }

  /** Returns the highest bid or lowest ask; null if the side is empty. */
  best(side: BookSide): BookLevel | null {
    const levels = this.#side(side)
    return levels[levels.length - 1] ?? null
  }

  /** Returns the level at a price; null if nothing rests there. */
  at(side: BookSide, price: DecimalString): BookLevel | null {
    const levels = this.#side(side)
    const key = canonicalPrice(price)
    const ordinal = findOrdinal(side, levels, key)
    this.#looked = { side, price: key, ordinal }
    const level = levels[ordinal]
    return level?.price === key ? level : null
  }

  /** Returns all levels of a side, best first; a copy. */
  levels(side: BookSide): BookLevel[] {
    return this.#side(side).slice().reverse()
  }

  /** Clears the book, which is unknown until the next snapshot. */
  clear(): void {
    this.#bids = []
    this.#asks = []
    this.#looked = null
    this.#known = false
  }

  // Two fields: a record indexed by a variable side name is slower on the path of every message.
  #side(side: BookSide): BookLevel[] {
    return side === 'bid' ? this.#bids : this.#asks
  }

  #put(side: BookSide, price: DecimalString, quantity: DecimalString): void {
    const levels = this.#side(side)
    const looked = this.#looked
    const ordinal = looked?.side === side && looked.price === price ? looked.ordinal : findOrdinal(side, levels, price)
    this.#looked = null
    const found = levels[ordinal]?.price === price ? 1 : 0
    if (quantity === NO_QUANTITY) levels.splice(ordinal, found)
    else if (found === 1) levels[ordinal] = { price, quantity }
    else levels.splice(ordinal, 0, { price, quantity })
  }
}

/** Returns whether two levels are equal, or both missing. */
export function isSameLevel(a: BookLevel | null, b: BookLevel | null): boolean {
  return a === b || (a !== null && b !== null && a.price === b.price && a.quantity === b.quantity)
}

/** Returns snapshot levels in canonical form, best last, one per price. */
function sortedSide(side: BookSide, levels: readonly BookLevel[]): BookLevel[] {
  const sorted = levels
    .map(({ price, quantity }) => ({ price: canonicalPrice(price), quantity: canonicalQuantity(quantity) }))
    .sort((a, b) => order(side, a.price, b.price))
  // The sort is stable: of equal prices the one given later is last.
  return sorted.filter((level, i) => level.price !== sorted[i + 1]?.price && level.quantity !== NO_QUANTITY)
}

/** Returns the ordinal of a price, or its insertion point. */
function findOrdinal(side: BookSide, levels: readonly BookLevel[], price: DecimalString): number {
  let low = 0
  let high = levels.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order(side, levels[middle]!.price, price) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Compares prices: below 0 if `a` is worse than `b`. */
function order(side: BookSide, a: DecimalString, b: DecimalString): number {
  const rising = a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
  return side === 'bid' ? rising : -rising
}

// Texts of one scale without sign and leading zeros sort by length, then by digits: no conversion is needed.

function canonicalPrice(text: DecimalString): DecimalString {
  return CANONICAL_PRICE.test(text) ? text : atScale(text, BOOK_PRICE_SCALE, 'price')
}

function canonicalQuantity(text: DecimalString): DecimalString {
  return CANONICAL_QUANTITY.test(text) ? text : atScale(text, BOOK_QUANTITY_SCALE, 'quantity')
}

function atScale(text: DecimalString, scale: number, field: string): DecimalString {
  const integer = toScaled(text, scale, field)
  if (integer < 0n) {
    const facts = { field, value: text }
    throw new ServiceError('VALIDATION_DECIMAL_INVALID', `${field} is ${text}; allowed: 0 or more`, facts)
  }
  return fromScaled(integer, scale)
}
