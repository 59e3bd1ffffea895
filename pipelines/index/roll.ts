import { Decimal, ONE, roundDecimal, SCALE, ZERO } from '../../primitives/decimal.ts'
import { MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import type { Roll } from './version.ts'

/** A contract of a roll: days to its expected resolution, and its price in [0, 1]. */
export type Contract = { readonly days: Decimal; readonly p: Decimal }

const TERM_TOLERANCE = new Decimal('0.01')

/** Returns the days from the start of the cutoff's UTC day (weights move daily at 00:00Z) to the expected resolution. */
export function daysToResolution(expected_resolution_at: Micros, cutoff: Micros): Decimal {
  const day = Math.floor(cutoff / MICROS_PER_DAY) * MICROS_PER_DAY
  return new Decimal(expected_resolution_at - day).div(MICROS_PER_DAY)
}

/**
 * Returns the near contract's weight w1 = (T2 - M) / (T2 - T1), 10 decimals, in [0, 1]; 0 once T1 <= stop_days (methodology
 * index-1 §11). The far contract has 1 - w1. T1 < T2.
 */
export function nearWeight(t1: Decimal, t2: Decimal, roll: Roll): Decimal {
  if (t1.lte(roll.stop_days)) return ZERO
  const w1 = roundDecimal(t2.minus(roll.target_days).div(t2.minus(t1)), SCALE.weight)
  return Decimal.min(Decimal.max(w1, ZERO), ONE)
}

/** Returns the contracts around the target maturity: the last one within it and the first beyond, among those not stopped. */
export function contractPair<T extends { readonly days: Decimal }>(
  contracts: readonly T[],
  roll: Roll,
): readonly [T, T] | readonly [T] | null {
  const open = contracts.filter((contract) => contract.days.gt(0)).sort((a, b) => a.days.cmp(b.days))
  const live = open.filter((contract) => contract.days.gt(roll.stop_days))
  const usable = live.length > 0 ? live : open
  const far = usable.findIndex((contract) => contract.days.gt(roll.target_days))
  if (usable.length === 0) return null
  if (far <= 0) return [usable.at(far === 0 ? 0 : -1)!]
  return [usable[far - 1]!, usable[far]!]
}

/** Returns the rolled price, and whether nested questions break the term structure (p1 <= p2 + 0.01) under `hazard`. */
export function rollPrice(near: Contract, far: Contract, roll: Roll): { x: Decimal; w1: Decimal; violated: boolean } {
  const w1 = nearWeight(near.days, far.days, roll)
  const w2 = ONE.minus(w1)
  if (roll.mode === 'linear') return { x: w1.times(near.p).plus(w2.times(far.p)), w1, violated: false }
  const violated = near.p.gt(far.p.plus(TERM_TOLERANCE))
  if (near.p.eq(1) && w1.gt(0)) return { x: ONE, w1, violated }
  if (far.p.eq(1) && w2.gt(0)) return { x: ONE, w1, violated }
  const log = (w: Decimal, p: Decimal) => (w.isZero() ? ZERO : w.times(ONE.minus(p).ln()))
  return { x: ONE.minus(log(w1, near.p).plus(log(w2, far.p)).exp()), w1, violated }
}
