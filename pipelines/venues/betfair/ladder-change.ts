import type { DecimalString } from '../../../primitives/decimal.ts'
import { fromScaled, quantize } from '../../../primitives/scaled.ts'
import type { BookSide } from '../../../vocabulary/market.ts'
import { BOOK_PRICE_SCALE, BOOK_QUANTITY_SCALE, type OrderBook } from '../../market/order-book.ts'
import { readOptionalQuantity, required } from '../../text/fields.ts'
import { type JsonText, type JsonTextObject, listOf } from '../../text/json-text.ts'
import { plainNumber } from '../../text/plain-number.ts'
import { Quarantined } from '../quarantine.ts'

/** The new total of one price level; 0 removes it. */
type LevelChange = { readonly side: BookSide; readonly odds: DecimalString; readonly size: DecimalString }

/** The venue's price ladder: decimal odds, scaled. */
const ODDS_MIN = quantize('1.01', BOOK_PRICE_SCALE)
const ODDS_MAX = quantize('1000', BOOK_PRICE_SCALE)

/**
 * Sides of a book by field. `atb`, the sizes *available to back*, are the bids: the highest odds are the best to back, and all
 * of them are below the odds to lay at. `atl`, *available to lay*, are the asks, the lowest best. In odds the book is like any
 * other: highest bid below lowest ask. In probabilities, 1/odds, the order reverses: backing at odds o buys the outcome for
 * 1/o, so `atb` is what others ask and `atl` what they bid. Odds are therefore never passed on as probabilities side by side.
 */
const SIDES = [
  ['atb', 'bid'],
  ['atl', 'ask'],
] as const

/** Returns whether a runner's change is about its ladder, not only its last price and volume. */
export function hasLadder(change: JsonTextObject): boolean {
  return SIDES.some(([field]) => change[field] !== undefined && change[field] !== null)
}

/** Reads the levels of a runner's change, `[odds, size]` each. @throws Quarantined; then none of them may be applied */
export function readLadderChange(change: JsonTextObject): LevelChange[] {
  return SIDES.flatMap(([field, side]) => listOf(change[field]).map((level) => readLevel(side, level)))
}

/** Applies levels in the given order. */
export function applyLadderChange(book: OrderBook, levels: readonly LevelChange[]): void {
  for (const { side, odds, size } of levels) book.set(side, odds, size)
}

function readLevel(side: BookSide, level: JsonText): LevelChange {
  if (!Array.isArray(level) || level.length !== 2) throw new Quarantined('UNKNOWN_SHAPE')
  const [odds, size] = level as readonly JsonText[]
  return { side, odds: readOdds(odds!), size: required(readOptionalQuantity(numberOf(size!), BOOK_QUANTITY_SCALE)) }
}

function readOdds(value: JsonText): DecimalString {
  const scaled = quantize(numberOf(value), BOOK_PRICE_SCALE)
  if (scaled < ODDS_MIN || scaled > ODDS_MAX) throw new Quarantined('VALUE_OUT_OF_RANGE')
  return fromScaled(scaled, BOOK_PRICE_SCALE)
}

function numberOf(value: JsonText): DecimalString {
  if (value === null || value === '') throw new Quarantined('MISSING_FIELD')
  if (typeof value !== 'string') throw new Quarantined('BAD_VALUE')
  return plainNumber(value)
}
