import type { DecimalString } from '../../../primitives/decimal.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import { scaledNumber } from '../../../primitives/scaled-number.ts'
import { readOptionalQuantity, required } from '../../text/fields.ts'
import { textOrNull } from '../../text/json-fields.ts'
import type { JsonText } from '../../text/json-text.ts'
import { shortQuantity } from '../../text/short-quantity.ts'
import { Quarantined } from '../quarantine.ts'
import { sameAmount } from './prices.ts'

/** Numbers of contracts: `NAME_fp` is a decimal text and takes precedence; `NAME` is whole contracts. */

const QUANTITY_SCALE = 6
const LIMITS = { scale: QUANTITY_SCALE, limit: Number.POSITIVE_INFINITY }
const ONE_CONTRACT = toScaled('1', QUANTITY_SCALE)

/** The text of quantity 0. */
export const NO_QUANTITY = '0.000000'

/** Reads a required quantity. */
export function requiredQuantity(value: JsonText | undefined): DecimalString {
  return readQuantity(required(textOrNull(value)))
}

function readQuantity(text: string): DecimalString {
  return shortQuantity(text) ?? required(readOptionalQuantity(text, QUANTITY_SCALE))
}

/**
 * Reads a quantity; null if absent or 0, which neither rests nor trades.
 * @param exact value of `NAME_fp`
 * @param whole value of `NAME`
 * @throws Quarantined FIELDS_DISAGREE
 */
export function statedQuantity(exact: JsonText | undefined, whole: JsonText | undefined): DecimalString | null {
  const quantity = either(exact, whole, readQuantity)
  return quantity === NO_QUANTITY ? null : quantity
}

/** Reads a required change of either sign. @throws Quarantined FIELDS_DISAGREE */
export function statedChange(exact: JsonText | undefined, whole: JsonText | undefined): DecimalString {
  return required(either(exact, whole, readChange))
}

/** Sums quantities and changes, each with 6 fraction digits, in millionths. */
export function totalQuantity(quantities: readonly DecimalString[]): bigint {
  return quantities.reduce((total, quantity) => total + millionths(quantity), 0n)
}

/** Adds a change to a quantity, each with 6 fraction digits; null if more is taken than there was. */
export function changedQuantity(quantity: DecimalString, change: DecimalString): DecimalString | null {
  const total = scaledNumber(quantity, LIMITS) + scaledNumber(change, LIMITS)
  if (Number.isSafeInteger(total)) return total < 0 ? null : quantityText(total)
  const wide = millionths(quantity) + millionths(change)
  return wide < 0n ? null : fromScaled(wide, QUANTITY_SCALE)
}

function quantityText(millionths: number): DecimalString {
  const digits = String(millionths).padStart(QUANTITY_SCALE + 1, '0')
  const point = digits.length - QUANTITY_SCALE
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}

// With all its fraction digits a text is a whole number of millionths without its point.
function millionths(quantity: DecimalString): bigint {
  const point = quantity.length - QUANTITY_SCALE - 1
  return BigInt(quantity.slice(0, point) + quantity.slice(point + 1))
}

function readChange(text: string): DecimalString {
  const amount = text.startsWith('-') ? readQuantity(text.slice(1)) : readQuantity(text)
  return text.startsWith('-') && amount !== NO_QUANTITY ? `-${amount}` : amount
}

function either(
  exact_value: JsonText | undefined,
  whole_value: JsonText | undefined,
  read: (text: string) => DecimalString,
): DecimalString | null {
  const exact_text = textOrNull(exact_value)
  const exact = exact_text === null ? null : read(exact_text)
  const whole_text = textOrNull(whole_value)
  if (whole_text === null) return exact
  const whole = read(whole_text)
  if (exact === null) return whole
  if (!sameAmount(millionths(exact), millionths(whole), ONE_CONTRACT)) throw new Quarantined('FIELDS_DISAGREE')
  return exact
}
