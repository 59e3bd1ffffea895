import { Decimal as D, type Decimal, ONE, ZERO } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { FreshnessClass } from '../../vocabulary/index-level.ts'
import type { Mark } from './mark.ts'
import type { MarkParameters } from './parameters.ts'

/** Default of the parameter fresh.stale_after (methodology index-1 §18), an ISO 8601 duration. */
export const STALE_AFTER_DEFAULT = 'PT15M'

/**
 * Returns whether a value is stale: its age is above the bound; on the boundary it is still fresh (methodology index-1 §5).
 * @param bound `fresh.stale_after` for a mark; for a current read its meta.max_age_ms, in microseconds
 */
export function isStale(confirmed_at: Micros, at: Micros, bound: Micros): boolean {
  return at - confirmed_at > bound
}

/** Returns the bound of a level, 2 x calculation_frequency + grace: none is older while publication is on time. */
export function levelBound(calculation_frequency: Micros, grace: Micros): Micros {
  return 2 * calculation_frequency + grace
}

/** Returns the published freshness_ms: the age of a price in whole milliseconds, never negative. */
export function freshnessMs(confirmed_at: Micros, at: Micros): number {
  return Math.max(0, Math.floor((at - confirmed_at) / 1000))
}

/** Returns the class of a mark; the boundary value belongs to the better class. A frozen mark is stale at any age. */
export function classifyFreshness(mark: Mark | null, cutoff: Micros, p: MarkParameters): FreshnessClass {
  if (mark === null) return 'missing'
  if (mark.rule === 'M0') return 'settled'
  if (mark.rule === 'frozen') return 'stale'
  if (!isStale(mark.confirmed_at, cutoff, p.stale_after)) return 'fresh'
  return cutoff - mark.confirmed_at <= p.max_carry ? 'stale' : 'missing'
}

/** Returns the confidence of an input: 1 for a settled one, else c_rule x max(0, 1 - age / max_carry) (methodology index-1 §5). */
export function inputConfidence(mark: Mark, cutoff: Micros, p: MarkParameters): Decimal {
  if (mark.rule === 'M0') return ONE
  const left = ONE.minus(new D(cutoff - mark.confirmed_at).div(p.max_carry))
  return left.isNegative() ? ZERO : mark.c_rule.times(left)
}
