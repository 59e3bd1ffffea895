import { Decimal as DecimalJs } from 'decimal.js'
import type { DecimalString } from './decimal-string.ts'
import { ServiceError } from './errors.ts'

/**
 * The only decimal configuration: 34 significant digits, round half even (methodology index-1 §2), no exponents in output.
 * No other file imports decimal.js.
 */
export const Decimal = DecimalJs.clone({
  precision: 34,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
export type Decimal = DecimalJs

export type { DecimalString } from './decimal-string.ts'

export const DECIMAL_PATTERN = /^-?(0|[1-9]\d*)(\.\d+)?$/

export const ZERO: Decimal = new Decimal(0)
export const ONE: Decimal = new Decimal(1)

/** Returns whether `text` is a decimal string (methodology index-1 §2 "Input strings"). */
export function isDecimalString(text: unknown): text is DecimalString {
  return typeof text === 'string' && DECIMAL_PATTERN.test(text)
}

/**
 * Parses a decimal string exactly.
 * @throws {ServiceError} VALIDATION_DECIMAL_INVALID names `field` and the text
 */
export function parseDecimal(text: unknown, field: string): Decimal {
  if (!isDecimalString(text)) {
    throw new ServiceError(
      'VALIDATION_DECIMAL_INVALID',
      `${field} is ${JSON.stringify(text)}; allowed: a decimal string such as "0.25" (digits, one point, no exponent)`,
      { field, value: String(text) },
    )
  }
  return new Decimal(text)
}

/** Rounds half even to `scale` places and prints exactly `scale` fraction digits; negative zero prints as zero. */
export function formatDecimal(value: Decimal, scale: number): DecimalString {
  const text = value.toFixed(scale, DecimalJs.ROUND_HALF_EVEN)
  return /^-0(\.0+)?$/.test(text) ? text.slice(1) : text
}

/** Rounds half even to `scale` places, as a Decimal: the published value, which later steps read (methodology index-1 §1). */
export function roundDecimal(value: Decimal, scale: number): Decimal {
  return value.toDecimalPlaces(scale, DecimalJs.ROUND_HALF_EVEN)
}

/** Sums in the order given, 34 digits. */
export function sumDecimals(values: Iterable<Decimal>): Decimal {
  let total = ZERO
  for (const value of values) total = total.plus(value)
  return total
}

/** Returns the median; the mean of the two middle values if the count is even. `values` must not be empty. */
export function medianDecimal(values: readonly Decimal[]): Decimal {
  const sorted = [...values].sort((a, b) => a.cmp(b))
  const middle = sorted.length >> 1
  const upper = sorted[middle]!
  return sorted.length % 2 === 1 ? upper : sorted[middle - 1]!.plus(upper).div(2)
}

/** Published scales: fraction digits of each kind of value (methodology index-1 §2). */
export const SCALE = {
  weight: 10,
  mark: 6,
  observed_value: 9,
  coverage_ratio: 6,
  confidence: 4,
  level: 4,
  link_factor: 12,
  contribution: 12,
  payout: 6,
} as const
