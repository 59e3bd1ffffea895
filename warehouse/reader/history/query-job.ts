import type { SqlParameters } from '../../read/duckdb.ts'
import type { Row } from '../../schema.ts'

/** One query for a process of the pool. */
export type QueryJob = { readonly id: number; readonly sql: string; readonly params: SqlParameters }

/** What it answers, and once before the first job that it can take one. `limit`: the memory allowed was used up. */
export type QueryReply =
  | { readonly ready: true }
  | { readonly id: number; readonly ok: true; readonly rows: readonly Row[] }
  | { readonly id: number; readonly ok: false; readonly limit: boolean; readonly message: string }

/** What the process is started with, as its one argument. */
export type QueryProcessOptions = { readonly memory_mb: number; readonly threads: number }
