import { Decimal, formatDecimal, SCALE, sumDecimals, ZERO } from '../../primitives/decimal.ts'
import type { FreshnessClass } from '../../vocabulary/index-level.ts'

/** One constituent as the level uses it: w > 0 with 10 decimals, x in [0, 1] with 6 or null, c in [0, 1]. Ascending constituent_id. */
export type LevelInput = {
  readonly w: Decimal
  readonly x: Decimal | null
  readonly c: Decimal
  readonly freshness: FreshnessClass
}

/** All values unrounded; S null when nothing is usable. */
export type LevelSums = {
  readonly s: Decimal | null
  readonly used_weight: Decimal
  readonly coverage_ratio: Decimal
  readonly usable_ratio: Decimal
  readonly confidence: Decimal
}

export const GAUGE_FACTOR = new Decimal(100)

/**
 * Returns the sums behind a level (methodology index-1 §9):
 *   S = sum w x / sum w over U = settled + fresh + stale;  coverage = sum w (settled + fresh) / sum w;
 *   usable = sum w (U) / sum w;  confidence = sum w c / sum w
 * A missing x is left out of S and of its denominator; it is never read as 0.
 */
export function levelSums(inputs: readonly LevelInput[]): LevelSums {
  const total = sumDecimals(inputs.map((i) => i.w))
  const usable = inputs.filter((i) => i.x !== null)
  const used_weight = sumDecimals(usable.map((i) => i.w))
  const covered = sumDecimals(
    usable.filter((i) => i.freshness === 'settled' || i.freshness === 'fresh').map((i) => i.w),
  )
  const weighted = sumDecimals(usable.map((i) => i.w.times(i.x!)))
  return {
    s: used_weight.isZero() ? null : weighted.div(used_weight),
    used_weight,
    coverage_ratio: covered.div(total),
    usable_ratio: used_weight.div(total),
    confidence: sumDecimals(inputs.map((i) => (i.x === null ? ZERO : i.w.times(i.c)))).div(total),
  }
}

/** Returns L = K x S, published half even at 4 decimals. */
export function formatLevel(k: Decimal, s: Decimal): string {
  return formatDecimal(k.times(s), SCALE.level)
}

/** Returns the contribution K x w x / sum_U w, 12 decimals. */
export function formatContribution(k: Decimal, w: Decimal, x: Decimal, used_weight: Decimal): string {
  return formatDecimal(k.times(w).times(x).div(used_weight), SCALE.contribution)
}
