import { Decimal as D, type Decimal, ONE, ZERO } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { FreshnessClass } from '../../vocabulary/index-level.ts'
import type { Mark } from './mark.ts'
import type { MarkParameters } from './parameters.ts'

/** The class of a mark; the boundary value belongs to the better class. A frozen mark is stale at any age. */
export function classifyFreshness(mark: Mark | null, cutoff: Micros, p: MarkParameters): FreshnessClass {
  if (mark === null) return 'missing'
  if (mark.rule === 'M0') return 'settled'
  if (mark.rule === 'frozen') return 'stale'
  const age = cutoff - mark.confirmed_at
  if (age <= p.stale_after) return 'fresh'
  return age <= p.max_carry ? 'stale' : 'missing'
}

/** Confidence of an input: 1 for a settled one, else c_rule x max(0, 1 - age / max_carry) (methodology 4.2). */
export function inputConfidence(mark: Mark, cutoff: Micros, p: MarkParameters): Decimal {
  if (mark.rule === 'M0') return ONE
  const left = ONE.minus(new D(cutoff - mark.confirmed_at).div(p.max_carry))
  return left.isNegative() ? ZERO : mark.c_rule.times(left)
}
