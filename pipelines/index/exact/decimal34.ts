import type { DecimalString } from '../../../primitives/decimal.ts'
import { divideHalfEven, pow10 } from '../../../primitives/scaled.ts'

/**
 * Independent implementation of the normative arithmetic (methodology index-1 §2): 34 significant digits, half even, over BigInt
 * and without decimal.js, so that an error of one of the two shows as a difference. The value is m x 10^e.
 */
export type Decimal34 = { readonly m: bigint; readonly e: number }

const DIGITS = 34
const LIMIT = pow10(DIGITS)

export const ZERO34: Decimal34 = { m: 0n, e: 0 }
export const ONE34: Decimal34 = { m: 1n, e: 0 }

/** Converts whole units of 10^-scale; exact, not rounded. */
export function fromUnits(units: number | bigint, scale: number): Decimal34 {
  return { m: BigInt(units), e: -scale }
}

/** Parses a decimal string; exact, not rounded. */
export function parse34(text: DecimalString): Decimal34 {
  const point = text.indexOf('.')
  const scale = point < 0 ? 0 : text.length - point - 1
  return { m: BigInt(text.replace('.', '')), e: -scale }
}

/** Returns the rounded sum. */
export function add34(a: Decimal34, b: Decimal34): Decimal34 {
  const e = Math.min(a.e, b.e)
  return round34(a.m * pow10(a.e - e) + b.m * pow10(b.e - e), e)
}

/** Returns the rounded difference. */
export function subtract34(a: Decimal34, b: Decimal34): Decimal34 {
  return add34(a, { m: -b.m, e: b.e })
}

/** Returns the rounded product. */
export function multiply34(a: Decimal34, b: Decimal34): Decimal34 {
  return round34(a.m * b.m, a.e + b.e)
}

/** Returns the rounded quotient; b is not zero. One sticky digit represents the remainder, so only an exact tie counts as a tie. */
export function divide34(a: Decimal34, b: Decimal34): Decimal34 {
  const shift = Math.max(0, DIGITS + 1 + digitsOf(b.m) - digitsOf(a.m))
  const numerator = a.m * pow10(shift)
  const quotient = numerator / b.m
  const rest = numerator % b.m
  const sticky = rest === 0n ? 0n : rest < 0n === b.m < 0n ? 1n : -1n
  return round34(quotient * 10n + sticky, a.e - b.e - shift - 1)
}

/** Sums in the order given, rounded after each step. */
export function sum34(values: Iterable<Decimal34>): Decimal34 {
  let total = ZERO34
  for (const value of values) total = add34(total, value)
  return total
}

/** Compares: negative, zero or positive as a is below, equal to or above b. */
export function compare34(a: Decimal34, b: Decimal34): number {
  const e = Math.min(a.e, b.e)
  const difference = a.m * pow10(a.e - e) - b.m * pow10(b.e - e)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

/** Rounds half even to whole units of 10^-scale, the published form. */
export function toUnits(value: Decimal34, scale: number): bigint {
  const shift = value.e + scale
  return shift >= 0 ? value.m * pow10(shift) : divideHalfEven(value.m, pow10(-shift))
}

function round34(m: bigint, e: number): Decimal34 {
  if (m < LIMIT && m > -LIMIT) return { m, e }
  const drop = digitsOf(m) - DIGITS
  return { m: divideHalfEven(m, pow10(drop)), e: e + drop }
}

function digitsOf(m: bigint): number {
  return (m < 0n ? -m : m).toString().length
}
