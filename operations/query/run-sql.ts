import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import { openSharedDatabase } from '../../warehouse/duckdb/memory-database.ts'
import type { SqlFormat } from '../../warehouse/export/format.ts'
import { writeOutput } from '../../warehouse/export/output-file.ts'
import { pipeOpen } from '../../warehouse/export/write-result.ts'
import { type GuardedSql, guardSql } from '../../warehouse/read/guard-sql.ts'
import { resolveAsOf } from '../../warehouse/read/resolve-as-of.ts'
import { type ResultConsumer, startSql } from '../../warehouse/read/run-guarded-sql.ts'
import { snapshotSource } from '../../warehouse/read/snapshot-source.ts'
import { SQL_LIMITS, type SqlAnswer, type SqlLimits } from '../../warehouse/read/sql-job.ts'
import { tablesOfView } from '../../warehouse/read/views.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

export type RunSqlOptions = {
  readonly warehouse: Warehouse
  /** Exactly one SELECT over the views. */
  readonly sql: string
  /** null: now, unpinned. */
  readonly as_of: Instant | null
  readonly format: SqlFormat
  /** A file (writeOutput), or a stream, which stays open. */
  readonly out: string | Writable
  /** `plan`: how the statement would be answered, in place of its rows. */
  readonly answer?: SqlAnswer
  /** Width of the terminal that a table must fit. */
  readonly width?: number | null
  readonly limits?: Partial<SqlLimits>
  /** Ends the query. */
  readonly signal?: AbortSignal | undefined
}

export type RunSqlResult = { readonly rows: number; readonly as_of: Instant }

/**
 * Answers one read-only SQL statement as of an instant, in a process of its own with limited time and memory.
 * Only the tables that the statement reads are sealed through an explicit as_of.
 * @throws {ServiceError} VALIDATION_SQL_REFUSED, VALIDATION_SQL_LIMIT, VALIDATION_AS_OF_IN_FUTURE,
 *   VALIDATION_AS_OF_UNAVAILABLE, VALIDATION_INSTANT_INVALID, VALIDATION_USAGE_INVALID, WAREHOUSE_CORRUPT
 */
export async function runSql(options: RunSqlOptions): Promise<RunSqlResult> {
  const { warehouse, format, out, answer = 'rows', width = null, signal } = options
  const asked = options.as_of === null ? null : toMicros(options.as_of, 'as_of')
  const process = startSql({ ...SQL_LIMITS, ...options.limits })
  try {
    const guarded = await guard(options.sql)
    const view = await resolveAsOf(warehouse, { as_of: asked, tables: tablesOf(guarded), pin: true })
    const sources = []
    for (const snapshot of view.snapshots) sources.push(await snapshotSource(warehouse, snapshot, view.as_of))
    const job = { sources, as_of: view.as_of, sql: guarded.text, format, answer, width }
    const run = (consume: ResultConsumer) => process.run(job, consume, signal)
    const rows = await (typeof out === 'string'
      ? writeOutput(out, (file) => run((bytes) => pipeline(bytes, file)), { option: 'out' })
      : run((bytes) => pipeOpen(bytes, out)))
    return { rows, as_of: formatMicros(view.as_of) }
  } finally {
    process.end()
  }
}

async function guard(sql: string): Promise<GuardedSql> {
  const { connection, close } = await openSharedDatabase()
  try {
    return await guardSql(connection, sql)
  } finally {
    await close(true)
  }
}

function tablesOf(guarded: GuardedSql): readonly TableName[] {
  return [...new Set(guarded.views.flatMap((view) => tablesOfView(view) ?? []))]
}
