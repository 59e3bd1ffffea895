/**
 * Arithmetic and grouping on decimal strings as the API sends them. Values shown never become floating-point numbers; the
 * browser gets no decimal library, for the few exact steps here are whole-number arithmetic.
 */

/** A typographic minus, as wide as a digit. */
const MINUS = '\u2212'

/** "-1489.7357" as "−1,489.7357": thousands grouped, every digit kept. */
export function groupDigits(text: string): string {
  const negative = text.startsWith('-')
  const [whole = '', fraction] = (negative ? text.slice(1) : text).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return `${negative ? MINUS : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

/** The same with a sign in front of what is above zero. */
export function groupSigned(text: string): string {
  return signOf(text) > 0 ? `+${groupDigits(text)}` : groupDigits(text)
}

/** -1, 0 or 1. */
export function signOf(text: string): -1 | 0 | 1 {
  if (!/[1-9]/.test(text)) return 0
  return text.startsWith('-') ? -1 : 1
}

/** a - b, exact, with as many fraction digits as the longer of both. */
export function subtractDecimals(a: string, b: string): string {
  const scale = Math.max(fractionDigits(a), fractionDigits(b))
  return printScaled(scaled(a, scale) - scaled(b, scale), scale)
}

/** a + b, exact. */
export function addDecimals(a: string, b: string): string {
  const scale = Math.max(fractionDigits(a), fractionDigits(b))
  return printScaled(scaled(a, scale) + scaled(b, scale), scale)
}

/** a x b, exact, with as many fraction digits as both together. */
export function multiplyDecimals(a: string, b: string): string {
  const scale = fractionDigits(a) + fractionDigits(b)
  return printScaled(scaled(a, fractionDigits(a)) * scaled(b, fractionDigits(b)), scale)
}

/** Below zero, zero or above it as a is less than, equal to or greater than b. */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  return signOf(subtractDecimals(a, b))
}

/** What is not negative, rounded up to `digits` fraction digits. */
export function roundUp(text: string, digits: number): string {
  const excess = fractionDigits(text) - digits
  if (excess <= 0) return text
  const unit = 10n ** BigInt(excess)
  return printScaled((scaled(text, fractionDigits(text)) + unit - 1n) / unit, digits)
}

/** 100 x (to - from) / from, rounded half even to `digits` fraction digits; null where `from` is zero. */
export function percentChange(from: string, to: string, digits = 2): string | null {
  const scale = Math.max(fractionDigits(from), fractionDigits(to))
  const base = scaled(from, scale)
  if (base === 0n) return null
  const numerator = (scaled(to, scale) - base) * 100n * 10n ** BigInt(digits)
  return printScaled(divideHalfEven(base < 0n ? -numerator : numerator, base < 0n ? -base : base), digits)
}

/** A ratio of 0 to 1 as a percentage with every digit it has beyond trailing zeros: "0.9350" as "93.5". */
export function asPercent(ratio: string): string {
  const scale = Math.max(fractionDigits(ratio), 2)
  const text = printScaled(scaled(ratio, scale), scale - 2)
  return groupDigits(text.includes('.') ? text.replace(/\.?0+$/, '') : text)
}

/** Without trailing zeros after the point: "0.600000000" as "0.6". */
export function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** For places on the screen alone: pixels need no more than a floating-point number, and no text is made of it. */
export function pixelNumber(text: string): number {
  return Number(text)
}

function fractionDigits(text: string): number {
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
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
