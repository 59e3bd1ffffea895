import type { Connection } from '../duckdb/memory-database.ts'
import type { Pieces, SqlFormat } from './format.ts'

/** Writes the plan of a query, which is not run: a tree for people, or with format `json` DuckDB's JSON document. */
export async function* planText(connection: Connection, sql: string, format: SqlFormat): Pieces {
  const reader = await connection.runAndReadAll(`explain ${format === 'json' ? '(format json) ' : ''}${sql}`)
  const [, text] = reader.getRows()[0] ?? []
  yield `${String(text).trimEnd()}\n`
}
