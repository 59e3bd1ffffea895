import { DECIMAL_PATTERN, type DecimalString } from '../../primitives/decimal.ts'
import { Quarantined } from '../venues/quarantine.ts'
import type { JsonText, JsonTextObject } from './json-text.ts'

const EXPONENT = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/

/** Longest number; longer ones are not measurements. */
const LENGTH_MAX = 400

/**
 * Converts a JSON number to the decimal text of exactly the same value: 1.2e-7 is 0.00000012. Programs that print doubles use
 * exponents below 1e-6; nothing is rounded here.
 * @throws Quarantined BAD_VALUE for a text that is not a number or is longer than 400 characters
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

/** Reads a number that may be absent, null or empty. @throws Quarantined BAD_VALUE for anything else */
export function optionalNumber(object: JsonTextObject, field: string): DecimalString | null {
  return numberOrNull(object[field])
}

/** Reads a number from a value: `object.price` is faster than `object[field]`. @throws Quarantined BAD_VALUE */
export function numberOrNull(value: JsonText | undefined): DecimalString | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw new Quarantined('BAD_VALUE')
  return plainNumber(value)
}

/** Places the point after the first `point` digits. */
function shiftPoint(digits: string, point: number): DecimalString {
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  const whole = digits
    .slice(0, point)
    .padEnd(point, '0')
    .replace(/^0+(?=\d)/, '')
  return point < digits.length ? `${whole}.${digits.slice(point)}` : whole
}
