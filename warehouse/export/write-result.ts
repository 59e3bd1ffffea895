import type { DuckDBConnection } from '@duckdb/node-api'
import { csvRows } from './csv-rows.ts'
import type { Pieces, RowCounter, SqlFormat } from './format.ts'
import { jsonArray, jsonLines } from './json-rows.ts'

export type WriteRequest = {
  readonly connection: DuckDBConnection
  /** One SELECT without a terminator. */
  readonly sql: string
  readonly format: SqlFormat
  /** Rows that the table format shows. */
  readonly table_rows_max: number
  /** A folder of our own for a file that cannot be streamed. */
  readonly scratch: string
}

/** Runs a query and gives its result piece by piece in the asked format. Libraries that only one format needs are loaded for it. */
export async function* writeResult(request: WriteRequest, counter: RowCounter): Pieces {
  const { connection, sql, format } = request
  if (format === 'parquet') {
    const { parquetFile } = await import('./parquet-file.ts')
    yield* parquetFile(connection, sql, request.scratch, counter)
    return
  }
  const result = await connection.stream(sql)
  if (format === 'json') yield* jsonArray(result, counter)
  else if (format === 'ndjson') yield* jsonLines(result, counter)
  else if (format === 'csv') yield* csvRows(result, counter)
  else if (format === 'arrow') yield* (await import('./arrow-file.ts')).arrowFile(result, counter)
  else yield* (await import('./text-table.ts')).textTable(result, counter, request.table_rows_max)
}
