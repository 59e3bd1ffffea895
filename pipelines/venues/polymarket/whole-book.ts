import type { DecimalString } from '../../../primitives/decimal.ts'
import { type JsonText, type JsonTextObject, objectOf } from '../../text/json-text.ts'
import { missingField, Quarantined } from '../quarantine.ts'
import type { BookLevel } from '../record.ts'
import { readPrice, readQuantity, ZERO_QUANTITY } from './values.ts'

/** Both sides of a whole book, best level first, one level per price, quantities positive. */
export type Sides = { readonly bids: readonly BookLevel[]; readonly asks: readonly BookLevel[] }

/**
 * Reads the sides of a book in any order: `[]` is an empty side, an absent one is not a book. Older messages name them `buys` and
 * `sells`.
 * @throws Quarantined FIELDS_DISAGREE if one price has two quantities
 */
export function readSides(message: JsonTextObject): Sides {
  const { bids = message.buys, asks = message.sells } = message
  return { bids: readLevels(bids, isHigher, 'bids'), asks: readLevels(asks, isLower, 'asks') }
}

type IsBetter = (a: DecimalString, b: DecimalString) => boolean

// Prices have equally many digits, so their texts sort like their values.
const isHigher: IsBetter = (a, b) => a > b
const isLower: IsBetter = (a, b) => a < b

function readLevels(value: JsonText | undefined, isBetter: IsBetter, field: string): BookLevel[] {
  if (value === undefined || value === null) throw missingField(field)
  if (!Array.isArray(value)) throw new Quarantined('UNKNOWN_SHAPE')
  const levels: BookLevel[] = []
  let in_order = true
  // The venue lists the best level last.
  for (let i = value.length - 1; i >= 0; i -= 1) {
    const level = readLevel(value[i])
    const last = levels[levels.length - 1]
    if (level.quantity === ZERO_QUANTITY || (last !== undefined && !isBetter(last.price, level.price))) in_order = false
    levels.push(level)
  }
  return in_order ? levels : inOrder(levels, isBetter)
}

function readLevel(item: JsonText): BookLevel {
  const level = objectOf(item)
  return { price: readPrice(level.price), quantity: readQuantity(level.size) }
}

/** Sorts best first, without repeated levels and those of quantity 0. */
function inOrder(levels: BookLevel[], isBetter: IsBetter): BookLevel[] {
  levels.sort((a, b) => (isBetter(a.price, b.price) ? -1 : a.price === b.price ? 0 : 1))
  return levels.filter(({ price, quantity }, i) => {
    const next = levels[i + 1]
    if (next?.price !== price) return quantity !== ZERO_QUANTITY
    if (next.quantity !== quantity) throw new Quarantined('FIELDS_DISAGREE')
    return false
  })
}
