import type { DecimalString } from './decimal.ts'

/** Decimals whose scaled integers lie below `limit`, 10 to the power of the type's width. */
export type DecimalLimits = { readonly scale: number; readonly limit: number }

/** Returns the limits of a decimal type. */
export function decimalLimits({ width, scale }: { readonly width: number; readonly scale: number }): DecimalLimits {
  return { scale, limit: 10 ** width }
}

const [MINUS, POINT, ZERO, NINE] = [45, 46, 48, 57]
/** Longest text that may fit a double exactly, sign and point included. */
const LENGTH_MAX = 18

/** Powers of ten that a double holds exactly. */
export const POWERS_OF_TEN = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)

/**
 * Returns the scaled integer of a decimal text, read digit by digit into a double: nearly all prices and quantities are far below
 * 2^53 and need no bigint.
 * @returns exact; NaN if the text is not in plain form or may not fit the type and a double: that decides
 *   nothing, as `toScaled` then accepts or rejects it
 */
export function scaledNumber(text: string, { scale, limit }: DecimalLimits): number {
  const { length } = text
  if (length === 0 || length > LENGTH_MAX) return Number.NaN
  const negative = text.charCodeAt(0) === MINUS
  const from = negative ? 1 : 0
  let digits = 0
  let point = -1
  for (let at = from; at < length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= ZERO && code <= NINE) digits = digits * 10 + (code - ZERO)
    else if (code === POINT && point < 0) point = at
    else return Number.NaN
  }
  const whole = (point < 0 ? length : point) - from
  const fraction = point < 0 ? 0 : length - point - 1
  const is_plain = whole > 0 && (whole === 1 || text.charCodeAt(from) !== ZERO) && (point < 0 || fraction > 0)
  const missing_zeros = scale - fraction
  if (!is_plain || missing_zeros < 0 || missing_zeros >= POWERS_OF_TEN.length) return Number.NaN
  const scaled = digits * POWERS_OF_TEN[missing_zeros]!
  if (scaled > Number.MAX_SAFE_INTEGER || scaled >= limit || (negative && scaled === 0)) return Number.NaN
  return negative ? -scaled : scaled
}

/** Returns the number of fraction digits that a decimal string writes: 2 for "0.01", 3 for "0.010". */
export function fractionDigits(text: DecimalString): number {
  const point = typeof text === 'string' ? text.indexOf('.') : -1
  return point < 0 ? 0 : text.length - point - 1
}
