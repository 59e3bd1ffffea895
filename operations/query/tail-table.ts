import { notAllowed } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { openSharedDatabase } from '../../warehouse/duckdb/memory-database.ts'
import { readNewRows } from '../../warehouse/read/read-new-rows.ts'
import type { Row } from '../../warehouse/schema.ts'
import { TABLE_NAMES, type TableName } from '../../warehouse/tables.ts'
import type { Snapshot, TableLog, Warehouse } from '../../warehouse/warehouse.ts'

export type TailTableOptions = {
  readonly warehouse: Warehouse
  readonly table: string
  /** The last log version already known; null: the newest one now. */
  readonly from_version: number | null
  /** Whether to end after the rows that are there now. */
  readonly once: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Yields the rows of a table committed after a log version, in the order of publication, each once; then, unless `once`, new rows within
 * a quarter of a second. Compaction and vacuum neither repeat nor hide a row.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: unknown table or version; WAREHOUSE_CORRUPT names the file
 */
export async function* tailTable(options: TailTableOptions): AsyncGenerator<Row> {
  const { warehouse, once, signal } = options
  const table = tableNamed(options.table)
  const log = warehouse.log(table)
  const snapshot = await log.snapshot()
  const known = versionKnown(options.from_version, snapshot)
  const { connection, close } = await openSharedDatabase()
  try {
    yield* readNewRows(connection, table, ...(await missed(log, snapshot, known)))
    if (once) return
    const stop = signal === undefined ? {} : { signal }
    for await (const { files } of log.tail({ after_version: snapshot.version, ...stop })) {
      yield* readNewRows(connection, table, await log.ensureVerified(files), null)
    }
  } finally {
    await close()
  }
}

/**
 * Finds the files of commits between `known` and the snapshot by their stamps: every later commit is stamped after the seal of `known`.
 * The snapshot's files hold all of these rows, even if files of old versions are deleted.
 */
async function missed(log: TableLog, snapshot: Snapshot, known: number): Promise<[readonly string[], Micros | null]> {
  if (known === snapshot.version) return [[], null]
  const after = known < 0 ? null : await sealedAt(log, known)
  const files = snapshot.files.filter((file) => after === null || file.stamp_max > after)
  return [await log.ensureVerified(files), after]
}

async function sealedAt(log: TableLog, version: number): Promise<Micros | null> {
  for await (const { sealed_through } of log.tail({ after_version: version - 1 })) return sealed_through
  return null
}

function tableNamed(name: string): TableName {
  const table = TABLE_NAMES.find((known) => known === name)
  if (table !== undefined) return table
  throw notAllowed('VALIDATION_USAGE_INVALID', 'table', name, TABLE_NAMES.join(', '))
}

function versionKnown(from_version: number | null, snapshot: Snapshot): number {
  if (from_version === null) return snapshot.version
  if (from_version >= -1 && from_version <= snapshot.version) return from_version
  throw notAllowed(
    'VALIDATION_USAGE_INVALID',
    'from-version',
    String(from_version),
    `a log version up to ${snapshot.version}`,
  )
}
