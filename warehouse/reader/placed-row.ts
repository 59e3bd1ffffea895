import { type Micros, toMicros } from '../../primitives/instants.ts'
import { LOG_COLUMNS, type Row, type RowValue } from '../schema.ts'
import { type TableName, tableSchema } from '../tables.ts'

/** Rows of a log version at most: 2^33 versions of 2^20 rows are safe integers. */
const ROWS_PER_VERSION = 2 ** 20

/** A row with the parsed values that rows are sorted by. */
export type KnownRow = {
  readonly row: Row
  readonly published_at: Micros
  readonly row_ordinal: number
  /** Values of the sort columns, instants in microseconds, then published_at and row_ordinal. */
  readonly order: readonly number[]
}

/** Parses a row. @param columns sort columns: instants or integers */
export function knownRow(table: TableName, row: Row, columns: readonly string[]): KnownRow {
  const published_at = toMicros(row.published_at, 'published_at')
  const row_ordinal = row.row_ordinal as number
  const values = columns.map((column) => orderValue(table, column, row[column]))
  return { row, published_at, row_ordinal, order: [...values, published_at, row_ordinal] }
}

/** Compares two rows parsed by the same columns; null is before everything. */
export function compareOrder(a: KnownRow, b: KnownRow): number {
  for (let n = 0; n < a.order.length; n += 1) {
    const difference = a.order[n]! - b.order[n]!
    if (difference !== 0 && !Number.isNaN(difference)) return difference
  }
  return 0
}

/** Returns the seq of a row in its table. */
export function seqOf(version: number, row_ordinal: number): number {
  return version * ROWS_PER_VERSION + row_ordinal
}

/** Joins the values of some columns to one text: equal if and only if all are equal, null equal to null. */
export function keyText(row: Row, columns: readonly string[]): string {
  return columns.length === 1 ? String(row[columns[0]!]) : JSON.stringify(columns.map((column) => row[column] ?? null))
}

function orderValue(table: TableName, column: string, value: RowValue): number {
  if (value === null || value === undefined) return Number.NEGATIVE_INFINITY
  const type = { ...tableSchema(table).columns, ...LOG_COLUMNS }[column]
  return type === 'TIMESTAMPTZ' ? toMicros(value, column) : (value as number)
}
