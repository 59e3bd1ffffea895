import { toMicros } from '../../primitives/instants.ts'
import { compareOrder, type KnownRow } from './placed-row.ts'

/**
 * The current resolution of each market: of the current rows of its chains that of the greatest (source_at, received_at,
 * revision), then the last published.
 */
export function newestResolutions(rows: readonly KnownRow[]): Map<string, KnownRow> {
  const newest = new Map<string, KnownRow>()
  for (const row of rows) {
    const market_id = String(row.row.market_id)
    const before = newest.get(market_id)
    if (before === undefined || compareResolutions(row, before) > 0) newest.set(market_id, row)
  }
  return newest
}

function compareResolutions(a: KnownRow, b: KnownRow): number {
  return toMicros(a.row.source_at) - toMicros(b.row.source_at) || compareOrder(a, b)
}
