import { type Decimal, roundDecimal, SCALE } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { GAUGE_FACTOR } from './level.ts'
import type { Parameters } from './parameters.ts'

/** Returns K_1 = base_value / S_base, 12 decimals (methodology index-1 §10). */
export function baseFactor(base_value: Decimal, s_base: Decimal, version: string): Decimal {
  if (s_base.isZero()) throw unstable(`version ${version}: S at base_date is 0`, 'an S above 0')
  return roundDecimal(base_value.div(s_base), SCALE.link_factor)
}

/**
 * Returns K_new = K_old x S_old(t) / S_new(t) with the same admitted inputs, 12 decimals.
 * @param s_old,s_new the S of both versions at the later one's effective_from; null when nothing is usable
 * @throws {ServiceError} INDEX_LINK_UNSTABLE when either is under link.min_s; INDEX_GEARING_LIMIT when K_new / K_1 leaves the
 *   range
 */
export function linkFactor(
  k_old: Decimal,
  k_first: Decimal,
  s_old: Decimal | null,
  s_new: Decimal | null,
  p: Parameters['link'],
  version: string,
): Decimal {
  for (const [name, s] of [
    ['old', s_old],
    ['new', s_new],
  ] as const) {
    if (s === null || s.lt(p.min_s))
      throw unstable(
        `version ${version}: S of the ${name} composition is ${s?.toFixed(12) ?? 'missing'} at the link`,
        `at least link.min_s ${p.min_s.toFixed()}`,
      )
  }
  const k_new = roundDecimal(k_old.times(s_old!).div(s_new!), SCALE.link_factor)
  const gearing = k_new.div(k_first)
  if (gearing.lt(p.gearing_min) || gearing.gt(p.gearing_max)) {
    throw new ServiceError(
      'INDEX_GEARING_LIMIT',
      `version ${version}: link factor ${k_new.toFixed()} is ${gearing.toFixed(6)} times the first one; allowed: ${p.gearing_min.toFixed()} to ${p.gearing_max.toFixed()}`,
    )
  }
  return k_new
}

/** Returns the step that a change of composition adds to a gauge level: 100 x (S_new - S_old). */
export function compositionStep(s_old: Decimal, s_new: Decimal): Decimal {
  return GAUGE_FACTOR.times(s_new.minus(s_old))
}

function unstable(what: string, allowed: string): ServiceError {
  return new ServiceError('INDEX_LINK_UNSTABLE', `${what}; allowed: ${allowed}`)
}
