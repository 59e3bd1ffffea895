import type { LegData, QuoteColumns } from '../../pipelines/index/admission.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'

export const MINUTE: Micros = 60_000_000
/** First tick of the synthetic year. */
export const YEAR_START: Micros = toMicros('2026-01-01T00:00:00Z')

/** xorshift32, for the same numbers on every machine. */
export function seeded(seed: number): () => number {
  let state = seed | 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}

/**
 * Returns a year (or `minutes`) of one market's books, one a minute: a random walk of the midpoint in [0.05, 0.95] on a grid of
 * 1e-6, a spread of 0.005 to 0.02, sent 0 to 58 s before the tick and received 5 to 250 ms later.
 */
function syntheticBooks(leg: number, minutes: number): QuoteColumns {
  const random = seeded(0x9e3779b9 ^ ((leg + 1) * 0x85ebca6b))
  const source_at = new Float64Array(minutes)
  const received_at = new Float64Array(minutes)
  const bid = new Float64Array(minutes)
  const ask = new Float64Array(minutes)
  let mid = 200_000 + Math.floor(random() * 600_000)
  for (let minute = 0; minute < minutes; minute++) {
    mid = Math.min(950_000, Math.max(50_000, mid + Math.floor(random() * 2001) - 1000))
    const half = 2_500 + Math.floor(random() * 7_500)
    source_at[minute] = YEAR_START + minute * MINUTE - Math.floor(random() * 58_000) * 1000
    received_at[minute] = source_at[minute]! + 5_000 + Math.floor(random() * 245) * 1000
    bid[minute] = (mid - half) * 1000
    ask[minute] = (mid + half) * 1000
  }
  return {
    length: minutes,
    recordId: (row) => `obs_${leg}_${row}`,
    source_at,
    received_at,
    revision: new Int32Array(minutes).fill(1),
    bid,
    ask,
  }
}

/** Returns the same books as a leg's data. */
export function syntheticLeg(leg: number, minutes: number): LegData {
  return { quotes: syntheticBooks(leg, minutes), other: null, resolutions: [], states: [], trades: [] }
}
