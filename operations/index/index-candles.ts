import { buildCandles, type Candle, type CandleRow, parseInterval } from '../../pipelines/market/candles.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { LEVEL_TABLES } from './diff-index.ts'
import { loadIndex } from './load-index.ts'

/**
 * Candles of an index's current levels as known at as_of (methodology §15).
 * @throws {ServiceError} INDEX_NOT_FOUND; VALIDATION_* for the range or the interval
 */
export async function indexCandles(request: {
  index_id: string
  from: Instant
  to: Instant
  interval: string
  as_of: Instant | null
  warehouse: Warehouse
}): Promise<readonly Candle[]> {
  const range = parseRange(request.from, request.to)
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const session = await openReadSession(request.warehouse, {
    as_of,
    tables: LEVEL_TABLES,
  })
  try {
    await loadIndex(session, request.index_id)
    const rows = await session.query(readSql(import.meta.url, 'sql/candle_rows_of_index.sql'), {
      index_id: request.index_id,
      from: request.from,
      to: request.to,
    })
    const interval = parseInterval(request.interval)
    const at = as_of ?? (await request.warehouse.now())
    return buildCandles(rows.map(candleRow), { ...range, interval }, { at, trades: null })
  } finally {
    await session.close()
  }
}

function candleRow(row: Row): CandleRow {
  return {
    tick_at: toMicros(row.tick_at),
    source_cutoff_at: typeof row.source_cutoff_at === 'string' ? toMicros(row.source_cutoff_at) : null,
    level: typeof row.level === 'string' ? row.level : null,
    quality_state: String(row.quality_state),
    coverage_ratio: String(row.coverage_ratio),
    published_at: toMicros(row.published_at),
    row_ordinal: row.row_ordinal as number,
    methodology_version: String(row.methodology_version),
  }
}
