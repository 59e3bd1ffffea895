import type { SqlParameters } from '../../duckdb/memory-database.ts'
import type { Row } from '../../schema.ts'
import type { StoredTableName } from '../followed-tables.ts'

/** What a process of the pool is asked. */
export type QueryText = {
  readonly sql: string
  readonly params: SqlParameters
  /** Small files that the query reads from the process's memory; null: none. */
  readonly kept: KeptFiles | null
}

/** Data files of one table, by their paths. */
export type KeptFiles = { readonly table: StoredTableName; readonly paths: readonly string[] }

/** One query for a process of the pool. */
export type QueryJob = QueryText & { readonly id: number }

/** What it answers, and once before the first job that it can take one. `limit`: the memory allowed was used up. */
export type QueryReply =
  | { readonly ready: true }
  | { readonly id: number; readonly ok: true; readonly rows: readonly Row[] }
  | { readonly id: number; readonly ok: false; readonly limit: boolean; readonly message: string }

/** What the process is started with, as its one argument. */
export type QueryProcessOptions = { readonly memory_mb: number; readonly threads: number }
