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
import duckdb from '@duckdb/node-bindings'
import { InvariantError } from '../../primitives/errors.ts'
import type { PublishedAt } from '../log/choose-stamp.ts'
import { type ColumnType, LOG_COLUMNS, type Row, type TableSchema } from '../schema.ts'
import { type CodedTexts, codeTexts, writeCodes } from './coded-texts.ts'
import { ColumnBounds } from './column-bounds.ts'
import type { ColumnStatistics } from './file-statistics.ts'
import { writeMicros, writeVector } from './write-vector.ts'

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
  const scalars = Object.entries(schema.columns).filter(
    ([, type]) => typeof type === 'string' || type.kind === 'decimal',
  )
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
  const from = batch.next
  const rows = batch.rows.slice(from, from + CHUNK_ROWS)
  chunk.rowCount = rows.length
  batch.next += rows.length
  if (rows.length === 0) return
  rows.forEach((row, i) => {
    checkRow(table, schema, row, from + i)
  })
  const columns = Object.entries(schema.columns)
  const vector = (place: number) => duckdb.data_chunk_get_vector(chunk.chunk, place)
  columns.forEach(([name, type], place) => {
    const coded = batch.coded.get(name)
    if (coded !== undefined) {
      batch.bounds.get(name)!.nulls += writeCodes(vector(place), coded, from, rows.length)
      return
    }
    const values = rows.map((row) => row[name])
    writeVector(vector(place), type, values, `${table}.${name}`, batch.bounds.get(name))
  })
  const { published_at } = batch
  const stampAt = (i: number) => (typeof published_at === 'number' ? published_at : published_at[from + i]!)
  writeMicros(vector(columns.length), rows.length, stampAt)
  const ordinals = rows.map((_, i) => from + i)
  writeVector(vector(columns.length + 1), LOG_COLUMNS.row_ordinal, ordinals, `${table}.row_ordinal`)
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
