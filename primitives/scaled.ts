import { DECIMAL_PATTERN, type DecimalString } from './decimal.ts'
import { ServiceError } from './errors.ts'
import { type DecimalLimits, fractionDigits, scaledNumber } from './scaled-number.ts'

/** Exact scaled integers: the value `n` at scale `s` is n / 10^s. */

const POWERS: bigint[] = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent))

/** Returns 10^exponent, exponent >= 0. */
export function pow10(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent)
}

/**
 * Returns the integer of a decimal string at `scale`, exact.
 * @throws {ServiceError} VALIDATION_DECIMAL_INVALID when it is not a decimal string or has more than `scale` significant
 *   fraction digits
 */
export function toScaled(text: DecimalString, scale: number, field = 'value'): bigint {
  const number = numberAt(text, scale)
  if (!Number.isNaN(number)) return BigInt(number)
  const { integer, remainder } = splitAtScale(text, scale, field)
  if (remainder !== '') {
    throw new ServiceError(
      'VALIDATION_DECIMAL_INVALID',
      `${field} is ${text}; allowed: at most ${scale} fraction digits`,
      {
        field,
        value: text,
        scale: String(scale),
      },
    )
  }
  return integer
}

/** Returns the integer of a decimal string at `scale`, rounded half even. The text must be a decimal string. */
export function quantize(text: DecimalString, scale: number, field = 'value'): bigint {
  const digits = fractionDigits(text)
  const number = digits > scale ? numberAt(text, digits) : Number.NaN
  if (!Number.isNaN(number)) return BigInt(roundedHalfEven(number, 10 ** (digits - scale)))
  const { integer, remainder, negative } = splitAtScale(text, scale, field)
  if (remainder === '') return integer
  const half = /^50*$/.test(remainder)
  const magnitude = integer < 0n ? -integer : integer
  const up = half ? magnitude % 2n === 1n : remainder.charCodeAt(0) >= 53
  const rounded = magnitude + (up ? 1n : 0n)
  return negative ? -rounded : rounded
}

/** Returns number / unit, half even; number a safe integer, unit a power of ten above 1: remainder and quotient are exact. */
function roundedHalfEven(number: number, unit: number): number {
  const magnitude = Math.abs(number)
  const rest = magnitude % unit
  const whole = (magnitude - rest) / unit
  const twice = rest * 2
  const up = twice > unit || (twice === unit && whole % 2 === 1)
  const rounded = whole + (up ? 1 : 0)
  return number < 0 && rounded > 0 ? -rounded : rounded
}

/** Limits by scale for `scaledNumber`, without a type's bound. */
const UNBOUNDED: readonly DecimalLimits[] = Array.from({ length: 16 }, (_, scale) => ({
  scale,
  limit: Number.POSITIVE_INFINITY,
}))

/** Returns the integer of a short decimal text, exact; NaN if it needs the slow path. */
function numberAt(text: DecimalString, scale: number): number {
  const limits = UNBOUNDED[scale]
  return limits === undefined || typeof text !== 'string' ? Number.NaN : scaledNumber(text, limits)
}

/** Formats a scaled integer with exactly `scale` fraction digits. */
export function fromScaled(integer: bigint, scale: number): DecimalString {
  const negative = integer < 0n
  const digits = (negative ? -integer : integer).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const text = scale === 0 ? whole : `${whole}.${digits.slice(digits.length - scale)}`
  return negative ? `-${text}` : text
}

/** Returns numerator / denominator rounded half even to an integer; denominator > 0. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n
  const magnitude = negative ? -numerator : numerator
  const quotient = magnitude / denominator
  const twice = (magnitude % denominator) * 2n
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n)
  const rounded = quotient + (up ? 1n : 0n)
  return negative ? -rounded : rounded
}

function splitAtScale(text: DecimalString, scale: number, field: string) {
  if (typeof text !== 'string' || !DECIMAL_PATTERN.test(text)) {
    throw new ServiceError(
      'VALIDATION_DECIMAL_INVALID',
      `${field} is ${JSON.stringify(text)}; allowed: a decimal string such as "0.25" (digits, one point, no exponent)`,
      { field, value: String(text) },
    )
  }
  const negative = text.startsWith('-')
  const unsigned = negative ? text.slice(1) : text
  const point = unsigned.indexOf('.')
  const whole = point < 0 ? unsigned : unsigned.slice(0, point)
  const fraction = point < 0 ? '' : unsigned.slice(point + 1)
  const kept = fraction.slice(0, scale).padEnd(scale, '0')
  const remainder = fraction.slice(scale).replace(/0+$/, '')
  const magnitude = BigInt(whole + kept)
  return { integer: negative ? -magnitude : magnitude, remainder, negative }
}
