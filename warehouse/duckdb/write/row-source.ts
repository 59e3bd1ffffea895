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
import { BatchMemory, batchColumns } from './batch-columns.ts'
import type { ColumnStatistics } from './column-bounds.ts'
import { rowOrder } from './row-order.ts'
import { copyFixed } from './write-vector.ts'

/** Statements that read rows of this thread now. */
let under_way = 0

/**
 * Carries out a statement that takes its rows from this thread. `process.exit` waits until every statement has ended, and such a one
 * waits for this thread, which does nothing more: the process would stay for ever. So it ends at once where one is under way, by the
 * signal that its exit code tells of (130: SIGINT, 143: SIGTERM), else by SIGKILL. What is not committed is as if it had never begun.
 */
export async function endableWhile<T>(statement: () => Promise<T>): Promise<T> {
  if (under_way === 0) process.on('exit', endAtOnce)
  under_way += 1
  try {
    return await statement()
  } finally {
    under_way -= 1
    if (under_way === 0) process.off('exit', endAtOnce)
  }
}

/** A thread that ends takes nothing with it. */
function endAtOnce(exit_code: number): void {
  if (!isMainThread) return
  const name =
    (['SIGINT', 'SIGTERM'] as const).find((known) => exit_code === 128 + constants.signals[known]) ?? 'SIGKILL'
  process.removeAllListeners(name)
  process.kill(process.pid, name)
}

/**
 * A table function `"rows_of_<table>"()` that gives DuckDB the rows of a batch, each with its log columns. The rows become columns
 * first; these go from JavaScript into DuckDB's own vectors while the statement runs, in the order of the table's key.
 */
export type RowSource = {
  readonly name: string
  /**
   * Runs a statement that reads the function once; every row is checked. `is_sorted`: the rows come in the order of the table's
   * key; else it is the statement that must sort them. @throws {InvariantError}
   */
  read(
    rows: RowList,
    published_at: PublishedAt,
    statement: (is_sorted: boolean) => Promise<unknown>,
  ): Promise<ColumnStatistics[]>
}

/** The batch being read. */
type Batch = {
  readonly columns: ReadonlyMap<string, BatchColumn>
  readonly published_at: PublishedAt
  /** The places of the rows in the order in which they are given. */
  readonly order: Uint32Array
  next: number
  error: unknown
}

/** Registers the function for one table. One read at a time. */
export function registerRowSource(connection: DuckDBConnection, table: string, schema: TableSchema): RowSource {
  const name = `rows_of_${table}`
  const memory = new BatchMemory()
  let batch: Batch | null = null
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
        batch!.error = error // DuckDB would pass on its text alone
        throw error
      }
    },
  })
  connection.registerTableFunction(source)
  return {
    name,
    async read(rows, published_at, statement) {
      const columns = batchColumns(table, schema, rows, memory)
      const { keys, is_sorted } = sortKeys(columns, schema.sort)
      const order = rowOrder(rows.length, keys)
      const reading: Batch = { columns, published_at, order, next: 0, error: null }
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
 * What the rows are to be sorted by: the last columns of the key are left out as long as the rows ascend by them already. None
 * where a column has no numbers to sort by: then the statement sorts.
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

/** Writes the next rows of the batch into `chunk`; none when all are given, which ends the scan. */
function fillChunk(chunk: DuckDBDataChunk, batch: Batch): void {
  const places = batch.order.subarray(batch.next, batch.next + CHUNK_ROWS)
  chunk.rowCount = places.length
  batch.next += places.length
  if (places.length === 0) return
  let column = 0
  const nextVector = () => duckdb.data_chunk_get_vector(chunk.chunk, column++)
  for (const values of batch.columns.values()) values.write(nextVector(), places)
  writeStamps(nextVector(), places, batch.published_at)
  copyFixed(nextVector(), Int32Array.from(places))
}

function writeStamps(vector: Vector, places: Uint32Array, published_at: PublishedAt): void {
  const stamps = new BigInt64Array(places.length)
  if (typeof published_at === 'number') stamps.fill(BigInt(published_at))
  else for (let i = 0; i < places.length; i += 1) stamps[i] = BigInt(published_at[places[i]!]!)
  copyFixed(vector, stamps)
}
