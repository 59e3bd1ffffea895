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

/** Engine that reads and writes Parquet for the table log. */
export type ParquetEngine = {
  /**
   * Checks the rows and writes them to one Parquet file, sorted by the table's key, with `published_at` on every row. One batch
   * per table at a time. A failure may leave half a file.
   * @returns Delta statistics of the file, as JSON text
   * @throws {InvariantError} names table, column and value of a row that does not fit the table
   */
  writeRows(batch: RowBatch, path: string): Promise<string>
  /** Runs a statement and returns its rows in DuckDB's JSON form (BIGINT and DECIMAL as text). */
  query(sql: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/**
 * Options of every Parquet file we write. Row groups are small for reads of one page of a busy day, because columns are decoded
 * by whole groups: 100 of 29,000 levels cost 32 ms of CPU with 30,720 rows per group and 26 ms with 8,192. The size of quotes and
 * trades is the same, levels take 18 % more. zstd at level 1: 100,000 payloads take 0.22 s and 6.4 MB; at level 3, 0.41 s and
 * 6.7 MB.
 */
export const PARQUET_OPTIONS =
  '(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, ROW_GROUP_SIZE 8192)'

/** Creates an engine that opens on first use: reading a log needs none. */
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
 * Opens a private in-memory DuckDB with one thread: it writes 100 rows in 2.8 ms, two threads take 5.6 ms, and readers keep the
 * other cores.
 */
async function openParquetEngine(): Promise<ParquetEngine> {
  const temp_directory = join(tmpdir(), `tidemark-engine-${process.pid}`) // created only if a large merge spills
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
  // Texts may arrive as ENUM codes: they are sorted as codes and written as texts.
  const values = columns.map(([name, type]) => (type === 'VARCHAR' ? `"${name}"::VARCHAR AS "${name}"` : `"${name}"`))
  const order = [...schema.sort, 'row_ordinal'].map((name) => `"${name}"`)
  const sorted = is_sorted ? `"${source}"()` : `(SELECT * FROM "${source}"() ORDER BY ${order.join(', ')})`
  return `COPY (SELECT ${values.join(', ')} FROM ${sorted}) TO ${quoteText(path)} ${PARQUET_OPTIONS}`
}
