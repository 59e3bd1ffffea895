import { InvariantError } from '../../../primitives/errors.ts'
import type { ColumnType, Row, RowList, RowValue, TableSchema } from '../../schema.ts'
import type { BatchColumn, ColumnPlace } from './batch-column.ts'
import { FixedColumn, type FixedType, piecesOf } from './fixed-column.ts'
import { NestedColumn } from './nested-column.ts'
import { TextColumn } from './text-column.ts'
import { TextMemory } from './text-memory.ts'

/** Rows that are taken together: they lie in the processor's cache while one column after the other is read, and then are garbage. */
const BLOCK_ROWS = 512

/** What a batch's columns leave to those of the next batch of their table. */
export class BatchMemory {
  #pieces = new Int32Array(0)
  readonly #texts = new Map<string, TextMemory>()

  take(size: number): Int32Array {
    if (this.#pieces.length < size) this.#pieces = new Int32Array(size)
    return this.#pieces
  }

  /** Of one column. */
  texts(column: string): TextMemory {
    const known = this.#texts.get(column) ?? new TextMemory()
    this.#texts.set(column, known)
    return known
  }
}

/**
 * The columns of a batch of rows, by name in the order of the table, every value checked. They hold until the memory is taken again.
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
  const pieces = memory.take(rows.length * stride)
  const columns = new Map<string, BatchColumn>()
  let offset = 0
  for (const [name, type] of types) {
    const place = { where: `${table}.${name}`, rows: rows.length, pieces, stride, offset }
    columns.set(name, columnOf(type, place, name, memory))
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

function columnOf(type: ColumnType, place: ColumnPlace, name: string, memory: BatchMemory): BatchColumn {
  if (type === 'VARCHAR') return new TextColumn(place, memory.texts(name))
  return isFixed(type) ? new FixedColumn(type, place) : new NestedColumn(type, place)
}

/** Pieces of a value: a text's is its code. */
function sizeOf(type: ColumnType): number {
  if (type === 'VARCHAR') return 1
  return isFixed(type) ? piecesOf(type) : 0
}

function isFixed(type: Exclude<ColumnType, 'VARCHAR'>): type is FixedType {
  return typeof type === 'string' || type.kind === 'decimal'
}

/** The values of the rows of a block from one on that have its keys in its order. */
function alikeFrom(block: readonly Row[], from: number, keys: readonly string[]): RowValue[][] {
  const values: RowValue[][] = []
  for (let row = from; row < block.length && hasKeys(block[row]!, keys); row += 1)
    values.push(Object.values(block[row]!))
  return values
}

function hasKeys(row: Row, keys: readonly string[]): boolean {
  let place = 0
  for (const key in row) {
    if (key !== keys[place]) return false
    place += 1
  }
  return place === keys.length
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
