import { routeByCutoff } from '../../../pipelines/venues/kalshi/historical-cutoff.ts'
import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import type { ReadRange } from '../venue-connector.ts'

/** Parts of a range by tier; null = the tier has none of it. */
export type TieredRange = { readonly historical: ReadRange | null; readonly live: ReadRange | null }

/** Splits a range where the live tier begins. @param cutoff null = everything is live */
export function tieredRange(range: ReadRange, cutoff: Micros | null): TieredRange {
  const { from, to } = range
  if (cutoff === null || routeByCutoff(cutoff, from) === 'live') return { historical: null, live: range }
  if (to !== null && to <= cutoff) return { historical: range, live: null }
  return { historical: { ...range, to: cutoff }, live: { ...range, from: cutoff } }
}

/** Returns the parameters of a range of trades, in whole seconds that enclose it. */
export function rangeParameters({ from, to }: ReadRange): Readonly<Record<string, string>> {
  const until = to === null ? {} : { max_ts: String(Math.ceil(to / MICROS_PER_SECOND)) }
  return { min_ts: String(Math.floor(from / MICROS_PER_SECOND)), ...until }
}
