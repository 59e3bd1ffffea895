import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../duckdb/memory-database.ts'
import { quoteText } from '../sql/read-sql.ts'
import type { Pieces, RowCounter } from './format.ts'

/** Writes a Parquet file to `scratch`, because its footer is at the end, and yields its pieces. */
export async function* parquetFile(connection: Connection, sql: string, scratch: string, counter: RowCounter): Pieces {
  const path = parquetScratch(scratch)
  const options = '(format parquet, compression zstd, parquet_version v2)'
  const written = await connection.runAndReadAll(`copy (${sql}\n) to ${quoteText(path)} ${options}`)
  counter.rows = Number(written.getRows()[0]![0])
  for await (const piece of createReadStream(path)) yield piece as Uint8Array
}

/** Returns the path of the one file that the locked DuckDB may write. */
export function parquetScratch(scratch: string): string {
  return join(scratch, 'result.parquet')
}
