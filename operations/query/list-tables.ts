import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import { TABLE_NAMES, type TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

export type TableSummary = {
  readonly table: TableName
  /** Every revision counts. */
  readonly rows: number
  readonly files: number
  readonly bytes: number
  /** null while the table is empty. */
  readonly first_published_at: Instant | null
  readonly last_published_at: Instant | null
  /** -1 before the table's first commit. */
  readonly log_version: number
  /** Answers as of an instant up to here can no longer change. */
  readonly sealed_through: Instant | null
}

/** Summarizes every table from the logs alone, without reading a data file. */
export async function listTables(options: { readonly warehouse: Warehouse }): Promise<TableSummary[]> {
  const summaries: TableSummary[] = []
  for (const table of TABLE_NAMES) {
    const { files, rows, version, head_stamp, sealed_through } = await options.warehouse.log(table).snapshot()
    const first = files.length === 0 ? null : Math.min(...files.map((file) => file.stamp_min))
    summaries.push({
      table,
      rows,
      files: files.length,
      bytes: files.reduce((sum, file) => sum + file.size_bytes, 0),
      first_published_at: instantOrNull(first),
      last_published_at: instantOrNull(head_stamp),
      log_version: version,
      sealed_through: instantOrNull(sealed_through),
    })
  }
  return summaries
}

function instantOrNull(micros: Micros | null): Instant | null {
  return micros === null ? null : formatMicros(micros)
}
