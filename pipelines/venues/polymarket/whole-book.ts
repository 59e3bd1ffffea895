import type { DecimalString } from '../../../primitives/decimal.ts'
import { type JsonText, type JsonTextObject, objectOf } from '../json-text.ts'
import { Quarantined } from '../quarantine.ts'
import type { BookLevel } from '../record.ts'
import { readPrice, readQuantity } from './values.ts'

/** Both sides of a whole book as a payload lists them, in any order (the venue lists the best level last), one level a price. */
export type Sides = { readonly bids: readonly BookLevel[]; readonly asks: readonly BookLevel[] }

/** The sides of a book: `[]` is an empty side, an absent one is no book. A size of 0 is left to the book. @throws Quarantined */
export function readSides(message: JsonTextObject): Sides {
  return { bids: readLevels(message.bids), asks: readLevels(message.asks) }
}

function readLevels(value: JsonText | undefined): BookLevel[] {
  if (value === undefined || value === null) throw new Quarantined('MISSING_FIELD')
  if (!Array.isArray(value)) throw new Quarantined('UNKNOWN_SHAPE')
  const levels = new Map<DecimalString, DecimalString>()
  for (const item of value as readonly JsonText[]) {
    const level = objectOf(item)
    const [price, quantity] = [readPrice(level.price), readQuantity(level.size)]
    if ((levels.get(price) ?? quantity) !== quantity) throw new Quarantined('FIELDS_DISAGREE')
    levels.set(price, quantity)
  }
  return [...levels].map(([price, quantity]) => ({ price, quantity }))
}
