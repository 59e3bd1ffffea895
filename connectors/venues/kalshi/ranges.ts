import { routeByCutoff } from '../../../pipelines/venues/kalshi/historical-cutoff.ts'
import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import type { ReadRange } from '../venue-connector.ts'

/** What of a range each tier serves; null = nothing of it. */
export type TieredRange = { readonly historical: ReadRange | null; readonly live: ReadRange | null }

/** Splits a range where the live tier begins. @param cutoff null = everything is live */
export function tieredRange({ from, to }: ReadRange, cutoff: Micros | null): TieredRange {
  if (cutoff === null || routeByCutoff(cutoff, from) === 'live') return { historical: null, live: { from, to } }
  if (to !== null && to <= cutoff) return { historical: { from, to }, live: null }
  return { historical: { from, to: cutoff }, live: { from: cutoff, to } }
}

/** The parameters of a range of trades, in whole seconds that hold all of it. */
export function rangeParameters({ from, to }: ReadRange): Readonly<Record<string, string>> {
  const until = to === null ? {} : { max_ts: String(Math.ceil(to / MICROS_PER_SECOND)) }
  return { min_ts: String(Math.floor(from / MICROS_PER_SECOND)), ...until }
}
