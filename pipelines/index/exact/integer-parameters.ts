import { Decimal } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import type { Parameters } from '../parameters.ts'
import type { IndexVersion } from '../version.ts'
import { DEPTH_ONE, MARK_ONE, PRICE_ONE, WEIGHT_ONE } from './units.ts'

/**
 * A version's parameters as bounds for whole numbers. A comparison with a decimal bound b becomes one with a whole number:
 * for whole n, n <= b iff n <= floor(b), and n < b iff n < ceil(b). So every digit of a parameter counts, none is rounded.
 */
export type IntegerParameters = {
  readonly stale_after: Micros
  readonly max_carry: Micros
  readonly book_max_age: Micros
  readonly t_recent: Micros
  readonly t_last: Micros
  /** Largest spreads, in prices. */
  readonly s_tight: number
  readonly s_micro: number
  readonly s_wide: number
  /** Smallest depth. */
  readonly q_min: number
  readonly outlier: IntegerOutlier
  /** Weights: suspended below usable, degraded below coverage or above fallback. */
  readonly usable_min: number
  readonly coverage_min: number
  readonly fallback_max: number
  readonly min_confidence: Decimal
}

export type IntegerOutlier = {
  readonly enabled: boolean
  readonly window: number
  readonly min_n: number
  readonly confirm_n: number
  readonly window_max_age: Micros
  /** Largest distances, in marks. */
  readonly band: number
  readonly venue_band: number
  /** k and its half for re-entry, as limits. */
  readonly entry: OutlierLimit
  readonly reentry: OutlierLimit
  readonly floor: Decimal
}

/** |x - m| <= k x max(1.4826 x MAD, floor), split into its two cases. */
export type OutlierLimit = {
  readonly k: Decimal
  /** floor case: 2 |x - m| in marks is at most this. */
  readonly floor_halves: number
  /** MAD case: 2 |x - m| x `scale` is at most 4 MAD x `factor`, in marks. */
  readonly factor: bigint
  readonly scale: bigint
}

/** Returns the bounds of one version. */
export function integerParameters(version: IndexVersion): IntegerParameters {
  const known = KNOWN.get(version) ?? parametersOf(version)
  KNOWN.set(version, known)
  return known
}

const KNOWN = new WeakMap<IndexVersion, IntegerParameters>()

function parametersOf(version: IndexVersion): IntegerParameters {
  const p = version.methodology.parameters
  return {
    stale_after: p.stale_after,
    max_carry: p.max_carry,
    book_max_age: p.book_max_age,
    t_recent: p.t_recent,
    t_last: p.t_last,
    s_tight: atMost(p.s_tight, PRICE_ONE),
    s_micro: atMost(p.s_micro, PRICE_ONE),
    s_wide: atMost(p.s_wide, PRICE_ONE),
    q_min: atLeast(p.q_min, DEPTH_ONE),
    outlier: integerOutlier(p),
    usable_min: atLeast(p.quality.usable_min, WEIGHT_ONE),
    coverage_min: atLeast(version.minimum_coverage_ratio, WEIGHT_ONE),
    fallback_max: atMost(p.quality.max_fallback_weight, WEIGHT_ONE),
    min_confidence: p.quality.min_confidence,
  }
}

function integerOutlier({ outlier }: Parameters): IntegerOutlier {
  return {
    enabled: outlier.enabled,
    window: outlier.window,
    min_n: outlier.min_n,
    confirm_n: outlier.confirm_n,
    window_max_age: outlier.window_max_age,
    band: atMost(outlier.band, MARK_ONE),
    venue_band: atMost(outlier.venue_band, MARK_ONE),
    entry: outlierLimit(outlier.k, outlier.floor),
    reentry: outlierLimit(outlier.k.div(2), outlier.floor),
    floor: outlier.floor,
  }
}

/** Converts a limit: 2|x-m| <= k x 1.4826 x 2 MAD becomes 2|x-m| x 20000 <= k x 14826 x 4 MAD. */
function outlierLimit(k: Decimal, floor: Decimal): OutlierLimit {
  const places = k.decimalPlaces()
  return {
    k,
    floor_halves: atMost(k.times(floor), 2 * MARK_ONE),
    factor: toScaled(k.toFixed(), places) * 14_826n,
    scale: 20_000n * 10n ** BigInt(places),
  }
}

/** Rounds a bound down. Beyond the safe range it becomes the range's end, because no counted number lies outside it. */
function atMost(bound: Decimal, units: number): number {
  return safe(bound.times(units).floor())
}

function atLeast(bound: Decimal, units: number): number {
  return safe(bound.times(units).ceil())
}

function safe(bound: Decimal): number {
  return Number(Decimal.min(bound, Number.MAX_SAFE_INTEGER).toFixed())
}
