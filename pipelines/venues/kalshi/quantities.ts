import type { DecimalString } from '../../../primitives/decimal.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import { readOptionalQuantity, required } from '../fields.ts'
import { optionalText } from '../json-fields.ts'
import type { JsonTextObject } from '../json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { sameAmount } from './prices.ts'

/** Numbers of contracts: `NAME_fp` is a decimal text and counts first; `NAME` is whole contracts. */

const QUANTITY_SCALE = 6
const ONE_CONTRACT = toScaled('1', QUANTITY_SCALE)

/** A quantity of at least 0 with 6 fraction digits. */
export function readQuantity(text: string): DecimalString {
  return required(readOptionalQuantity(text, QUANTITY_SCALE))
}

/** A quantity, or null where there is none: a quantity of 0 rests or trades nowhere. @throws Quarantined FIELDS_DISAGREE */
export function quantityField(object: JsonTextObject, field: string): DecimalString | null {
  const scaled = eitherField(object, field, readQuantity)
  return scaled === null || scaled === 0n ? null : fromScaled(scaled, QUANTITY_SCALE)
}

/** A change of either sign, which must be there. @throws Quarantined FIELDS_DISAGREE */
export function changeField(object: JsonTextObject, field: string): DecimalString {
  return fromScaled(required(eitherField(object, field, readChange)), QUANTITY_SCALE)
}

/** Sum of quantities. */
export function totalQuantity(quantities: readonly DecimalString[]): bigint {
  return quantities.reduce((total, quantity) => total + toScaled(quantity, QUANTITY_SCALE), 0n)
}

function readChange(text: string): DecimalString {
  return text.startsWith('-') ? `-${readQuantity(text.slice(1))}` : readQuantity(text)
}

function eitherField(object: JsonTextObject, field: string, read: (text: string) => DecimalString): bigint | null {
  const [exact, rounded] = [`${field}_fp`, field].map((name) => {
    const text = optionalText(object, name)
    return text === null ? null : toScaled(read(text), QUANTITY_SCALE)
  })
  if (exact != null && rounded != null && !sameAmount(exact, rounded, ONE_CONTRACT)) {
    throw new Quarantined('FIELDS_DISAGREE')
  }
  return exact ?? rounded ?? null
}
