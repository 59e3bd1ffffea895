import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, openInstance } from '../duckdb/memory-database.ts'
import { type RowSource, registerRowSource } from '../duckdb/write/row-source.ts'
import { type PublishedAt, stampRange } from '../log/choose-stamp.ts'
import { type ColumnType, LOG_COLUMNS, type RowList, type TableSchema } from '../schema.ts'
import { quoteText } from '../sql/read-sql.ts'
import { batchStatistics } from './file-statistics.ts'

/** Rows of one commit. */
type RowBatch = {
  readonly table: string
  readonly schema: TableSchema
  readonly rows: RowList
  readonly published_at: PublishedAt
}

/** What the table log needs from an engine that reads and writes Parquet. */
export type ParquetEngine = {
  /**
   * Checks the rows and writes them to one Parquet file, sorted by the table's key, `published_at` on every row. One batch
   * of a table at a time. When it fails, half a file may be left.
   * @returns Delta statistics of the file, a JSON text
   * @throws {InvariantError} names table, column and value of a row that does not fit the table
   */
  writeRows(batch: RowBatch, path: string): Promise<string>
  /** Runs a statement and gives its rows in DuckDB's JSON form (BIGINT and DECIMAL as text). */
  query(sql: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/**
 * Options of every Parquet file we write. Row groups are small for what reads a page of a busy day, because a column is unpacked by
 * whole groups: 100 of 29,000 levels cost 32 ms of CPU with 30,720 rows a group and 26 ms with 8,192. Quotes and trades take up as
 * many bytes as before, levels 18 % more. zstd at level 1: 100,000 payloads take 0.22 s and 6.4 MB with it, 0.41 s and 6.7 MB at 3.
 */
export const PARQUET_OPTIONS =
  '(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, ROW_GROUP_SIZE 8192)'

/** An engine that is opened when it is first needed: looking at a log takes none. */
export function lazyParquetEngine(): ParquetEngine {
  let opened: Promise<ParquetEngine> | null = null
  const engine = () => {
    opened ??= openParquetEngine()
    return opened
  }
  return {
    writeRows: async (batch, path) => (await engine()).writeRows(batch, path),
    query: async (sql) => (await engine()).query(sql),
    close: async () => (opened === null ? undefined : (await opened).close()),
  }
}

/**
 * A private in-memory DuckDB. One thread: 100 rows are written in 2.8 ms with it, in 5.6 ms with two, and readers keep the
 * other cores.
 */
async function openParquetEngine(): Promise<ParquetEngine> {
  const temp_directory = join(tmpdir(), `tidemark-engine-${process.pid}`) // made only when a large merge spills
  const instance = await openInstance(':memory:', { threads: '1', temp_directory })
  const main = await connect(instance)
  const writers = new Map<string, ReturnType<typeof openWriter>>()
  // A connection for each table, so that tables do not wait for each other.
  const openWriter = async (table: string, schema: TableSchema) => {
    const connection = await connect(instance)
    return { connection, source: registerRowSource(connection, table, schema) }
  }
  return {
    async writeRows(batch, path) {
      const { table, schema, rows, published_at } = batch
      const opened = writers.get(table) ?? openWriter(table, schema)
      writers.set(table, opened)
      const { connection, source } = await opened
      const columns = await source.read(rows, published_at, (is_sorted) =>
        connection.run(copyStatement(source, schema, path, is_sorted)),
      )
      return batchStatistics(columns, rows.length, stampRange(published_at))
    },
    async query(sql) {
      return (await main.runAndReadAll(sql)).getRowObjectsJson()
    },
    async close() {
      instance.closeSync()
    },
  }
}

function copyStatement({ name: source }: RowSource, schema: TableSchema, path: string, is_sorted: boolean): string {
  const columns = Object.entries<ColumnType>({ ...schema.columns, ...LOG_COLUMNS })
  // Texts may come as codes: sorted as such, and written as the texts that they stand for.
  const values = columns.map(([name, type]) => (type === 'VARCHAR' ? `"${name}"::VARCHAR AS "${name}"` : `"${name}"`))
  const order = [...schema.sort, 'row_ordinal'].map((name) => `"${name}"`)
  const sorted = is_sorted ? `"${source}"()` : `(SELECT * FROM "${source}"() ORDER BY ${order.join(', ')})`
  return `COPY (SELECT ${values.join(', ')} FROM ${sorted}) TO ${quoteText(path)} ${PARQUET_OPTIONS}`
}
