import type { DecimalString } from '../../primitives/decimal.ts'
import { POWERS_OF_TEN } from '../../primitives/scaled-number.ts'

const [ZERO, NINE, POINT] = [48, 57, 46]

/** Converts an unsigned decimal to a whole number at `scale`; null if it has more digits, or exceeds the safe integers. */
export function wholeAtScale(text: DecimalString, scale: number): number | null {
  const whole = read(text, scale, true)
  return whole !== null && whole <= Number.MAX_SAFE_INTEGER ? whole : null
}

/**
 * Converts an unsigned decimal to a whole number at `scale`, rounded down, at most the greatest safe integer. For comparisons
 * only.
 */
export function floorAtScale(text: DecimalString, scale: number): number {
  const whole = read(text, scale, false)
  return whole === null ? 0 : Math.min(whole, Number.MAX_SAFE_INTEGER)
}

/** Returns the number of significant fraction digits: 2 for "0.01" and "0.010". */
export function significantFractionDigits(text: DecimalString): number {
  return (text.split('.')[1] ?? '').replace(/0+$/, '').length
}

/**
 * Reads `(0|[1-9]\d*)(\.\d+)?` digit by digit, because it runs several times an order. Exact if the result is a safe integer,
 * larger than all of these otherwise.
 * @param exact also null if a digit other than 0 lies beyond the scale
 */
function read(text: string, scale: number, exact: boolean): number | null {
  const { length } = text
  let value = 0
  let place = 0
  for (; place < length; place += 1) {
    const code = text.charCodeAt(place)
    if (code < ZERO || code > NINE) break
    value = value * 10 + (code - ZERO)
  }
  if (place === 0 || (place > 1 && text.charCodeAt(0) === ZERO)) return null
  if (place === length) return value * POWERS_OF_TEN[scale]!
  if (text.charCodeAt(place) !== POINT || place + 1 === length) return null
  let digits = 0
  for (place += 1; place < length; place += 1) {
    const code = text.charCodeAt(place)
    if (code < ZERO || code > NINE) return null
    if (digits < scale) {
      value = value * 10 + (code - ZERO)
      digits += 1
    } else if (exact && code !== ZERO) return null
  }
  return value * POWERS_OF_TEN[scale - digits]!
}
