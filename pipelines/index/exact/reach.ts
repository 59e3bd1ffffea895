import { Decimal } from '../../../primitives/decimal.ts'
import type { LegData, QuoteColumns } from '../admission.ts'
import { legsOf } from '../admit.ts'
import type { IndexSpec, Leg } from '../version.ts'
import type { LegMemory } from './leg-memory.ts'
import { MARK_ONE, PRICE_ONE, PRICES_PER_MARK } from './units.ts'

/**
 * Returns the largest distance of an index's marks from one half, in marks: it decides how sums are held. Books give marks in
 * [0, 1] by definition; a last trade, a reported value, a payout or a fixing's trade could be anything, so those columns are
 * scanned.
 */
export function markReach(
  spec: IndexSpec,
  sources: { readonly reachOf: (leg: Leg, fixing: boolean) => number },
): number {
  const fixing = spec.versions.some((version) => version.fixing !== null)
  const reach = Math.max(MARK_ONE / 2, ...legsOf(spec).map((leg) => sources.reachOf(leg, fixing)))
  const shares = spec.versions.some((v) => v.constituents.some((c) => c.normalization === 'multi_outcome_sum_to_one'))
  // A share m / sum m of marks outside [0, 1] has no bound in advance.
  return shares && reach > MARK_ONE / 2 ? Number.POSITIVE_INFINITY : reach
}

/** Returns the largest distance from one half in one leg's records. */
export function legReach(data: LegData, fixing: boolean): number {
  const payouts = data.resolutions.map((resolution) => resolution.payout)
  const prices = fixing ? data.trades.map((trade) => trade.price) : []
  const values = [...payouts, ...prices].filter((value) => value !== null)
  const columns = [data.quotes, data.other].filter((quotes) => quotes !== null)
  return Math.max(MARK_ONE / 2, ...values.map(distance), ...columns.map(columnsReach))
}

/** Returns the largest distance from one half among the marks that legs remember. */
export function memoryReach(memory: { readonly legs: ReadonlyMap<string, LegMemory> } | null): number {
  let reach = 0
  for (const { newest, asides, accepted } of memory?.legs.values() ?? []) {
    if (newest !== null) reach = Math.max(reach, Math.abs(newest.value - MARK_ONE / 2))
    for (const { mark } of asides) reach = Math.max(reach, Math.abs(mark.value - MARK_ONE / 2))
    for (const { value } of accepted) reach = Math.max(reach, Math.abs(value - MARK_ONE / 2))
  }
  return reach
}

function columnsReach(columns: QuoteColumns): number {
  const free = columns.last_trade === undefined ? [] : [columns.last_trade, columns.bid, columns.ask]
  const prices = [...free, columns.reported_probability].filter((column) => column !== undefined)
  const reach = Math.max(0, ...prices.map(columnReach))
  // One mark more, because the value is rounded after the bound is taken.
  return reach <= PRICE_ONE / 2 ? 0 : Math.ceil(reach / PRICES_PER_MARK) + 1
}

function columnReach(column: Float64Array): number {
  let reach = 0
  for (let row = 0; row < column.length; row++) {
    const far = Math.abs(column[row]! - PRICE_ONE / 2)
    if (far > reach) reach = far
  }
  return reach
}

function distance(value: Decimal): number {
  const far = value.minus('0.5').abs().times(MARK_ONE).ceil()
  return Number(Decimal.min(far, Number.MAX_SAFE_INTEGER).toFixed())
}
