import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DuckDBResult } from '@duckdb/node-api'
import { csvCell } from '../../primitives/csv-cell.ts'
import type { Connection } from '../duckdb/memory-database.ts'
import { resultRows } from '../duckdb/read/chunk-rows.ts'
import { rowValue } from '../duckdb/read/row-values.ts'
import type { RowValue } from '../schema.ts'
import { exactLine, hasWideInteger } from './exact-json.ts'
import type { Pieces, RowCounter, SqlFormat } from './format.ts'
import type { TableBounds } from './text-table.ts'

export type WriteRequest = {
  readonly connection: Connection
  /** One SELECT without a terminator. */
  readonly sql: string
  readonly format: SqlFormat
  readonly table: TableBounds
  /** Private folder for a file that cannot be streamed. */
  readonly scratch: string
}

/**
 * Writes a source to a stream that stays open, and waits until all of it was handed on. `pipeline` with `end: false` resolves at
 * the end of its source, when the last chunk may still be buffered; a process that exits then loses it.
 */
export async function pipeOpen(source: Readable, stream: Writable): Promise<void> {
  await pipeline(source, stream, { end: false })
  await new Promise<void>((resolve, reject) => stream.write('', (error) => (error ? reject(error) : resolve())))
}

/** Runs a query and yields its result piece by piece in a format. Libraries of a single format are loaded on demand. */
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
  else if (format === 'csv' || format === 'csv-exact') yield* csvRows(result, counter, format === 'csv-exact')
  else if (format === 'arrow') yield* (await import('./arrow-file.ts')).arrowFile(result, counter)
  else yield* (await import('./text-table.ts')).textTable(result, counter, request.table)
}

/**
 * Writes CSV: a header line, quotes doubled, lines that end with LF, as DuckDB and psql write them and shell tools expect. null is
 * an empty field; an empty text is "" so that the two differ.
 * @param exact  cells as they are, though a spreadsheet may take one for a formula
 */
async function* csvRows(result: DuckDBResult, counter: RowCounter, exact: boolean): Pieces {
  yield `${result
    .deduplicatedColumnNames()
    .map((name) => field(name, exact))
    .join(',')}\n`
  for await (const rows of result.yieldRows()) {
    const lines = rows.map((values) => values.map((value) => field(rowValue(value), exact)).join(','))
    counter.rows += lines.length
    if (lines.length > 0) yield `${lines.join('\n')}\n`
  }
}

function field(value: RowValue, exact: boolean): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' ? '""' : csvCell(text, exact || typeof value === 'number')
}

/** Writes one JSON array of row objects, one row per line, ending with a newline. */
export async function* jsonArray(result: DuckDBResult, counter: RowCounter): Pieces {
  for await (const lines of rowLines(result)) {
    yield (counter.rows === 0 ? '[\n' : ',\n') + lines.join(',\n')
    counter.rows += lines.length
  }
  yield counter.rows === 0 ? '[]\n' : '\n]\n'
}

/** Writes one JSON object per line. */
async function* jsonLines(result: DuckDBResult, counter: RowCounter): Pieces {
  for await (const lines of rowLines(result)) {
    yield `${lines.join('\n')}\n`
    counter.rows += lines.length
  }
}

async function* rowLines(result: DuckDBResult): AsyncGenerator<string[]> {
  const types = result.columnTypes()
  const line = types.some(hasWideInteger) ? exactLine(result.deduplicatedColumnNames(), types) : JSON.stringify
  for await (const rows of resultRows(result)) yield rows.map((row) => line(row))
}
