import { fractionDigits } from '../../primitives/scaled-number.ts'

/**
 * Exact arithmetic and grouping on the API's decimal strings, by integers: shown values never become floating-point numbers.
 */

/** Minus sign as wide as a digit. */
const MINUS = '\u2212'

/** Groups thousands and keeps every digit: "-1489.7357" is "−1,489.7357". */
export function groupDigits(text: string): string {
  const negative = text.startsWith('-')
  const [whole = '', fraction] = (negative ? text.slice(1) : text).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return `${negative ? MINUS : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

/** Groups digits, with a plus sign above zero. */
export function groupSigned(text: string): string {
  return signOf(text) > 0 ? `+${groupDigits(text)}` : groupDigits(text)
}

/** Returns -1, 0 or 1. */
export function signOf(text: string): -1 | 0 | 1 {
  if (!/[1-9]/.test(text)) return 0
  return text.startsWith('-') ? -1 : 1
}

/** Returns a - b with the fraction digits of the longer one. */
export function subtractDecimals(a: string, b: string): string {
  const scale = Math.max(fractionDigits(a), fractionDigits(b))
  return printScaled(scaled(a, scale) - scaled(b, scale), scale)
}

/** Returns a + b. */
export function addDecimals(a: string, b: string): string {
  const scale = Math.max(fractionDigits(a), fractionDigits(b))
  return printScaled(scaled(a, scale) + scaled(b, scale), scale)
}

/** Returns a x b with the fraction digits of both together. */
export function multiplyDecimals(a: string, b: string): string {
  const scale = fractionDigits(a) + fractionDigits(b)
  return printScaled(scaled(a, fractionDigits(a)) * scaled(b, fractionDigits(b)), scale)
}

/** Compares a and b, for sorting. */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  return signOf(subtractDecimals(a, b))
}

/** Rounds a non-negative value up to `digits` fraction digits. */
export function roundUp(text: string, digits: number): string {
  const excess = fractionDigits(text) - digits
  if (excess <= 0) return text
  const unit = 10n ** BigInt(excess)
  return printScaled((scaled(text, fractionDigits(text)) + unit - 1n) / unit, digits)
}

/** Returns 100 x (to - from) / from, rounded half even to `digits` fraction digits; null if `from` is zero. */
export function percentChange(from: string, to: string, digits = 2): string | null {
  const scale = Math.max(fractionDigits(from), fractionDigits(to))
  const base = scaled(from, scale)
  if (base === 0n) return null
  const numerator = (scaled(to, scale) - base) * 100n * 10n ** BigInt(digits)
  return printScaled(divideHalfEven(base < 0n ? -numerator : numerator, base < 0n ? -base : base), digits)
}

/** Converts a ratio to a percentage without trailing zeros: "0.9350" is "93.5". */
export function asPercent(ratio: string): string {
  const scale = Math.max(fractionDigits(ratio), 2)
  const text = printScaled(scaled(ratio, scale), scale - 2)
  return groupDigits(text.includes('.') ? text.replace(/\.?0+$/, '') : text)
}

/** Removes trailing zeros of the fraction: "0.600000000" is "0.6". */
export function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** Converts to a floating-point number, only for pixels on the screen. */
export function pixelNumber(text: string): number {
  return Number(text)
}

function scaled(text: string, scale: number): bigint {
  const digits = text.replace('.', '') + '0'.repeat(scale - fractionDigits(text))
  return BigInt(digits)
}

function printScaled(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return `${value < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`
}

function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator
  const quotient = magnitude / denominator
  const twice = (magnitude % denominator) * 2n
  const rounded = twice > denominator || (twice === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient
  return numerator < 0n ? -rounded : rounded
}
