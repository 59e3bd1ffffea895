import type { DuckDBType } from '@duckdb/node-api'
import type { Vector } from '@duckdb/node-bindings'
import type { RowValue } from '../../schema.ts'
import type { ColumnStatistics } from './column-bounds.ts'
import type { SortKey } from './row-order.ts'

/**
 * One column of a batch: taken from the rows block by block, which reads each row's memory once, kept as typed arrays, and given
 * to DuckDB chunk by chunk in any order of the rows. `add` comes first, for all rows; then the others.
 */
export type BatchColumn = {
  /** Takes the next rows' values. @throws {InvariantError} names the first one that does not fit the column's type exactly */
  add(block: RowBlock): void
  /** How many rows have no value. */
  nulls(): number
  /** The type in which DuckDB gets the column: texts that repeat come as codes of an ENUM. */
  type(): DuckDBType
  /** True where the values ascend with the rows, none missing or all. */
  ascends(): boolean
  /** Numbers in the order of the values, what has none last; null where there are no such numbers at hand. */
  sortKey(): SortKey | null
  /** Copies the values of the rows at `places` into the first rows of a vector. */
  write(vector: Vector, places: Uint32Array): void
  /** null for lists and structs, which have none. */
  statistics(): Omit<ColumnStatistics, 'name'> | null
}

/** Rows of one DuckDB data chunk at most. */
export const CHUNK_ROWS = 2048

/** Rows that follow each other in a batch, all with the same keys. */
export type RowBlock = {
  /** The first one's place in the batch. */
  readonly from: number
  /** Of each row the values, in the order of the keys. */
  readonly values: readonly (readonly RowValue[])[]
  /** Where in these the column's value stands; -1: the rows do not have the key. */
  readonly at: number
}

/** Where a column stands: for messages, and for what it keeps. */
export type ColumnPlace = {
  /** Table and column, such as `market_quote.bid`. */
  readonly where: string
  /** Rows of the batch. */
  readonly rows: number
  /**
   * What all columns keep of their values in 32-bit pieces, row by row: a chunk takes its rows from anywhere in a batch, and what
   * belongs to one row lies together. What an earlier batch left there is of no account.
   */
  readonly pieces: Int32Array
  /** Pieces of a row, and which of them are the column's first. */
  readonly stride: number
  readonly offset: number
}
