import { MARK_RULES, QUALITY_STATES } from '../../../vocabulary/index-level.ts'
import { C_RULE } from '../../market/mark.ts'

/**
 * Units of the numbers in this folder: whole numbers in a Float64, exact below 2^53.
 *   price   1e-9   as the quote columns hold them      depth  1e-6
 *   mark    1e-6   every published x and mark          weight 1e-10
 *   instant and age: microseconds                      c_rule: hundredths
 */
export const PRICES_PER_MARK = 1000
export const PRICE_ONE = 1_000_000_000
export const DEPTH_ONE = 1_000_000
export const MARK_ONE = 1_000_000
export const WEIGHT_ONE = 10_000_000_000
export const C_ONE = 100

/** Fraction digits of a published coverage_ratio, and the weights in one of its units. */
export const COVERAGE_SCALE = 6
export const WEIGHTS_PER_COVERAGE = WEIGHT_ONE / 10 ** COVERAGE_SCALE

/** Codes of rules: ordinals in MARK_RULES; `NONE` is no mark (M8). */
export const RULE = { M0: 0, M1: 1, M2: 2, M3: 3, M4: 4, M5: 5, M5r: 6, M6: 7, M7: 8, frozen: 9, fixing: 10 } as const
export const NONE = -1

/** c_rule of each rule in hundredths; M6 has 0.90 of the other outcome's, which is still a whole number of hundredths. */
export const C_OF_RULE: readonly number[] = MARK_RULES.map((rule) => Number(C_RULE[rule].times(C_ONE).toFixed()))
/** c_rule of a tight book, in hundredths. */
export const C_M1 = C_OF_RULE[RULE.M1]!

/** Codes of freshness classes: ordinals in FRESHNESS_CLASSES. */
export const CLASS = { settled: 0, fresh: 1, stale: 2, missing: 3 } as const

/** Quality states by code: indexes into QUALITY_STATES. */
export const STATE = {
  valid: QUALITY_STATES.indexOf('valid'),
  indicative: QUALITY_STATES.indexOf('indicative'),
  stale: QUALITY_STATES.indexOf('stale'),
  degraded: QUALITY_STATES.indexOf('degraded'),
  suspended: QUALITY_STATES.indexOf('suspended'),
} as const

/** Returns whether a rule's weight is limited: M5, M6, M7 and frozen (methodology index-1 §12, Q3). */
export function isFallbackRule(rule: number): boolean {
  return rule === RULE.M5 || rule === RULE.M6 || rule === RULE.M7 || rule === RULE.frozen
}

/**
 * Returns numerator / denominator rounded half even. Whole numbers; |numerator| < 2^53, 0 < denominator < 2^52.
 * Exact: cut toward zero, the quotient times the denominator stays within 2^53, so the remainder has no rounding. (Floor
 * would go beyond for a negative numerator.) Where the Float64 quotient rounded up to a whole number, that is the nearest.
 */
export function roundQuotient(numerator: number, denominator: number): number {
  const quotient = Math.trunc(numerator / denominator)
  const twice = 2 * Math.abs(numerator - quotient * denominator)
  const away = twice > denominator || (twice === denominator && quotient % 2 !== 0)
  return away ? quotient + Math.sign(numerator) : quotient + 0
}

/** Prints a whole number of units of 10^-scale (scale 1 to 12) with exactly `scale` fraction digits. */
export function printUnits(units: number, scale: number): string {
  const digits = String(Math.abs(units)).padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${units < 0 ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}
