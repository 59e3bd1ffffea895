import { constants } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBTableFunction,
  INTEGER,
  TIMESTAMPTZ,
} from '@duckdb/node-api'
import duckdb, { type Vector } from '@duckdb/node-bindings'
import type { PublishedAt } from '../../log/choose-stamp.ts'
import type { RowList, TableSchema } from '../../schema.ts'
import { type BatchColumn, CHUNK_ROWS } from './batch-column.ts'
import { type BatchMemory, batchColumns } from './batch-columns.ts'
import type { ColumnStatistics } from './column-bounds.ts'
import { rowOrder } from './row-order.ts'
import { copyFixed } from './write-vector.ts'

/** Statements that are reading rows of this thread now. */
let running = 0

/**
 * Runs a statement that reads its rows from this thread. `process.exit` waits for running statements, and such a statement waits
 * for this thread, which does nothing more: the process would hang. So while one is running, exit kills the process by the signal
 * of its exit code (130: SIGINT, 143: SIGTERM), else by SIGKILL. Uncommitted work is lost as if it had never begun.
 */
async function endableWhile<T>(statement: () => Promise<T>): Promise<T> {
  if (running === 0) process.on('exit', endAtOnce)
  running += 1
  try {
    return await statement()
  } finally {
    running -= 1
    if (running === 0) process.off('exit', endAtOnce)
  }
}

/** Kills the process; the exit of a worker thread kills nothing. */
function endAtOnce(exit_code: number): void {
  if (!isMainThread) return
  const name =
    (['SIGINT', 'SIGTERM'] as const).find((known) => exit_code === 128 + constants.signals[known]) ?? 'SIGKILL'
  process.removeAllListeners(name)
  process.kill(process.pid, name)
}

/** Rows of one commit. */
export type RowBatch = {
  readonly table: string
  readonly schema: TableSchema
  readonly rows: RowList
  readonly published_at: PublishedAt
}

/**
 * Table function that returns the rows of a batch with their log columns. The rows first become columns; these are copied into
 * DuckDB's own vectors while the statement runs, in the order of the table's key.
 */
export type RowSource = {
  readonly name: string
  /**
   * Checks every row and runs a statement that reads the function once. `is_sorted`: the rows are in the order of the table's key;
   * otherwise the statement must sort them.
   * @param memory  of the batch's table; no other batch uses it meanwhile
   * @throws {InvariantError} a row does not fit the table
   */
  read(
    batch: RowBatch,
    memory: BatchMemory,
    statement: (is_sorted: boolean) => Promise<unknown>,
  ): Promise<ColumnStatistics[]>
}

/** The columns being read. */
type Reading = {
  readonly columns: ReadonlyMap<string, BatchColumn>
  readonly published_at: PublishedAt
  /** Ordinals of the rows in output order. */
  readonly order: Uint32Array
  next: number
  error: unknown
}

/** Registers the function in the connection's instance, where no other has its name; it serves one read at a time. */
export function registerRowSource(connection: DuckDBConnection, name: string): RowSource {
  let batch: Reading | null = null
  const source = DuckDBTableFunction.create({
    name,
    bindFunction(info) {
      for (const [column, values] of batch!.columns) info.addResultColumn(column, values.type())
      info.addResultColumn('published_at', TIMESTAMPTZ)
      info.addResultColumn('row_ordinal', INTEGER)
      info.setCardinality(batch!.order.length, true)
    },
    initFunction() {},
    mainFunction(_, chunk) {
      try {
        fillChunk(chunk, batch!)
      } catch (error) {
        batch!.error = error // DuckDB would keep its text only
        throw error
      }
    },
  })
  connection.registerTableFunction(source)
  return {
    name,
    async read({ table, schema, rows, published_at }, memory, statement) {
      const columns = batchColumns(table, schema, rows, memory)
      const { keys, is_sorted } = sortKeys(columns, schema.sort)
      const order = rowOrder(rows.length, keys)
      const reading: Reading = { columns, published_at, order, next: 0, error: null }
      batch = reading
      try {
        await endableWhile(() => statement(is_sorted))
      } catch (error) {
        throw reading.error ?? error
      } finally {
        batch = null
      }
      return statisticsOf(columns)
    },
  }
}

/**
 * Returns the sort keys, without the last columns of the key by which the rows already ascend. If a column has no numbers to sort
 * by, there are no keys and the statement must sort.
 */
function sortKeys(columns: ReadonlyMap<string, BatchColumn>, sort: readonly string[]) {
  const given = sort.map((column) => columns.get(column)!)
  const last = given.findLastIndex((column) => !column.ascends())
  const keys = given.slice(0, last + 1).map((column) => column.sortKey())
  const numbers = keys.filter((key) => key !== null)
  const is_sorted = numbers.length === keys.length
  return { keys: is_sorted ? numbers : [], is_sorted }
}

function statisticsOf(columns: ReadonlyMap<string, BatchColumn>): ColumnStatistics[] {
  return [...columns].flatMap(([name, column]) => {
    const statistics = column.statistics()
    return statistics === null ? [] : [{ name, ...statistics }]
  })
}

/** Writes the next rows of the batch into `chunk`; an empty chunk ends the scan. */
function fillChunk(chunk: DuckDBDataChunk, batch: Reading): void {
  const ordinals = batch.order.subarray(batch.next, batch.next + CHUNK_ROWS)
  chunk.rowCount = ordinals.length
  batch.next += ordinals.length
  if (ordinals.length === 0) return
  let column = 0
  const nextVector = () => duckdb.data_chunk_get_vector(chunk.chunk, column++)
  for (const values of batch.columns.values()) values.write(nextVector(), ordinals)
  writeStamps(nextVector(), ordinals, batch.published_at)
  copyFixed(nextVector(), Int32Array.from(ordinals))
}

function writeStamps(vector: Vector, ordinals: Uint32Array, published_at: PublishedAt): void {
  const stamps = new BigInt64Array(ordinals.length)
  if (typeof published_at === 'number') stamps.fill(BigInt(published_at))
  else for (let i = 0; i < ordinals.length; i += 1) stamps[i] = BigInt(published_at[ordinals[i]!]!)
  copyFixed(vector, stamps)
}
