import { readForecastbench } from '../../../../../connectors/archives/read-archive.ts'
import type { LegData } from '../../../../../pipelines/index/admission.ts'
import { deriveResolutions } from '../../../../../pipelines/venues/derive-resolutions.ts'
import type { QuoteRecord } from '../../../../../pipelines/venues/record.ts'
import { Decimal } from '../../../../../primitives/decimal.ts'
import { type Micros, toMicros } from '../../../../../primitives/instants.ts'
import { toScaled } from '../../../../../primitives/scaled.ts'

/** First and last day of the archive's values, and the end of its recording. */
export const ARCHIVE_START: Micros = toMicros('2025-10-27T00:00:00Z')
export const ARCHIVE_END: Micros = toMicros('2026-08-23T00:00:00Z')

/**
 * Every source series of the archive as a leg's data, by name: quotes with all their revisions, and final payouts as the
 * resolutions they state.
 */
export async function archiveLegs(dir: string): Promise<ReadonlyMap<string, LegData>> {
  const { quotes } = await readForecastbench(dir, ARCHIVE_END)
  const series = groups(quotes, (quote) => `${quote.venue_id} ${quote.source_market_id} ${quote.source_series_id}`)
  return new Map([...series].map(([name, rows]) => [name, legData(name, rows)]))
}

function legData(name: string, rows: readonly QuoteRecord[]): LegData {
  const recordId = (row: number) => `obs_${name}_${row}`
  const points = rows.map((row, i) => ({ ...row, value: row.reported_probability, record_id: recordId(i) }))
  const chains = groups(points, (point) => point.source_at)
  const resolutions = [...chains.values()].flatMap(deriveResolutions)
  return {
    quotes: {
      length: rows.length,
      recordId,
      source_at: Float64Array.from(rows, (row) => row.source_at),
      received_at: Float64Array.from(rows, (row) => row.received_at),
      revision: Int32Array.from(rows, (_, i) => i + 1),
      reported_probability: Float64Array.from(rows, (row) => Number(toScaled(row.reported_probability!, 9))),
    },
    other: null,
    resolutions: resolutions.map((r, i) => ({
      resolution_id: `res_${name}_${i}`,
      evidence_id: r.evidence.evidence_id,
      revision: i + 1,
      source_at: r.source_at,
      received_at: r.received_at,
      finality: r.finality,
      payout: r.payouts[0] === undefined ? null : new Decimal(r.payouts[0].payout),
    })),
    states: [],
    trades: [],
  }
}

function groups<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const found = new Map<K, T[]>()
  for (const item of items) {
    const known = found.get(keyOf(item))
    if (known === undefined) found.set(keyOf(item), [item])
    else known.push(item)
  }
  return found
}
