import type { DecimalString } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import type { TradeReason } from '../../../vocabulary/robustness.ts'
import type { ManipulationCost } from '../../robustness/manipulation-cost.ts'
import { COST_DIGITS } from '../../robustness/push-costs.ts'
import { isStale, type LevelColumns } from './level-columns.ts'

/** Move of a level that an impact states the cost of, in basis points. */
export const COST_BASIS_POINTS = 100

/** Most ticks of a side whose cost is computed: the books of each are read. */
const EXAMINED_MAX = 200

/** Least, median and greatest of the notionals of some ticks; the median is by nearest rank, so it occurred. */
type CostRange = {
  /** Ticks that have this bound. */
  readonly ticks: number
  readonly least: DecimalString
  readonly median: DecimalString
  readonly greatest: DecimalString
}

/** Cost to move the levels of one side, over the look-back window (methodology robustness-1 §3). */
export type ManipulationCosts = {
  readonly basis_points: number
  /** Ticks with a level of their own. */
  readonly ticks: number
  /** Those of them whose cost was computed, evenly spaced from the first. */
  readonly ticks_examined: number
  /** Examined ticks at which a constituent that could be pushed has no usable depth: none of them is read as no cost. */
  readonly ticks_without_depth: number
  /** No push costs less; null: no tick has this bound. */
  readonly notional_at_least: CostRange | null
  /** Enough to push; null: no tick has this bound. */
  readonly notional_sufficient: CostRange | null
  /** Examined ticks without both bounds, by reason. */
  readonly unknown: readonly { readonly reason: TradeReason; readonly ticks: number }[]
}

/** Returns the ticks of a side whose cost is computed: those with a level of their own, or evenly spaced ones of many. */
export function examinedTicks(columns: LevelColumns): { readonly ticks: number; readonly examined: readonly Micros[] } {
  const own: Micros[] = []
  for (let i = 0; i < columns.length; i += 1)
    if (!Number.isNaN(columns.level[i]!) && !isStale(columns, i)) own.push(columns.tick_at[i]!)
  const step = Math.max(1, Math.ceil(own.length / EXAMINED_MAX))
  return { ticks: own.length, examined: own.filter((_, i) => i % step === 0) }
}

/** Summarizes the costs of the examined ticks, in any order. */
export function summarizeCosts(ticks: number, costs: readonly ManipulationCost[]): ManipulationCosts {
  const reasons = new Map<TradeReason, number>()
  for (const { reason } of costs) if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  return {
    basis_points: COST_BASIS_POINTS,
    ticks,
    ticks_examined: costs.length,
    ticks_without_depth: costs.filter(({ without_depth }) => without_depth.length > 0).length,
    notional_at_least: rangeOf(costs.map((cost) => cost.notional_at_least)),
    notional_sufficient: rangeOf(costs.map((cost) => cost.notional_sufficient)),
    unknown: [...reasons].sort(([a], [b]) => (a < b ? -1 : 1)).map(([reason, count]) => ({ reason, ticks: count })),
  }
}

function rangeOf(notionals: readonly (DecimalString | null)[]): CostRange | null {
  const known = notionals.filter((one) => one !== null).map((one) => toScaled(one, COST_DIGITS))
  if (known.length === 0) return null
  known.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const at = (i: number) => fromScaled(known[i]!, COST_DIGITS)
  return {
    ticks: known.length,
    least: at(0),
    median: at(Math.ceil(known.length / 2) - 1),
    greatest: at(known.length - 1),
  }
}
