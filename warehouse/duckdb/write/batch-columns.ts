import { InvariantError } from '../../../primitives/errors.ts'
import type { ColumnType, Row, RowList, RowValue, TableSchema } from '../../schema.ts'
import type { BatchColumn, ColumnSlice } from './batch-column.ts'
import { FixedColumn, type FixedType, piecesOf } from './fixed-column.ts'
import { NestedColumn } from './nested-column.ts'
import { TextColumn } from './text-column.ts'
import { TextMemory } from './text-memory.ts'

/** Rows read together: they stay in the processor's cache while one column after the other is read. */
const BLOCK_ROWS = 512

/** Memory that the batches of a table reuse. */
export class BatchMemory {
  #pieces = new Int32Array(0)
  readonly #texts = new Map<string, TextMemory>()

  pieces(size: number): Int32Array {
    if (this.#pieces.length < size) this.#pieces = new Int32Array(size)
    return this.#pieces
  }

  /** Returns the memory of one text column. */
  texts(column: string): TextMemory {
    const known = this.#texts.get(column) ?? new TextMemory()
    this.#texts.set(column, known)
    return known
  }
}

/**
 * Checks the rows of a batch and returns its columns by name, in the order of the table. They are valid until the memory is reused.
 * @throws {InvariantError} names table, column and value of a row that does not fit the table
 */
export function batchColumns(
  table: string,
  schema: TableSchema,
  rows: RowList,
  memory: BatchMemory,
): Map<string, BatchColumn> {
  const types = Object.entries<ColumnType>(schema.columns)
  const stride = types.reduce((sum, [, type]) => sum + sizeOf(type), 0)
  const pieces = memory.pieces(rows.length * stride)
  const columns = new Map<string, BatchColumn>()
  let offset = 0
  for (const [name, type] of types) {
    const slice = { where: `${table}.${name}`, rows: rows.length, pieces, stride, offset }
    columns.set(name, columnOf(type, slice, name, memory))
    offset += sizeOf(type)
  }
  for (let from = 0; from < rows.length; from += BLOCK_ROWS) {
    const block = rows.slice(from, Math.min(from + BLOCK_ROWS, rows.length))
    for (let first = 0; first < block.length; ) {
      checkRow(table, schema, block[first]!, from + first)
      const keys = Object.keys(block[first]!)
      const values = alikeFrom(block, first, keys)
      for (const [name, column] of columns) column.add({ from: from + first, values, at: keys.indexOf(name) })
      first += values.length
    }
  }
  if (schema.required.some((name) => columns.get(name)!.nulls() > 0)) {
    rows.slice(0, rows.length).forEach((row, ordinal) => {
      checkRow(table, schema, row, ordinal)
    })
  }
  return columns
}

function columnOf(type: ColumnType, slice: ColumnSlice, name: string, memory: BatchMemory): BatchColumn {
  if (type === 'VARCHAR') return new TextColumn(slice, memory.texts(name))
  return isFixed(type) ? new FixedColumn(type, slice) : new NestedColumn(type, slice)
}

/** Pieces of a value; a text has one, its code. */
function sizeOf(type: ColumnType): number {
  if (type === 'VARCHAR') return 1
  return isFixed(type) ? piecesOf(type) : 0
}

function isFixed(type: Exclude<ColumnType, 'VARCHAR'>): type is FixedType {
  return typeof type === 'string' || type.kind === 'decimal'
}

/** Values of the rows of a block, from one on, that have the same keys in the same order. */
function alikeFrom(block: readonly Row[], from: number, keys: readonly string[]): RowValue[][] {
  const values: RowValue[][] = []
  for (let row = from; row < block.length && hasKeys(block[row]!, keys); row += 1)
    values.push(Object.values(block[row]!))
  return values
}

function hasKeys(row: Row, keys: readonly string[]): boolean {
  let n = 0
  for (const key in row) {
    if (key !== keys[n]) return false
    n += 1
  }
  return n === keys.length
}

function checkRow(table: string, schema: TableSchema, row: Row, ordinal: number): void {
  for (const name in row) {
    if (Object.hasOwn(schema.columns, name)) continue
    const allowed = Object.keys(schema.columns).join(', ')
    throw new InvariantError(`${table}.${name} of row ${ordinal} is not a column of the table; allowed: ${allowed}`)
  }
  for (const name of schema.required) {
    const value = row[name]
    if (value !== null && value !== undefined) continue
    throw new InvariantError(
      `${table}.${name} of row ${ordinal} is ${String(value)}; allowed: a value (it is required)`,
    )
  }
}
