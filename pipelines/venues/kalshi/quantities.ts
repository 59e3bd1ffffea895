import type { DecimalString } from '../../../primitives/decimal.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import { readOptionalQuantity, required } from '../fields.ts'
import { optionalText, requiredText } from '../json-fields.ts'
import type { JsonText, JsonTextObject } from '../json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { remembering, sameAmount } from './prices.ts'

/** Numbers of contracts: `NAME_fp` is a decimal text and counts first; `NAME` is whole contracts. */

const QUANTITY_SCALE = 6
const ONE_CONTRACT = toScaled('1', QUANTITY_SCALE)

/** The text of no quantity. */
export const NO_QUANTITY = '0.000000'

/** A quantity that must be there. */
export function requiredQuantity(value: JsonText | undefined): DecimalString {
  return readQuantity(requiredText({ value }, 'value'))
}

/** A quantity of at least 0 with 6 fraction digits. */
export function readQuantity(text: string): DecimalString {
  return required(readOptionalQuantity(text, QUANTITY_SCALE))
}

/** A quantity, or null where there is none: a quantity of 0 rests or trades nowhere. @throws Quarantined FIELDS_DISAGREE */
export function quantityField(object: JsonTextObject, field: string): DecimalString | null {
  const quantity = eitherField(object, field, readQuantity)
  return quantity === NO_QUANTITY ? null : quantity
}

/** A change of either sign, which must be there. @throws Quarantined FIELDS_DISAGREE */
export function changeField(object: JsonTextObject, field: string): DecimalString {
  return required(eitherField(object, field, readChange))
}

/** Sum of quantities and changes, each with 6 fraction digits, in millionths. */
export function totalQuantity(quantities: readonly DecimalString[]): bigint {
  return quantities.reduce((total, quantity) => total + millionths(quantity), 0n)
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

function eitherField(
  object: JsonTextObject,
  field: string,
  read: (text: string) => DecimalString,
): DecimalString | null {
  const exact = amountField(object, exactName(field), read)
  const rounded = amountField(object, field, read)
  if (exact === null || rounded === null) return exact ?? rounded
  if (!sameAmount(millionths(exact), millionths(rounded), ONE_CONTRACT)) throw new Quarantined('FIELDS_DISAGREE')
  return exact
}

function amountField(
  object: JsonTextObject,
  field: string,
  read: (text: string) => DecimalString,
): DecimalString | null {
  const text = optionalText(object, field)
  return text === null ? null : read(text)
}

const exactName = remembering((field: string) => `${field}_fp`)
