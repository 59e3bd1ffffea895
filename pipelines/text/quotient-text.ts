import type { DecimalString } from '../../primitives/decimal.ts'
import { divideHalfEven, pow10, toScaled } from '../../primitives/scaled.ts'
import { type DecimalLimits, fractionDigits, scaledNumber } from '../../primitives/scaled-number.ts'

/** Fraction digits of the result. Digits are computed one by one, so ten times a remainder must still be exact. */
const DIGITS = 9
const ONE = 10 ** DIGITS
const EXACT_MAX = Math.floor(Number.MAX_SAFE_INTEGER / 10)
const SCALE_MAX = 15
const LIMITS: readonly DecimalLimits[] = Array.from({ length: SCALE_MAX + 1 }, (_, scale) => ({
  scale,
  limit: EXACT_MAX,
}))

/** Three-digit texts: joining these prints a number in half the time. */
const GROUPS = Array.from({ length: 1000 }, (_, group) => String(group).padStart(3, '0'))

/**
 * Divides part by whole, half even to 9 fraction digits; null if the result is outside [0, 1].
 * @param part a decimal text
 * @param whole a decimal text, not zero
 * Measured by bench/parse.bench.ts.
 */
export function quotientText(part: DecimalString, whole: DecimalString): DecimalString | null {
  const quotient = quotientAt9(part, whole)
  return quotient === null ? null : textAt9(quotient)
}

/** Returns one minus the quotient: half even is the same from both ends. */
export function restText(part: DecimalString, whole: DecimalString): DecimalString | null {
  const quotient = quotientAt9(part, whole)
  return quotient === null ? null : textAt9(ONE - quotient)
}

function quotientAt9(part: DecimalString, whole: DecimalString): number | null {
  const scale = Math.max(fractionDigits(part), fractionDigits(whole))
  const limits = LIMITS[scale]
  if (limits === undefined) return wideQuotient(part, whole, scale)
  const [numerator, denominator] = [scaledNumber(part, limits), scaledNumber(whole, limits)]
  if (Number.isNaN(numerator) || Number.isNaN(denominator)) return wideQuotient(part, whole, scale)
  return denominator < 0 ? shortQuotient(-numerator, -denominator) : shortQuotient(numerator, denominator)
}

/**
 * Divides by long division in whole numbers that a double holds exactly. Each digit is exact too: a quotient of whole numbers
 * below 2^53 that is less than a whole number is never rounded up to it. `%` takes many times as long.
 */
function shortQuotient(numerator: number, denominator: number): number | null {
  if (!(numerator >= 0 && numerator <= denominator)) return null
  let rest = numerator
  let quotient = 0
  for (let i = 0; i < DIGITS; i += 1) {
    const next = rest * 10
    const digit = Math.floor(next / denominator)
    rest = next - digit * denominator
    quotient = quotient * 10 + digit
  }
  const twice = rest * 2
  return twice > denominator || (twice === denominator && quotient % 2 === 1) ? quotient + 1 : quotient
}

function wideQuotient(part: DecimalString, whole: DecimalString, scale: number): number | null {
  const [given, over] = [toScaled(part, scale), toScaled(whole, scale)]
  const [numerator, denominator] = over < 0n ? [-given, -over] : [given, over]
  if (numerator < 0n || numerator > denominator) return null
  return Number(divideHalfEven(numerator * pow10(DIGITS), denominator)) // at most 10^9
}

function textAt9(billionths: number): DecimalString {
  if (billionths === ONE) return '1.000000000'
  const thousandths = Math.floor(billionths / 1e6)
  const thousands = Math.floor(billionths / 1e3) - thousandths * 1e3
  return `0.${GROUPS[thousandths]!}${GROUPS[thousands]!}${GROUPS[billionths % 1e3]!}`
}
