import { DECIMAL_PATTERN, type DecimalString } from '../../primitives/decimal.ts'
import { dayMicros, type Micros, microsOf } from '../../primitives/instants.ts'
import { fromScaled, quantize } from '../../primitives/scaled.ts'
import { Quarantined } from '../venues/quarantine.ts'
import { remembering } from './remembering.ts'
import { wholeNumber } from './whole-number.ts'

/** Readers of one field each. A field that breaks its rule throws `Quarantined`; an empty optional field is null. */

const ID_LENGTH_MAX = 512
/** Ids of nearly every venue: visible ASCII, which breaks no rule. */
const PLAIN_ID = /^[!-~]{1,512}$/
const NOT_IN_IDS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u

/** Readers of fields that an archive repeats on many rows. */
export type RepeatedReaders = {
  readonly id: (text: string) => string
  readonly day: (text: string) => Micros
  readonly instant: (text: string) => Micros
}

const REMEMBERED_MAX = 200_000

/** Creates readers for one archive that read each text once, and return equal ids as one string. Memory is bounded. */
export function rememberingReaders(): RepeatedReaders {
  return {
    id: remembering(readId, REMEMBERED_MAX),
    day: remembering(readDay, REMEMBERED_MAX),
    instant: remembering(readInstant, REMEMBERED_MAX),
  }
}

/** Returns whether an id is visible ASCII alone, so that no rule of texts or ids can reject it. */
export function isPlainId(text: string): boolean {
  return PLAIN_ID.test(text)
}

/** Reads a required id: 1 to 512 characters, no control characters, no surrounding blanks. */
export function readId(text: string): string {
  if (PLAIN_ID.test(text)) return text
  if (text === '') throw new Quarantined('MISSING_FIELD')
  if (text.length > ID_LENGTH_MAX || text.trim() !== text || NOT_IN_IDS.test(text)) throw new Quarantined('BAD_ID')
  return text
}

/** Reads a calendar day `YYYY-MM-DD` as its midnight UTC. */
function readDay(text: string): Micros {
  if (text === '') throw new Quarantined('MISSING_FIELD')
  const micros = dayMicros(text)
  if (micros === null) throw new Quarantined('BAD_DATE')
  return micros
}

/** Reads an RFC 3339 instant with any offset and at most microseconds. */
export function readInstant(text: string): Micros {
  if (text === '') throw new Quarantined('MISSING_FIELD')
  const micros = microsOf(text)
  if (micros === null) throw new Quarantined('BAD_DATE')
  return micros
}

/** Reads an instant that may be empty. */
export function readOptionalInstant(text: string): Micros | null {
  return text === '' ? null : readInstant(text)
}

/** Reads one of a closed list of words. */
export function readWord<W extends string>(text: string, words: readonly W[]): W {
  const found = words.find((word) => word === text)
  if (found === undefined) throw new Quarantined(text === '' ? 'MISSING_FIELD' : 'BAD_FLAG')
  return found
}

/** Reads a whole number of at most 15 digits that may be empty. */
export function readOptionalInteger(text: string): number | null {
  if (text === '') return null
  const value = wholeNumber(text)
  if (value < 0 || (text.length > 1 && text.charCodeAt(0) === ZERO)) throw new Quarantined('BAD_VALUE')
  return value
}

/**
 * Reads a value in [0, 1] of any number of digits, half even to `scale` fraction digits (methodology §2). The range is checked
 * before rounding: 1.0000000001 is out of range although it would round to 1.
 */
export function readUnitValue(text: string, scale: number): DecimalString {
  if (text === '') throw new Quarantined('MISSING_FIELD')
  if (PROPER_FRACTION.test(text)) return roundedSize(text, scale)
  if (!DECIMAL_PATTERN.test(text)) throw new Quarantined('BAD_VALUE')
  if (!isUnitValue(text)) throw new Quarantined('VALUE_OUT_OF_RANGE')
  return fromScaled(quantize(text, scale), scale)
}

const PROPER_FRACTION = /^0\.\d+$/

/**
 * Rounds a decimal text of at least 0 half even to `scale` fraction digits. Nearly every text only gains zeros, loses digits,
 * or has its last digit raised.
 */
export function roundedSize(text: DecimalString, scale: number): DecimalString {
  const point = text.charCodeAt(1) === POINT ? 1 : text.indexOf('.')
  if (point < 0) return `${text}.${'0'.repeat(scale)}`
  const end = point + 1 + scale
  if (text.length <= end) return text.padEnd(end, '0')
  const [last, next] = [text.charCodeAt(end - 1), text.charCodeAt(end)]
  if (next < FIVE) return text.slice(0, end)
  if (last < NINE && (next > FIVE || isMoreThanHalf(text, end)))
    return text.slice(0, end - 1) + String.fromCharCode(last + 1)
  return fromScaled(quantize(text, scale), scale)
}

/** Returns whether the digits from `from` on, the first of which is a five, exceed half a unit of the digit before them. */
function isMoreThanHalf(text: DecimalString, from: number): boolean {
  for (let at = from + 1; at < text.length; at += 1) if (text.charCodeAt(at) !== ZERO) return true
  return false
}

const POINT = 46
const ZERO = 48
const FIVE = 53
const NINE = 57

/** Reads a price in [0, 1] that `scale` fraction digits hold exactly; may be empty. */
export function readOptionalPrice(text: string, scale: number): DecimalString | null {
  if (text === '') return null
  const value = readExact(text, scale)
  if (!isUnitValue(text)) throw new Quarantined('VALUE_OUT_OF_RANGE')
  return value
}

/**
 * Reads a quantity of at least 0, at most twelve digits before the point, that `scale` fraction digits hold exactly; may be
 * empty.
 */
export function readOptionalQuantity(text: string, scale: number): DecimalString | null {
  if (text === '') return null
  const value = readExact(text, scale)
  if (value.startsWith('-')) throw new Quarantined('VALUE_OUT_OF_RANGE')
  if (value.length > 12 + 1 + scale) throw new Quarantined('BAD_VALUE')
  return value
}

/** Returns a value that must not be null. @throws Quarantined MISSING_FIELD */
export function required<T>(value: T | null): T {
  if (value === null) throw new Quarantined('MISSING_FIELD')
  return value
}

/** Removes trailing zeros, so that 0.50 and 0.5 compare as equal; -0 becomes 0. A text with an exponent stays as it is. */
export function plainDecimal(text: DecimalString): DecimalString {
  const plain = /\.\d*0$/.test(text) ? text.replace(/\.?0+$/, '') : text
  return plain === '-0' ? '0' : plain
}

function readExact(text: string, scale: number): DecimalString {
  if (!DECIMAL_PATTERN.test(text)) throw new Quarantined('BAD_VALUE')
  const point = text.indexOf('.')
  const digits = point < 0 ? 0 : text.length - point - 1
  if (digits <= scale && !text.startsWith('-')) return (point < 0 ? `${text}.` : text) + '0'.repeat(scale - digits)
  const fraction = plainDecimal(text).split('.')[1] ?? ''
  if (fraction.length > scale) throw new Quarantined('BAD_VALUE')
  return fromScaled(quantize(text, scale), scale)
}

function isUnitValue(text: DecimalString): boolean {
  return /^-?0(\.0+)?$|^0\.\d+$|^1(\.0+)?$/.test(text)
}
