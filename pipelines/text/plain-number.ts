import { DECIMAL_PATTERN, type DecimalString } from '../../primitives/decimal.ts'
import { Quarantined } from '../venues/quarantine.ts'
import type { JsonText, JsonTextObject } from './json-text.ts'

const EXPONENT = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/

/** Digits that any venue's number has; longer ones are no measurement. */
const LENGTH_MAX = 400

/**
 * A JSON number as the decimal text of exactly the same value: 1.2e-7 is 0.00000012. Programs that print doubles use
 * exponents below 1e-6; nothing is rounded here.
 * @throws Quarantined BAD_VALUE for what is no number or longer than 400 characters
 */
export function plainNumber(text: string): DecimalString {
  if (DECIMAL_PATTERN.test(text) && text.length <= LENGTH_MAX) return text
  const match = EXPONENT.exec(text)
  if (match === null || text.length > LENGTH_MAX) throw new Quarantined('BAD_VALUE')
  const [, sign, whole, fraction = '', exponent] = match
  const plain = `${sign}${shiftPoint(whole! + fraction, whole!.length + Number(exponent))}`
  if (plain.length > LENGTH_MAX) throw new Quarantined('BAD_VALUE')
  return plain
}

/** A number that may be absent, null or empty. @throws Quarantined BAD_VALUE for anything else */
export function optionalNumber(object: JsonTextObject, field: string): DecimalString | null {
  return numberOrNull(object[field])
}

/** The same of a value: `object.price` is read faster than `object[field]`. @throws Quarantined BAD_VALUE */
export function numberOrNull(value: JsonText | undefined): DecimalString | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw new Quarantined('BAD_VALUE')
  return plainNumber(value)
}

/** The digits with the point behind the first `point` of them. */
function shiftPoint(digits: string, point: number): DecimalString {
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  const whole = digits
    .slice(0, point)
    .padEnd(point, '0')
    .replace(/^0+(?=\d)/, '')
  return point < digits.length ? `${whole}.${digits.slice(point)}` : whole
}
