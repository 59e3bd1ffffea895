import { type DecimalString, SCALE } from '../../../primitives/decimal.ts'
import { fromScaled, quantize } from '../../../primitives/scaled.ts'
import { plainDecimal, readUnitValue } from '../../text/fields.ts'
import { parseJsonText } from '../../text/json-scan.ts'
import type { JsonText, JsonTextObject } from '../../text/json-text.ts'
import { plainNumber } from '../../text/plain-number.ts'
import { shortQuantity } from '../../text/short-quantity.ts'
import { gridPrice } from '../grid-price.ts'
import { Quarantined } from '../quarantine.ts'

/** Readers of the venue's numbers, flags and lists. Numbers and strings mean the same; each throws `Quarantined`. */

/** Fraction digits of a quantity, in contracts. */
const QUANTITY_SCALE = 6
const QUANTITY_DIGITS_MAX = 12

/** The text of quantity 0. */
export const ZERO_QUANTITY = '0.000000'
const NO_PRICE = '0.000000000'
const ONE = '1.000000000'

/** Reads a price or probability above 0, 9 fraction digits. The venue trades inside (0, 1): zero means a missing price. */
export function readPrice(value: JsonText | undefined): DecimalString {
  const price = readProbability(value)
  if (price === null) throw new Quarantined('MISSING_FIELD')
  return price
}

/** Returns the text of a price that was read, where the 9 digits of `price` cannot hold it; else nothing. */
export function rawPrice(value: JsonText | undefined, price: DecimalString): { readonly raw_price?: string } {
  const text = typeof value === 'string' ? value : ''
  if (text.length <= price.length) return EXACT
  return plainDecimal(decimalText(text)) === plainDecimal(price) ? EXACT : { raw_price: text }
}

const EXACT = {} as const

/** Reads a price that may be absent, empty or 0 (all missing), 9 fraction digits half even. */
function readProbability(value: JsonText | undefined): DecimalString | null {
  const text = numberText(value)
  if (text === null || text === '0') return null
  if (text === '1') return ONE
  const price = gridPrice(text) ?? readUnitValue(decimalText(text), SCALE.observed_value)
  if (price !== NO_PRICE) return price
  if (/[1-9]/.test(text.replace(/[eE].*/, ''))) throw new Quarantined('BAD_VALUE')
  return null
}

/**
 * Reads a best price or last trade. The venue writes 0 and 1 for "none", so only a price inside (0, 1) counts (P1). In a market
 * that nobody ever quoted bestBid 0, bestAsk 1 and spread 1 are defaults.
 */
export function readQuotedPrice(value: JsonText | undefined): DecimalString | null {
  return quotedPrice(readProbability(value))
}

/** Returns the price if it is inside (0, 1), else null; it has 9 fraction digits. */
export function quotedPrice(price: DecimalString | null): DecimalString | null {
  return price === ONE || price === NO_PRICE ? null : price
}

/**
 * Reads a quantity of at least 0, half even to 6 fraction digits, below 10^12. A positive one that would round to 0 is
 * rejected.
 */
export function readQuantity(value: JsonText | undefined): DecimalString {
  const text = numberText(value)
  if (text === null) throw new Quarantined('MISSING_FIELD')
  const short = shortQuantity(text)
  if (short !== null) return short
  const decimal = plainDecimal(decimalText(text))
  if (decimal.startsWith('-')) throw new Quarantined('VALUE_OUT_OF_RANGE')
  const quantity = fromScaled(quantize(decimal, QUANTITY_SCALE), QUANTITY_SCALE)
  const lost = quantity === ZERO_QUANTITY && decimal !== '0'
  if (lost || quantity.length > QUANTITY_DIGITS_MAX + 1 + QUANTITY_SCALE) throw new Quarantined('BAD_VALUE')
  return quantity
}

/** Reads a quantity above 0: a trade of 0 has a missing quantity. */
export function readPositiveQuantity(value: JsonText | undefined): DecimalString {
  const quantity = readQuantity(value)
  if (quantity === ZERO_QUANTITY) throw new Quarantined('MISSING_FIELD')
  return quantity
}

/** Returns a number's text as the source wrote it; null if absent. */
export function numberText(value: JsonText | undefined): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw new Quarantined('BAD_VALUE')
  return value
}

/** Reads true or false; null if absent. */
export function readFlag(object: JsonTextObject, field: string): boolean | null {
  const value = object[field] ?? null
  if (value !== null && typeof value !== 'boolean') throw new Quarantined('BAD_FLAG')
  return value
}

/** Reads a list of texts: Gamma writes lists as JSON in a string (`"[\"Yes\", \"No\"]"`); null if absent. */
export function readTextList(value: JsonText | undefined): readonly string[] | null {
  if (value === undefined || value === null || value === '') return null
  const list = typeof value === 'string' ? parseJsonText(value) : value
  if (!Array.isArray(list)) throw new Quarantined('UNKNOWN_SHAPE')
  return list.map((item: JsonText) => {
    if (typeof item !== 'string') throw new Quarantined('BAD_TEXT')
    return item
  })
}

/** Returns the decimal text of a number; the venue's documentation also writes ".48". */
function decimalText(text: string): DecimalString {
  return plainNumber(text.startsWith('.') ? `0${text}` : text)
}
