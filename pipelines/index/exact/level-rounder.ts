import type { Decimal } from '../../../primitives/decimal.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import { GAUGE_FACTOR } from '../level.ts'
import { type Decimal34, divide34, fromUnits, multiply34, parse34, toUnits } from './decimal34.ts'
import { roundFiltered } from './rounding.ts'
import { MARK_ONE, printUnits, roundQuotient } from './units.ts'

/** Fraction digits of a published level. */
export const LEVEL_SCALE = 4
const HALF = MARK_ONE / 2

/** Largest link factor whose levels fit a Float64 in units, for marks up to 1.4. */
const LARGE_K = 2 ** 52 / 14_000

/**
 * Publishes L = K x S for one link factor, from S = (sum w x) / (sum w) as whole numbers. The numerator is centered, that is
 * sum w (x - 500000): then it stays within 5e15 < 2^53 even for weights of 10 decimals, where sum w x reaches 1e16.
 *
 * Gauge (K = 100): L in units is 500000 + numerator / denominator, rounded half even in whole numbers. The formula agrees:
 * away from a tie L is at least 1 / (2 denominator) >= 5e-11 units off it, while 34 digits are off by less than 1e-27; on a
 * tie S has 7 decimals and every step of the formula is exact.
 *
 * Chained: the estimate has five roundings of 2^-53 (K, K / 100, the quotient, its sum with one half, the product), each
 * of a value within 1.4 of the level at S = 1, and the formula two of 5e-34: together less than 1e-15 of that level. On an
 * exact tie S may have no finite expansion, and only the formula knows to which side its 34 digits fall.
 */
export class LevelRounder {
  readonly #k: Decimal34
  readonly #gauge: boolean
  /** K in units of level per mark: K x 10^4 / 10^6. */
  readonly #units_per_mark: number
  readonly #tolerance: number
  /** Whether a level may have more units than a Float64 holds: then only `text` may be called. */
  readonly large: boolean

  constructor(k: Decimal) {
    this.#k = parse34(k.toFixed())
    this.#gauge = k.eq(GAUGE_FACTOR)
    this.large = k.abs().gt(LARGE_K)
    this.#units_per_mark = Number(k.toFixed()) / 100
    this.#tolerance = 1e-15 * this.#units_per_mark * MARK_ONE
  }

  /** Returns the level in units. |numerator| < 2^53; 0 < denominator <= 10^10. */
  units(numerator: number, denominator: number): number {
    if (this.#gauge) return HALF + roundQuotient(numerator, denominator)
    const estimate = this.#units_per_mark * (HALF + numerator / denominator)
    return roundFiltered(estimate, this.#tolerance, () => Number(this.formula(BigInt(numerator), BigInt(denominator))))
  }

  /** Returns the published level. */
  text(numerator: number | bigint, denominator: number): string {
    if (typeof numerator === 'number' && !this.large) return printUnits(this.units(numerator, denominator), LEVEL_SCALE)
    return fromScaled(this.formula(BigInt(numerator), BigInt(denominator)), LEVEL_SCALE)
  }

  /** Evaluates the normative formula: S to 34 digits, K x S to 34 digits, half even at 4 decimals. */
  formula(numerator: bigint, denominator: bigint): bigint {
    const s = divide34(fromUnits(numerator + BigInt(HALF) * denominator, 16), fromUnits(denominator, 10))
    return toUnits(multiply34(this.#k, s), LEVEL_SCALE)
  }
}
