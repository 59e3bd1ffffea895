import {
  BIGINT,
  BOOLEAN,
  DECIMAL,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBTableFunction,
  type DuckDBType,
  ENUM,
  INTEGER,
  LIST,
  STRUCT,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api'
import duckdb, { type Vector } from '@duckdb/node-bindings'
import { InvariantError } from '../../primitives/errors.ts'
import type { PublishedAt } from '../log/choose-stamp.ts'
import { type ColumnType, LOG_COLUMNS, type Row, type TableSchema } from '../schema.ts'
import { type CodedTexts, codeTexts, writeCodes } from './coded-texts.ts'
import { ColumnBounds } from './column-bounds.ts'
import type { ColumnStatistics } from './file-statistics.ts'
import { isScalar, type RowSlice, writeScalarColumn } from './scalar-columns.ts'
import { copyFixed, writeMicros, writeVector } from './write-vector.ts'

/** Rows of one DuckDB data chunk. */
const CHUNK_ROWS = 2048

/**
 * A table function `"rows_of_<table>"()` that gives DuckDB the rows of a batch, each with its log columns. The rows go
 * from JavaScript into DuckDB's own vectors while the statement runs: no staging table, about half the time of one.
 */
export type RowSource = {
  readonly name: string
  /** Runs a statement that reads the function once; every row is checked on the way. @throws {InvariantError} */
  read(rows: readonly Row[], published_at: PublishedAt, statement: () => Promise<unknown>): Promise<ColumnStatistics[]>
}

/** The batch being read. */
type Batch = {
  readonly rows: readonly Row[]
  readonly published_at: PublishedAt
  readonly bounds: Map<string, ColumnBounds>
  /** Text columns whose values repeat. */
  readonly coded: ReadonlyMap<string, CodedTexts>
  next: number
  error: unknown
}

/** Registers the function for one table. One read at a time. */
export function registerRowSource(connection: DuckDBConnection, table: string, schema: TableSchema): RowSource {
  const name = `rows_of_${table}`
  const columns = Object.entries({ ...schema.columns, ...LOG_COLUMNS })
  let batch: Batch | null = null
  const source = DuckDBTableFunction.create({
    name,
    bindFunction(info) {
      for (const [column, type] of columns) {
        const coded = batch!.coded.get(column)
        info.addResultColumn(column, coded === undefined ? duckdbTypeOf(type) : ENUM([...coded.texts]))
      }
      info.setCardinality(batch!.rows.length, true)
    },
    initFunction() {},
    mainFunction(_, chunk) {
      try {
        fillChunk(chunk, table, schema, batch!)
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
      const bounds = scalarBounds(schema)
      const reading: Batch = {
        rows,
        published_at,
        bounds,
        coded: codedColumns(rows, schema, bounds),
        next: 0,
        error: null,
      }
      batch = reading
      try {
        await statement()
      } catch (error) {
        throw reading.error ?? error
      } finally {
        batch = null
      }
      return [...reading.bounds].map(([column, bounds]) => ({
        name: column,
        nulls: bounds.nulls,
        range: bounds.range(),
      }))
    },
  }
}

function scalarBounds(schema: TableSchema): Map<string, ColumnBounds> {
  const scalars = Object.entries(schema.columns).filter(([, type]) => isScalar(type))
  return new Map(scalars.map(([name, type]) => [name, new ColumnBounds(type)]))
}

/** Bounds of a coded column are those of its different texts. */
function codedColumns(rows: readonly Row[], schema: TableSchema, bounds: ReadonlyMap<string, ColumnBounds>) {
  const coded = new Map<string, CodedTexts>()
  for (const [name, type] of Object.entries(schema.columns)) {
    const codes = type === 'VARCHAR' ? codeTexts(rows, name) : null
    if (codes === null) continue
    for (const text of codes.texts) bounds.get(name)!.add(text)
    coded.set(name, codes)
  }
  return coded
}

/** Writes the next rows of the batch into `chunk`; none when all are given, which ends the scan. */
function fillChunk(chunk: DuckDBDataChunk, table: string, schema: TableSchema, batch: Batch): void {
  const { rows, next: from } = batch
  const count = Math.min(CHUNK_ROWS, rows.length - from)
  chunk.rowCount = count
  batch.next += count
  if (count === 0) return
  const slice: RowSlice = { rows, from, count }
  checkKeys(table, schema, slice)
  const columns = Object.entries(schema.columns)
  const vector = (place: number) => duckdb.data_chunk_get_vector(chunk.chunk, place)
  columns.forEach(([name, type], place) => {
    const nulls = fillColumn(vector(place), { table, name, type, slice, batch })
    if (nulls > 0 && schema.required.includes(name)) checkRows(table, schema, slice)
  })
  const { published_at } = batch
  const stampAt = (i: number) => (typeof published_at === 'number' ? published_at : published_at[from + i]!)
  writeMicros(vector(columns.length), count, stampAt)
  copyFixed(
    vector(columns.length + 1),
    Int32Array.from({ length: count }, (_, i) => from + i),
  )
}

type ColumnFill = {
  readonly table: string
  readonly name: string
  readonly type: ColumnType
  readonly slice: RowSlice
  readonly batch: Batch
}

/** @returns how many rows have no value */
function fillColumn(vector: Vector, { table, name, type, slice, batch }: ColumnFill): number {
  const bounds = batch.bounds.get(name)
  const coded = batch.coded.get(name)
  if (coded !== undefined) {
    const nulls = writeCodes(vector, coded, slice.from, slice.count)
    bounds!.nulls += nulls
    return nulls
  }
  const where = `${table}.${name}`
  if (isScalar(type)) return writeScalarColumn(vector, type, { slice, name, where, bounds: bounds! })
  const values = slice.rows.slice(slice.from, slice.from + slice.count).map((row) => row[name])
  return writeVector(vector, type, values, where)
}

/** Rows mostly have the keys of the row before them, in the same order: then they need no look of their own. */
function checkKeys(table: string, schema: TableSchema, { rows, from, count }: RowSlice): void {
  let known: readonly string[] = []
  for (let i = from; i < from + count; i += 1) {
    const row = rows[i]!
    let place = 0
    for (const key in row) {
      if (key !== known[place]) {
        place = -1
        break
      }
      place += 1
    }
    if (place === known.length) continue
    checkRow(table, schema, row, i)
    known = Object.keys(row)
  }
}

function checkRows(table: string, schema: TableSchema, { rows, from, count }: RowSlice): void {
  for (let i = 0; i < count; i += 1) checkRow(table, schema, rows[from + i]!, from + i)
}

function checkRow(table: string, schema: TableSchema, row: Row, ordinal: number): void {
  for (const name in row) {
    if (Object.hasOwn(schema.columns, name)) continue
    const allowed = Object.keys(schema.columns).join(', ')
    throw new InvariantError(`${table}.${name} of row ${ordinal} is no column of the table; allowed: ${allowed}`)
  }
  for (const name of schema.required) {
    const value = row[name]
    if (value !== null && value !== undefined) continue
    throw new InvariantError(
      `${table}.${name} of row ${ordinal} is ${String(value)}; allowed: a value (it is required)`,
    )
  }
}

const PLAIN = { VARCHAR, INTEGER, BIGINT, BOOLEAN, TIMESTAMPTZ } as const

function duckdbTypeOf(type: ColumnType): DuckDBType {
  if (typeof type === 'string') return PLAIN[type]
  if (type.kind === 'decimal') return DECIMAL(type.width, type.scale)
  if (type.kind === 'list') return LIST(duckdbTypeOf(type.item))
  return STRUCT(Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, duckdbTypeOf(field)])))
}
