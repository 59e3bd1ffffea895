import type { DuckDBType } from '@duckdb/node-api'
import type { Vector } from '@duckdb/node-bindings'
import type { RowValue } from '../../schema.ts'
import type { ColumnStatistics } from './column-bounds.ts'
import type { SortKey } from './row-order.ts'

/**
 * One column of a batch: read from the rows block by block, which touches each row's memory once, kept as typed arrays, and
 * written to DuckDB chunk by chunk in any order of the rows. `add` must be called for all rows before the other methods.
 */
export type BatchColumn = {
  /** Adds the next rows' values. @throws {InvariantError} names the first one that does not fit the column's type exactly */
  add(block: RowBlock): void
  /** Number of rows without a value. */
  nulls(): number
  /** DuckDB type of the column: repeated texts are codes of an ENUM. */
  type(): DuckDBType
  /** True if the values ascend with the rows and none or all are missing. */
  ascends(): boolean
  /** Numbers in the order of the values, missing ones last; null if the column has no such numbers. */
  sortKey(): SortKey | null
  /** Copies the values of the rows with these ordinals into the first rows of a vector. */
  write(vector: Vector, ordinals: Uint32Array): void
  /** null for lists and structs, which have none. */
  statistics(): Omit<ColumnStatistics, 'name'> | null
}

/** Most rows of one DuckDB data chunk. */
export const CHUNK_ROWS = 2048

/** Consecutive rows of a batch with the same keys. */
export type RowBlock = {
  /** Ordinal of the first row in the batch. */
  readonly from: number
  /** Values of each row, in the order of the keys. */
  readonly values: readonly (readonly RowValue[])[]
  /** Index of the column's value in these; -1: the rows do not have the key. */
  readonly at: number
}

/** Name of a column for messages, and its slice of the batch's memory. */
export type ColumnSlice = {
  /** Table and column, such as `market_quote.bid`. */
  readonly where: string
  /** Rows of the batch. */
  readonly rows: number
  /**
   * Values of all columns in 32-bit pieces, row by row: a chunk picks rows from anywhere in a batch, and one row's values are
   * adjacent. Data of an earlier batch in it is overwritten.
   */
  readonly pieces: Int32Array
  /** Pieces per row, and index of the column's first piece in them. */
  readonly stride: number
  readonly offset: number
}
