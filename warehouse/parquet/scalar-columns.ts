import duckdb, { type Vector } from '@duckdb/node-bindings'
import { isMicros, type Micros, microsOf } from '../../primitives/instants.ts'
import type { ColumnType, Row, RowValue } from '../schema.ts'
import type { ColumnBounds } from './column-bounds.ts'
import { copyFixed, type DecimalType, decimalWords, refused, scaledOf, writeText } from './write-vector.ts'

/**
 * The scalar columns of a batch, written straight from its rows: whole numbers that a double holds exactly go into 64-bit words by
 * halves, without a bigint a value, which is what takes the time of a commit of many rows.
 */

/** The rows [from, from + count) of a batch. */
export type RowSlice = { readonly rows: readonly Row[]; readonly from: number; readonly count: number }

export type ScalarType = Exclude<ColumnType, { kind: 'list' } | { kind: 'struct' }>

/** True of every type but lists and structs. */
export function isScalar(type: ColumnType): type is ScalarType {
  return typeof type === 'string' || type.kind === 'decimal'
}

type Cells = { readonly slice: RowSlice; readonly name: string; readonly where: string; readonly bounds: ColumnBounds }

/**
 * Checks one column of the rows against its type and copies it into a DuckDB vector.
 * @returns how many rows have no value
 * @throws {InvariantError} names table, column and value of the first one that does not fit the type exactly
 */
export function writeScalarColumn(vector: Vector, type: ScalarType, cells: Cells): number {
  const missing = new Missing(cells.slice.count)
  if (type === 'VARCHAR') writeTexts(vector, cells, missing)
  else if (type === 'INTEGER') writeIntegers(vector, cells, missing)
  else if (type === 'BIGINT') writeWords(vector, cells, missing, safeInteger)
  else if (type === 'BOOLEAN') writeBooleans(vector, cells, missing)
  else if (type === 'TIMESTAMPTZ') writeWords(vector, cells, missing, microsValue)
  else writeDecimals(vector, type, cells, missing)
  cells.bounds.nulls += missing.count
  missing.write(vector)
  return missing.count
}

/** Which rows of a vector have no value. */
class Missing {
  count = 0
  readonly #rows: number
  #mask: Uint8Array | null = null

  constructor(rows: number) {
    this.#rows = rows
  }

  add(row: number): void {
    this.#mask ??= new Uint8Array(Math.ceil(this.#rows / 64) * 8).fill(255)
    this.#mask[row >> 3]! &= ~(1 << (row & 7))
    this.count += 1
  }

  write(vector: Vector): void {
    const mask = this.#mask
    if (mask === null) return
    duckdb.vector_ensure_validity_writable(vector)
    duckdb.copy_data_to_vector_validity(vector, 0, mask.buffer as ArrayBuffer, 0, mask.byteLength)
  }
}

const WORD = 2 ** 32

/** Values that are whole numbers within 53 bits, as 64-bit words. */
function writeWords(
  vector: Vector,
  { slice, name, where, bounds }: Cells,
  missing: Missing,
  numberOf: (value: RowValue, where: string) => number,
): void {
  const { rows, from, count } = slice
  const halves = new Int32Array(count * 2)
  let last: RowValue
  let number = 0
  for (let i = 0; i < count; i += 1) {
    const value = rows[from + i]![name]
    if (value === null || value === undefined) {
      missing.add(i)
      continue
    }
    if (value !== last) {
      number = numberOf(value, where)
      last = value
      bounds.addNumber(number)
    }
    halves[i * 2] = number | 0
    halves[i * 2 + 1] = Math.floor(number / WORD)
  }
  copyFixed(vector, halves)
}

function safeInteger(value: RowValue, where: string): number {
  if (!Number.isSafeInteger(value)) throw refused(where, value, 'an integer of at most 53 bits')
  return value as number
}

function microsValue(value: RowValue, where: string): Micros {
  if (isMicros(value)) return value
  const micros = typeof value === 'string' && value.endsWith('Z') ? microsOf(value) : null
  if (micros === null) throw refused(where, value, 'an RFC 3339 instant in UTC such as 2026-01-17T00:00:00Z')
  return micros
}

function writeIntegers(vector: Vector, { slice, name, where, bounds }: Cells, missing: Missing): void {
  const { rows, from, count } = slice
  const integers = new Int32Array(count)
  for (let i = 0; i < count; i += 1) {
    const value = rows[from + i]![name]
    if (value === null || value === undefined) {
      missing.add(i)
      continue
    }
    if (typeof value !== 'number' || (value | 0) !== value) throw refused(where, value, 'a 32-bit integer')
    integers[i] = value
    bounds.addNumber(value)
  }
  copyFixed(vector, integers)
}

function writeBooleans(vector: Vector, { slice, name, where }: Cells, missing: Missing): void {
  const { rows, from, count } = slice
  const bytes = new Uint8Array(count)
  for (let i = 0; i < count; i += 1) {
    const value = rows[from + i]![name]
    if (value === null || value === undefined) {
      missing.add(i)
      continue
    }
    if (typeof value !== 'boolean') throw refused(where, value, 'true or false')
    bytes[i] = value ? 1 : 0
  }
  copyFixed(vector, bytes)
}

function writeTexts(vector: Vector, { slice, name, where, bounds }: Cells, missing: Missing): void {
  const { rows, from, count } = slice
  for (let i = 0; i < count; i += 1) {
    const value = rows[from + i]![name]
    if (value === null || value === undefined) {
      missing.add(i)
      continue
    }
    writeText(vector, i, value, where)
    bounds.add(value as string)
  }
}

/** Decimals up to 18 digits are one word, wider ones two. Texts that were read before are found, which is quicker than reading. */
function writeDecimals(
  vector: Vector,
  type: DecimalType,
  { slice, name, where, bounds }: Cells,
  missing: Missing,
): void {
  const { rows, from, count } = slice
  const wide = decimalWords(type) === 2
  const step = wide ? 4 : 2
  const known = rememberedOf(type)
  const halves = new Int32Array(count * step)
  for (let i = 0, place = 0; i < count; i += 1, place += step) {
    const value = rows[from + i]![name]
    if (value === null || value === undefined) {
      missing.add(i)
      continue
    }
    const decimal =
      known.get(value as string) ?? remember(known, value as string, decimalOf(scaledOf(value, type, where)))
    if (decimal.counted_by !== bounds) {
      decimal.counted_by = bounds
      bounds.add(decimal.scaled)
    }
    halves[place] = decimal.low
    halves[place + 1] = decimal.high
    if (wide) {
      halves[place + 2] = decimal.upper_low
      halves[place + 3] = decimal.upper_high
    }
  }
  copyFixed(vector, halves)
}

/** A scaled integer with its 32-bit halves, and the bounds that it was counted by last. */
type KnownDecimal = {
  readonly scaled: bigint
  readonly low: number
  readonly high: number
  readonly upper_low: number
  readonly upper_high: number
  counted_by: ColumnBounds | null
}

function decimalOf(scaled: bigint): KnownDecimal {
  const half = (place: number) => Number(BigInt.asIntN(32, scaled >> BigInt(place * 32)))
  return { scaled, low: half(0), high: half(1), upper_low: half(2), upper_high: half(3), counted_by: null }
}

/** Decimals that are remembered: prices are few. */
const REMEMBERED_MAX = 4096
const REMEMBERED = new WeakMap<DecimalType, Map<string, KnownDecimal>>()

function rememberedOf(type: DecimalType): Map<string, KnownDecimal> {
  const known = REMEMBERED.get(type) ?? new Map<string, KnownDecimal>()
  REMEMBERED.set(type, known)
  return known
}

function remember(known: Map<string, KnownDecimal>, text: string, decimal: KnownDecimal): KnownDecimal {
  if (known.size >= REMEMBERED_MAX) known.clear()
  known.set(text, decimal)
  return decimal
}
