import type { SqlParameters } from '../../duckdb/memory-database.ts'
import type { Row } from '../../schema.ts'
import type { StoredTableName } from '../followed-tables.ts'

/** Query for a process of the pool. */
export type QueryText = {
  readonly sql: string
  readonly params: SqlParameters
  /** Small files that the query reads from the process's memory; null: none. */
  readonly kept: KeptFiles | null
}

/** Data files of one table, by their paths. */
export type KeptFiles = { readonly table: StoredTableName; readonly paths: readonly string[] }

/** Query with the id that its reply carries. */
export type QueryJob = QueryText & { readonly id: number }

/** Result of a job. `limit`: the allowed memory was used up. */
export type QueryResult =
  | { readonly id: number; readonly ok: true; readonly rows: readonly Row[] }
  | { readonly id: number; readonly ok: false; readonly limit: boolean; readonly message: string }

/** Message of a process: `ready` once, before the first job; `kept` when a piece of the job's small files is kept; or its result. */
export type QueryReply = { readonly ready: true } | { readonly id: number; readonly kept: true } | QueryResult

/** Options of a process, passed as its only argument. */
export type QueryProcessOptions = { readonly memory_mb: number; readonly threads: number }
