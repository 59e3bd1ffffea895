import type { DecimalString } from '../../../primitives/decimal.ts'
import { fromScaled, quantize } from '../../../primitives/scaled.ts'
import type { BookSide } from '../../../vocabulary/market.ts'
import { BOOK_PRICE_SCALE, BOOK_QUANTITY_SCALE } from '../../market/order-book.ts'
import { readOptionalQuantity, required } from '../../text/fields.ts'
import { type JsonText, type JsonTextObject, listOf } from '../../text/json-text.ts'
import { plainNumber } from '../../text/plain-number.ts'
import { Quarantined } from '../quarantine.ts'
import { type LadderKind, type Runner, shownLevels } from './ladders.ts'

/** The new total of one price, or of one place of a ladder by place; 0 removes it. */
type LevelChange = {
  readonly side: BookSide
  /** Place from the best, 0 first; null: the price names the level. */
  readonly place: number | null
  /** null: the place is empty. */
  readonly odds: DecimalString | null
  readonly size: DecimalString
}

/** The venue's price ladder: decimal odds, scaled. */
const ODDS_MIN = quantize('1.01', BOOK_PRICE_SCALE)
const ODDS_MAX = quantize('1000', BOOK_PRICE_SCALE)

/**
 * Sides of a book by field, for each kind of ladder. `atb`, the sizes *available to back*, are the bids: the highest odds are the
 * best to back, and all of them are below the odds to lay at. `atl`, *available to lay*, are the asks, the lowest best. In odds
 * the book is like any other: highest bid below lowest ask. In probabilities, 1/odds, the order reverses: backing at odds o buys
 * the outcome for 1/o, so `atb` is what others ask and `atl` what they bid. Odds are therefore never passed on as probabilities
 * side by side. `batb` and `batl` are the best of them by place; `bdatb` and `bdatl` too, with offers that the venue combines from
 * other runners.
 */
const SIDES = {
  full: [
    ['atb', 'bid'],
    ['atl', 'ask'],
  ],
  best: [
    ['batb', 'bid'],
    ['batl', 'ask'],
  ],
  display: [
    ['bdatb', 'bid'],
    ['bdatl', 'ask'],
  ],
} as const satisfies Record<LadderKind, readonly (readonly [string, BookSide])[]>

/** Returns whether a runner's change is about its ladder of this kind. */
export function hasLadder(change: JsonTextObject, kind: LadderKind): boolean {
  return SIDES[kind].some(([field]) => change[field] !== undefined && change[field] !== null)
}

/** Reads the levels of a runner's change: `[odds, size]`, or `[place, odds, size]`. @throws Quarantined; then none may be applied */
export function readLadderChange(change: JsonTextObject, kind: LadderKind): LevelChange[] {
  return SIDES[kind].flatMap(([field, side]) =>
    listOf(change[field]).map((level) => (kind === 'full' ? readLevel(side, level) : readPlace(side, level))),
  )
}

/** Applies levels in the given order. */
export function applyLadderChange(runner: Runner, kind: LadderKind, levels: readonly LevelChange[]): void {
  for (const { side, place, odds, size } of levels) {
    if (kind === 'full') runner.book.set(side, odds!, size)
    else if (odds === null) runner.places[kind][side].delete(place!)
    else runner.places[kind][side].set(place!, { price: odds, quantity: size })
  }
  runner.levels[kind] = shownLevels(runner, kind)
}

function readLevel(side: BookSide, level: JsonText): LevelChange {
  const [odds, size] = numbersOf(level, 2)
  return { side, place: null, odds: readOdds(odds!), size: sizeOf(size!) }
}

function readPlace(side: BookSide, level: JsonText): LevelChange {
  const [place, odds, size_text] = numbersOf(level, 3)
  if (typeof place !== 'string' || !/^\d{1,2}$/.test(place)) throw new Quarantined('BAD_VALUE')
  const size = sizeOf(size_text!)
  // An empty place has the odds 0.
  return { side, place: Number(place), odds: /^0\.0+$/.test(size) ? null : readOdds(odds!), size }
}

/** Returns the numbers of a level. @throws Quarantined UNKNOWN_SHAPE */
export function numbersOf(level: JsonText, count: number): readonly JsonText[] {
  if (!Array.isArray(level) || level.length !== count) throw new Quarantined('UNKNOWN_SHAPE')
  return level as readonly JsonText[]
}

/** Reads decimal odds with 9 fraction digits. @throws Quarantined VALUE_OUT_OF_RANGE, MISSING_FIELD, BAD_VALUE */
export function readOdds(value: JsonText): DecimalString {
  const scaled = quantize(numberOf(value), BOOK_PRICE_SCALE)
  if (scaled < ODDS_MIN || scaled > ODDS_MAX) throw new Quarantined('VALUE_OUT_OF_RANGE')
  return fromScaled(scaled, BOOK_PRICE_SCALE)
}

/** Reads pounds of stake with 6 fraction digits. @throws Quarantined VALUE_OUT_OF_RANGE, MISSING_FIELD, BAD_VALUE */
export function sizeOf(value: JsonText): DecimalString {
  return required(readOptionalQuantity(numberOf(value), BOOK_QUANTITY_SCALE))
}

function numberOf(value: JsonText): DecimalString {
  if (value === null || value === '') throw new Quarantined('MISSING_FIELD')
  if (typeof value !== 'string') throw new Quarantined('BAD_VALUE')
  return plainNumber(value)
}
