import { SCALE } from '../../../primitives/decimal.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import { type JsonText, type JsonTextObject, listOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import type { BookLevel } from '../record.ts'
import { complementText, levelPrice, sameAmount } from './prices.ts'
import { NO_QUANTITY, requiredQuantity, totalQuantity } from './quantities.ts'

/** One side of Kalshi's book: the bids for one outcome, best first, in whatever order the venue sent them. */
export type Ladder = readonly BookLevel[]

const CENT = toScaled('0.01', SCALE.observed_value)

/**
 * Reads the bids of one outcome from `yes_dollars_fp` (websocket), `yes_dollars` or `yes` (cents). Dollars take precedence;
 * cents beside them must hold the same contracts and, rounded, the same best price. Absent or null is an empty side.
 * @throws Quarantined FIELDS_DISAGREE also if one price has two levels
 */
export function readLadder(book: JsonTextObject, outcome: 'yes' | 'no'): Ladder {
  const [dollars_fp, dollars_only] =
    outcome === 'yes' ? [book.yes_dollars_fp, book.yes_dollars] : [book.no_dollars_fp, book.no_dollars]
  const dollars = optionalLadder(dollars_fp ?? dollars_only, 'price_dollars')
  const cents = optionalLadder(book[outcome], 'price')
  if (dollars !== null && cents !== null) checkSame(dollars, cents)
  return dollars ?? cents ?? []
}

/** Returns the other outcome's levels, best first: its asks for bids. */
export function complementLevels(levels: Ladder): BookLevel[] {
  return levels.map(complementLevel)
}

/** Returns the other outcome's level. */
export function complementLevel({ price, quantity }: BookLevel): BookLevel {
  return { price: complementText(price), quantity }
}

/**
 * complementLevels of a side that is requested repeatedly: a level is replaced, never changed, so an unchanged level keeps its
 * complement.
 */
export class ComplementedSide {
  #levels: Ladder = []
  #complements: readonly BookLevel[] = []

  of(levels: Ladder): readonly BookLevel[] {
    const [known, complements] = [this.#levels, this.#complements]
    let next = 0
    this.#complements = levels.map((level) => {
      const ordinal = known.indexOf(level, next)
      if (ordinal < 0) return complementLevel(level)
      next = ordinal + 1
      return complements[ordinal]!
    })
    this.#levels = levels
    return this.#complements
  }
}

function optionalLadder(value: JsonText | undefined, field: 'price' | 'price_dollars'): Ladder | null {
  if (value === undefined || value === null) return null
  const resting: BookLevel[] = []
  let in_order = true
  const list = listOf(value)
  // The venue lists the best level last.
  for (let n = list.length - 1; n >= 0; n -= 1) {
    const level = readLevel(list[n]!, field)
    if (level.quantity === NO_QUANTITY) continue
    // Prices have equally many digits, so their texts sort like their values.
    if (resting.length > 0 && resting[resting.length - 1]!.price <= level.price) in_order = false
    resting.push(level)
  }
  return in_order ? resting : inOrder(resting)
}

function inOrder(levels: BookLevel[]): Ladder {
  levels.sort((a, b) => (a.price < b.price ? 1 : -1))
  if (levels.some(({ price }, n) => price === levels[n + 1]?.price)) throw new Quarantined('FIELDS_DISAGREE')
  return levels
}

function readLevel(level: JsonText, field: 'price' | 'price_dollars'): BookLevel {
  const pair = listOf(level)
  return { price: levelPrice(pair[0], field), quantity: requiredQuantity(pair[1]) }
}

function checkSame(dollars: Ladder, cents: Ladder): void {
  const [contracts, again] = [dollars, cents].map((ladder) => totalQuantity(ladder.map(({ quantity }) => quantity)))
  const [best, rounded] = [dollars[0], cents[0]].map((level) => toScaled(level?.price ?? '0', SCALE.observed_value))
  if (contracts !== again || !sameAmount(best!, rounded!, CENT)) throw new Quarantined('FIELDS_DISAGREE')
}
