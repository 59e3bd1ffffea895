import { Decimal, medianDecimal, ONE, sumDecimals } from '../../primitives/decimal.ts'
import type { Parameters } from './parameters.ts'

/** Price of one venue in a pool: p in [0, 1], weight > 0. */
export type PoolLeg = { readonly key: string; readonly p: Decimal; readonly weight: Decimal }

export type PoolResult = {
  readonly x: Decimal
  /** Excluded keys, too far from the median; they stay out until they are within `readmit`. */
  readonly excluded: ReadonlyMap<string, { readonly median: Decimal; readonly threshold: Decimal }>
  /** Two venues more than `exclude` apart, or no venue near the median: all kept, the index at best degraded. */
  readonly dispersed: boolean
}

/**
 * Computes the log-odds pool (methodology index-1 §7): p clipped to [eps, 1 - eps]; z = d x weighted mean of ln(p / (1 - p)); x
 * = 1 / (1 + e^-z).
 * @param excluded_before keys excluded at the previous tick
 */
export function logOddsPool(
  legs: readonly PoolLeg[],
  excluded_before: ReadonlySet<string>,
  p: Parameters['pool'],
): PoolResult {
  const far = legs.length >= 3 ? farLegs(legs, excluded_before, p) : new Map()
  // With venues in two equal camps nobody may be near the median: then nobody is excluded.
  const split = far.size === legs.length
  const excluded = split ? new Map() : far
  const dispersed = split || (legs.length === 2 && legs[0]!.p.minus(legs[1]!.p).abs().gt(p.exclude))
  return {
    x: poolOdds(
      legs.filter((leg) => !excluded.has(leg.key)),
      p,
    ),
    excluded,
    dispersed,
  }
}

function farLegs(legs: readonly PoolLeg[], excluded_before: ReadonlySet<string>, p: Parameters['pool']) {
  const median = medianDecimal(legs.map((leg) => leg.p))
  return new Map(
    legs.flatMap((leg) => {
      const distance = leg.p.minus(median).abs()
      const out = excluded_before.has(leg.key) ? distance.gte(p.readmit) : distance.gt(p.exclude)
      return out
        ? [[leg.key, { median, threshold: excluded_before.has(leg.key) ? p.readmit : p.exclude }] as const]
        : []
    }),
  )
}

/** Log odds by price. Venues quote few prices again and again, and a logarithm takes as long as all else of a pool. */
const known_odds = new Map<string, Decimal>()
/** Bound for the memory of a process that computes for years. */
const KNOWN_MAX = 20_000

/** Returns ln(q / (1 - q)). */
function logOdds(q: Decimal): Decimal {
  const key = q.toString()
  const known = known_odds.get(key)
  if (known !== undefined) return known
  if (known_odds.size === KNOWN_MAX) known_odds.clear()
  const odds = q.div(ONE.minus(q)).ln()
  known_odds.set(key, odds)
  return odds
}

function poolOdds(legs: readonly PoolLeg[], p: Parameters['pool']): Decimal {
  const top = ONE.minus(p.eps)
  const odds = legs.map((leg) => {
    const q = Decimal.min(Decimal.max(leg.p, p.eps), top)
    return leg.weight.times(logOdds(q))
  })
  const z = p.d.times(sumDecimals(odds).div(sumDecimals(legs.map((leg) => leg.weight))))
  return ONE.div(ONE.plus(z.neg().exp()))
}

/** Returns x_j = m_j / sum m and the overround, sum m - 1 (methodology index-1 §7); null if |overround| exceeds the limit. */
export function sumToOne(
  marks: readonly Decimal[],
  own: number,
  max_overround: Decimal,
): { x: Decimal; overround: Decimal } | null {
  const sum = sumDecimals(marks)
  const overround = sum.minus(ONE)
  return sum.isZero() || overround.abs().gt(max_overround) ? null : { x: marks[own]!.div(sum), overround }
}
