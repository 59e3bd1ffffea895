import { recordDigests } from '../../warehouse/audit/record-digests.ts'
import { buildIntervals } from '../../warehouse/intervals/build-intervals.ts'
import { TABLE_NAMES, type TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

export type CompactedTable = {
  readonly table: TableName
  readonly files_before: number
  readonly files_after: number
  readonly rows: number
  /** Rows of the derived interval file that was made; null where the table is too small to need one. */
  readonly interval_rows: number | null
}

/** Below this a reader finds the current rows of a table as fast without an interval file. */
const INTERVAL_ROWS_MIN = 50_000

/**
 * Merges the small files of every closed day and derives the interval files that whole-table reads use. No answer changes:
 * what the table answers as of a few sealed instants is recorded first, for an audit to ask again.
 * @throws {ServiceError} WAREHOUSE_CORRUPT, WAREHOUSE_STORE_FULL, WAREHOUSE_BUSY
 */
export async function compactWarehouse(options: {
  readonly warehouse: Warehouse
  /** Ends the work after the table under way. */
  readonly signal?: AbortSignal | undefined
  /** Rows from which a table gets an interval file. */
  readonly interval_rows_min?: number
  /** Called before the work on a table that has data files. */
  readonly onTable?: (table: TableName, files: number) => void
}): Promise<{ readonly tables: readonly CompactedTable[] }> {
  const { warehouse, signal, interval_rows_min = INTERVAL_ROWS_MIN, onTable } = options
  const tables: CompactedTable[] = []
  for (const table of TABLE_NAMES) {
    if (signal?.aborted) break
    const log = warehouse.log(table)
    const before = await log.snapshot()
    if (before.files.length > 0) onTable?.(table, before.files.length)
    await recordDigests(warehouse, table)
    await log.compact()
    const after = await log.snapshot()
    const intervals = after.rows >= interval_rows_min && after.rows > 0 ? await buildIntervals(warehouse, table) : null
    tables.push({
      table,
      files_before: before.files.length,
      files_after: after.files.length,
      rows: after.rows,
      interval_rows: intervals?.rows ?? null,
    })
  }
  return { tables }
}
