import { openSharedDatabase, readRows } from '../memory-database.ts'
import { resultRows } from './chunk-rows.ts'

/** Returns the names of the columns of a Parquet file, in its order; nested ones count as one. @throws what DuckDB says of a file that is not Parquet */
export async function parquetColumns(path: string): Promise<string[]> {
  const { connection, close } = await openSharedDatabase()
  try {
    const rows = await readRows(
      connection,
      'select column_name as name from (describe select * from read_parquet($path))',
      {
        path,
      },
    )
    return rows.map(({ name }) => String(name))
  } finally {
    await close(true)
  }
}

/**
 * Yields columns of a Parquet file as texts, row by row in its order; null values are null. Decimals and whole numbers are exact,
 * doubles the shortest text that names them, instants UTC.
 */
export async function* parquetTexts(path: string, columns: readonly string[]): AsyncGenerator<(string | null)[][]> {
  const { connection, close } = await openSharedDatabase()
  try {
    const selected = columns.map((column, n) => `cast("${column.replaceAll('"', '""')}" as varchar) as c${n}`)
    const result = await connection.stream(`select ${selected.join(', ')} from read_parquet($path)`, { path })
    for await (const rows of resultRows(result)) {
      yield rows.map((row) => columns.map((_, n) => (row[`c${n}`] ?? null) as string | null))
    }
  } finally {
    await close()
  }
}
