import { DuckDBDataChunk, type DuckDBType } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { InvariantError } from '../../primitives/errors.ts'
import type { ColumnType, Row, TableSchema } from '../schema.ts'
import { ColumnBounds } from './column-bounds.ts'
import { writeVector } from './write-vector.ts'

/** Rows of one DuckDB data chunk. */
export const CHUNK_ROWS = 2048

/** Name, type and bounds of each stored column of a batch, in the order of the table. */
export type EncodedColumn = { readonly name: string; readonly type: ColumnType; readonly bounds: ColumnBounds | null }

/** Column descriptions for one batch of a table; scalar columns get bounds. */
export function encodedColumns(schema: TableSchema): EncodedColumn[] {
  return Object.entries(schema.columns).map(([name, type]) => {
    const scalar = typeof type === 'string' || type.kind === 'decimal'
    return { name, type, bounds: scalar ? new ColumnBounds(type) : null }
  })
}

/**
 * One data chunk of rows [from, to) with their `row_ordinal` as last column; every value is checked on the way.
 * @throws {InvariantError} names table, column and value: unknown column, missing required value, value that does not fit
 */
export function encodeChunk(
  table: string,
  schema: TableSchema,
  columns: readonly EncodedColumn[],
  types: readonly DuckDBType[],
  rows: readonly Row[],
  from: number,
): DuckDBDataChunk {
  const slice = rows.slice(from, from + CHUNK_ROWS)
  slice.forEach((row, i) => {
    checkRow(table, schema, row, from + i)
  })
  const chunk = DuckDBDataChunk.create(types, slice.length)
  columns.forEach(({ name, type, bounds }, place) => {
    const values = slice.map((row) => row[name])
    writeVector(duckdb.data_chunk_get_vector(chunk.chunk, place), type, values, `${table}.${name}`, bounds ?? undefined)
  })
  const ordinals = slice.map((_, i) => from + i)
  writeVector(duckdb.data_chunk_get_vector(chunk.chunk, columns.length), 'INTEGER', ordinals, `${table}.row_ordinal`)
  return chunk
}

function checkRow(table: string, schema: TableSchema, row: Row, ordinal: number): void {
  for (const name in row) {
    if (Object.hasOwn(schema.columns, name)) continue
    throw new InvariantError(
      `${table}.${name} of row ${ordinal} is no column of the table; allowed: ${Object.keys(schema.columns).join(', ')}`,
    )
  }
  for (const name of schema.required) {
    const value = row[name]
    if (value !== null && value !== undefined) continue
    throw new InvariantError(
      `${table}.${name} of row ${ordinal} is ${String(value)}; allowed: a value (it is required)`,
    )
  }
}
