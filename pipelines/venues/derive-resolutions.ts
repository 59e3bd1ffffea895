import type { DecimalString } from '../../primitives/decimal.ts'
import { SCALE } from '../../primitives/decimal.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import { fromScaled, toScaled } from '../../primitives/scaled.ts'
import { BINARY_OUTCOMES } from '../../vocabulary/market.ts'
import type { Payout, ResolutionRecord } from './record.ts'

/** One revision of a quote chain that was final at some time. */
export type PayoutPoint = {
  readonly file: string
  readonly line: number
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_market_id: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly is_final: boolean
  /** Payout of YES if the revision is final, 9 fraction digits. */
  readonly value: DecimalString | null
  readonly record_id: string
  /** The row in the archive; null: known from the warehouse only. */
  readonly text: string | null
}

/**
 * Derives the resolutions stated by the revisions of one quote chain: `final` for each final revision, with its payouts, and
 * `withdrawn` for a revision that is not final but follows a final one.
 * @param points every revision of the chain, stored and new, any order; binary market, quotes of YES
 */
export function deriveResolutions(points: readonly PayoutPoint[]): ResolutionRecord[] {
  const ordered = [...points].sort((a, b) => a.received_at - b.received_at)
  return ordered.flatMap((point, n) => {
    if (point.is_final && point.value !== null) return [resolutionOf(point, 'final', binaryPayouts(point.value))]
    return ordered[n - 1]?.is_final === true ? [resolutionOf(point, 'withdrawn', [])] : []
  })
}

/** Returns payouts of `value` for YES and the rest of 1 for NO; exact, 9 fraction digits. */
export function binaryPayouts(value: DecimalString): Payout[] {
  const scale = SCALE.observed_value
  const rest = toScaled('1', scale) - toScaled(value, scale)
  const [yes, no] = BINARY_OUTCOMES
  return [
    { outcome: yes, payout: value },
    { outcome: no, payout: fromScaled(rest, scale) },
  ]
}

function resolutionOf(
  point: PayoutPoint,
  finality: 'final' | 'withdrawn',
  payouts: readonly Payout[],
): ResolutionRecord {
  const { file, line, venue_id, source_series_id, source_market_id, source_at, received_at } = point
  const evidence_id = `${point.record_id}.reported_probability`
  const content_hash = point.text === null ? null : `sha256:${sha256Hex(point.text)}`
  const evidence = { evidence_id, kind: 'archive_row', source_uri: null, content_hash } as const
  const where = { file, line, venue_id, source_series_id, source_market_id, source_at, received_at }
  return { ...where, finality, payouts, dispute_window_ends_at: null, evidence }
}
