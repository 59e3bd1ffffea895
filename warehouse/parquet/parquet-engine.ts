import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { type Connection, connect, openInstance } from '../duckdb/memory-database.ts'
import { BatchMemory } from '../duckdb/write/batch-columns.ts'
import { type RowBatch, type RowSource, registerRowSource } from '../duckdb/write/row-source.ts'
import { stampRange } from '../log/choose-stamp.ts'
import { type ColumnType, LOG_COLUMNS, type TableSchema } from '../schema.ts'
import { quoteText } from '../sql/read-sql.ts'
import { batchStatistics } from './file-statistics.ts'

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
}

/**
 * Options of every Parquet file we write. Row groups are small for reads of one page of a busy day, because columns are decoded
 * by whole groups: 100 of 29,000 levels cost 32 ms of CPU with 30,720 rows per group and 26 ms with 8,192. The size of quotes and
 * trades is the same, levels take 18 % more. zstd at level 1: 100,000 payloads take 0.22 s and 6.4 MB; at level 3, 0.41 s and
 * 6.7 MB.
 */
export const PARQUET_OPTIONS =
  '(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, ROW_GROUP_SIZE 8192)'

/** Creates an engine for one warehouse; DuckDB is opened on first use, because reading a log needs none. */
export function createParquetEngine(): ParquetEngine {
  const memories = new Map<string, BatchMemory>()
  const memoryOf = (table: string) => {
    const memory = memories.get(table) ?? new BatchMemory()
    memories.set(table, memory)
    return memory
  }
  return {
    writeRows: (batch, path) => writeRows(batch, memoryOf(batch.table), path),
    async query(sql) {
      const { main } = await processDatabase()
      return (await main.runAndReadAll(sql)).getRowObjectsJson()
    },
  }
}

type Database = { readonly instance: Awaited<ReturnType<typeof openInstance>>; readonly main: Connection }
type Writer = { readonly connection: Connection; readonly source: RowSource }

let database: Promise<Database> | null = null
/** Writers that no batch uses now. */
const idle_writers: Writer[] = []
/** Counts the writers that were opened, for the names of their functions. */
let writers = 0

function processDatabase(): Promise<Database> {
  database ??= openDatabase().catch((error) => {
    database = null // the next commit tries again
    throw error
  })
  return database
}

/**
 * Opens the in-memory DuckDB of all engines of this thread, which stays open as long as it: opening costs 20 ms of CPU. It has one
 * thread: it writes 100 rows in 2.8 ms, two threads take 5.6 ms, and readers keep the other cores.
 */
async function openDatabase(): Promise<Database> {
  const temp_directory = join(tmpdir(), `tidemark-engine-${process.pid}-${threadId}`) // created only if a large merge spills
  process.once('exit', () => rmSync(temp_directory, { recursive: true, force: true }))
  const instance = await openInstance(':memory:', { threads: '1', temp_directory })
  return { instance, main: await connect(instance) }
}

async function writeRows(batch: RowBatch, memory: BatchMemory, path: string): Promise<string> {
  const writer = idle_writers.pop() ?? (await openWriter())
  const { connection, source } = writer
  try {
    const columns = await source.read(batch, memory, (is_sorted) =>
      connection.run(copyStatement(source, batch.schema, path, is_sorted)),
    )
    return batchStatistics(columns, batch.rows.length, stampRange(batch.published_at))
  } finally {
    idle_writers.push(writer)
  }
}

/** Opens a connection with a function of its own, so that tables do not wait for each other. */
async function openWriter(): Promise<Writer> {
  writers += 1
  const name = `rows_of_writer_${writers}`
  const connection = await connect((await processDatabase()).instance)
  return { connection, source: registerRowSource(connection, name) }
}

function copyStatement({ name: source }: RowSource, schema: TableSchema, path: string, is_sorted: boolean): string {
  const columns = Object.entries<ColumnType>({ ...schema.columns, ...LOG_COLUMNS })
  // Texts may arrive as ENUM codes: they are sorted as codes and written as texts.
  const values = columns.map(([name, type]) => (type === 'VARCHAR' ? `"${name}"::VARCHAR AS "${name}"` : `"${name}"`))
  const order = [...schema.sort, 'row_ordinal'].map((name) => `"${name}"`)
  const sorted = is_sorted ? `"${source}"()` : `(SELECT * FROM "${source}"() ORDER BY ${order.join(', ')})`
  return `COPY (SELECT ${values.join(', ')} FROM ${sorted}) TO ${quoteText(path)} ${PARQUET_OPTIONS}`
}
