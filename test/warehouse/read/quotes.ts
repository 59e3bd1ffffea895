import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { Stamp, Warehouse } from '../../../warehouse/warehouse.ts'

export const DAY_1 = Date.UTC(2026, 0, 1) * 1000
export const MINUTE = 60_000_000

/** Minutes after 2026-01-01T00:00:00Z as an instant. */
export const minute = (n: number): string => formatMicros(DAY_1 + n * MINUTE)
export const minuteMicros = (n: number): Micros => DAY_1 + n * MINUTE
export const recordedAt = (n: number): Stamp => ({ kind: 'recorded', at: minuteMicros(n) })

/** A quote of one field; `market` and `series` choose the chain together with `source_minute`. */
export function quote(fields: {
  record_id: string
  market: string
  series?: string | null
  source_minute?: number
  received_minute: number
  revision?: number
  probability?: string
  more?: Row
}): Row {
  const { record_id, market, series = null, source_minute = 0, received_minute, revision = 1 } = fields
  return {
    record_id,
    revision,
    supersedes_id: null,
    correction_reason: null,
    venue_id: 'manifold',
    source_series_id: series,
    source_market_id: market,
    market_id: `mkt_${market}`,
    outcome_id: `out_${market}`,
    reported_probability: fields.probability ?? '0.5',
    raw_value: fields.probability ?? '0.5',
    quality_state: 'valid',
    is_final: false,
    source_at: minute(source_minute),
    received_at: minute(received_minute),
    ...fields.more,
  }
}

/** Appends rows as one commit stamped at a minute. */
export async function commit(warehouse: Warehouse, at: number, rows: readonly Row[], table = 'market_quote' as const) {
  const options = { app_id: 'test', app_sequence: at, stamp: recordedAt(at), operation: 'TEST' }
  return warehouse.append(table, rows, options)
}
