import type { Micros } from '../../primitives/instants.ts'
import type { SqlFormat } from '../export/format.ts'
import type { TableSource } from './table-source.ts'

/** Limits of user SQL. */
export type SqlLimits = {
  readonly time_ms: number
  readonly memory_mb: number
  /** Most rows that the table format shows. */
  readonly table_rows: number
}

export const SQL_LIMITS: SqlLimits = { time_ms: 20_000, memory_mb: 1024, table_rows: 200 }

export type SqlAnswer = 'rows' | 'plan'

/** Job of the separate process, one JSON document on its standard input. */
export type SqlJob = {
  readonly sources: readonly TableSource[]
  readonly as_of: Micros
  readonly sql: string
  readonly format: SqlFormat
  /** Rows of the statement, or how DuckDB would answer it. */
  readonly answer: SqlAnswer
  /** Width of the terminal that a table must fit; null: none. */
  readonly width: number | null
  readonly limits: SqlLimits
  /** Private folder for spilled intermediate results and the one file that DuckDB may write. */
  readonly scratch: string
}

/** Verdict of the process, on file descriptor 3; the result itself goes to standard output. */
export type SqlVerdict =
  | { readonly ok: true; readonly rows: number }
  | { readonly ok: false; readonly limit: boolean; readonly message: string }
