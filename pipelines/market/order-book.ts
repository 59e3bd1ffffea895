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
 * The price levels of one outcome, built from whole books and changes. Exact: prices and quantities are decimal strings
 * at one scale each, which are compared as such; only `add` calculates, with integers.
 *
 * It takes any price at or above 0 (probabilities as well as decimal odds) and gives it with 9 fraction digits, quantities
 * with 6. A crossed or locked book is kept as it is: what it means is the reader's decision.
 *
 * Every method that takes a decimal refuses a negative one (but a negative `delta`) and one with more digits than its scale.
 * @throws {ServiceError} VALIDATION_DECIMAL_INVALID
 */
export class OrderBook {
  #known = false
  // Best level last, so that changes at the touch move few others. A level is replaced, never changed.
  #bids: BookLevel[] = []
  #asks: BookLevel[] = []
  /** Where `at` looked last: a change is put where it has just been looked up. */
  #looked: { readonly side: BookSide; readonly price: DecimalString; readonly place: number } | null = null

  /** False until the first whole book and after `clear`: changes alone do not say what else rests there. */
  get known(): boolean {
    return this.#known
  }

  /** The whole book, levels in any order. A quantity of 0 is no level; of two levels at one price the later counts. */
  replace(bids: readonly BookLevel[], asks: readonly BookLevel[]): void {
    const [bid, ask] = [sortedSide('bid', bids), sortedSide('ask', asks)]
    this.#bids = bid
    this.#asks = ask
    this.#looked = null
    this.#known = true
  }

  /** The total now resting at a price; 0 removes the level. */
  set(side: BookSide, price: DecimalString, quantity: DecimalString): void {
    this.#put(side, this.#looked?.price === price ? price : canonicalPrice(price), canonicalQuantity(quantity))
  }

  /** A signed change of what rests at a price, where no level counts as 0; a level that comes to 0 or below is removed. */
  add(side: BookSide, price: DecimalString, delta: DecimalString): void {
    const key = canonicalPrice(price)
    const levels = this.#side(side)
    const resting = levels[findPlace(side, levels, key)]
    const before = resting?.price === key ? resting.quantity : NO_QUANTITY
    const sum = toScaled(before, BOOK_QUANTITY_SCALE) + toScaled(delta, BOOK_QUANTITY_SCALE, 'delta')
    this.#put(side, key, sum > 0n ? fromScaled(sum, BOOK_QUANTITY_SCALE) : NO_QUANTITY)
  }

  /** Highest bid or lowest ask; null where the side is empty. */
  best(side: BookSide): BookLevel | null {
    const levels = this.#side(side)
    return levels[levels.length - 1] ?? null
  }

  /** The level at a price; null where nothing rests there. */
  at(side: BookSide, price: DecimalString): BookLevel | null {
    const levels = this.#side(side)
    const key = canonicalPrice(price)
    const place = findPlace(side, levels, key)
    this.#looked = { side, price: key, place }
    const level = levels[place]
    return level?.price === key ? level : null
  }

  /** All levels of a side, best first; a copy. */
  levels(side: BookSide): BookLevel[] {
    return this.#side(side).slice().reverse()
  }

  /** Forgets everything: the book is unknown until the next whole one. */
  clear(): void {
    this.#bids = []
    this.#asks = []
    this.#looked = null
    this.#known = false
  }

  // Two fields: a record of both sides, read by a name that varies, is slower on the way of every message.
  #side(side: BookSide): BookLevel[] {
    return side === 'bid' ? this.#bids : this.#asks
  }

  #put(side: BookSide, price: DecimalString, quantity: DecimalString): void {
    const levels = this.#side(side)
    const looked = this.#looked
    const place = looked?.side === side && looked.price === price ? looked.place : findPlace(side, levels, price)
    this.#looked = null
    const found = levels[place]?.price === price ? 1 : 0
    if (quantity === NO_QUANTITY) levels.splice(place, found)
    else if (found === 1) levels[place] = { price, quantity }
    else levels.splice(place, 0, { price, quantity })
  }
}

/** True for two equal levels, or none twice. */
export function isSameLevel(a: BookLevel | null, b: BookLevel | null): boolean {
  return a === b || (a !== null && b !== null && a.price === b.price && a.quantity === b.quantity)
}

/** Whole levels in canonical form, best last, one a price. */
function sortedSide(side: BookSide, levels: readonly BookLevel[]): BookLevel[] {
  const sorted = levels
    .map(({ price, quantity }) => ({ price: canonicalPrice(price), quantity: canonicalQuantity(quantity) }))
    .sort((a, b) => order(side, a.price, b.price))
  // The sort is stable, so of equal prices the one given later stands last.
  return sorted.filter((level, i) => level.price !== sorted[i + 1]?.price && level.quantity !== NO_QUANTITY)
}

/** Where a price is, or would have to be inserted. */
function findPlace(side: BookSide, levels: readonly BookLevel[], price: DecimalString): number {
  let low = 0
  let high = levels.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order(side, levels[middle]!.price, price) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Below 0 where `a` is worse than `b`. */
function order(side: BookSide, a: DecimalString, b: DecimalString): number {
  const rising = a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
  return side === 'bid' ? rising : -rising
}

// Texts of one scale without sign and leading zeros are ordered by length, then by their digits: no conversion is needed.

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
