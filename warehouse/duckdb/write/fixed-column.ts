import { BIGINT, BOOLEAN, DECIMAL, type DuckDBType, INTEGER, TIMESTAMPTZ } from '@duckdb/node-api'
import duckdb, { type Vector } from '@duckdb/node-bindings'
import { isMicros, type Micros, microsOf } from '../../../primitives/instants.ts'
import { type DecimalLimits, decimalLimits, scaledNumber } from '../../../primitives/scaled-number.ts'
import type { ColumnType, RowValue } from '../../schema.ts'
import { type BatchColumn, CHUNK_ROWS, type ColumnSlice, type RowBlock } from './batch-column.ts'
import { ColumnBounds } from './column-bounds.ts'
import { MissingRows } from './missing-rows.ts'
import type { SortKey } from './row-order.ts'
import { decimalWords, refused, scaledOf, setWide, setWord } from './write-vector.ts'

export type FixedType = Exclude<ColumnType, 'VARCHAR' | { kind: 'list' } | { kind: 'struct' }>

const WORD = 2 ** 32
const BYTES = { BOOLEAN: 1, INTEGER: 4, BIGINT: 8, TIMESTAMPTZ: 8 } as const
const DUCKDB_TYPES = { BOOLEAN, INTEGER, BIGINT, TIMESTAMPTZ } as const

/** Returns the number of 32-bit pieces of a value. */
export function piecesOf(type: FixedType): number {
  return Math.ceil((typeof type === 'string' ? BYTES[type] : decimalWords(type) * 8) / 4)
}

/**
 * Column of values of one width. Integers that a double holds exactly are written to 64-bit words by halves: a bigint per value
 * would dominate the time of a large commit.
 */
export class FixedColumn implements BatchColumn {
  readonly #type: FixedType
  readonly #slice: ColumnSlice
  readonly #missing: MissingRows
  readonly #bounds: ColumnBounds
  /** Bytes of a value. */
  readonly #width: number
  /** Pieces of a value, least significant first. */
  readonly #step: number
  /** Limits of a decimal column; null for other types. */
  readonly #limits: DecimalLimits | null
  /** The last word added; NaN once the words do not ascend. */
  #last = Number.NEGATIVE_INFINITY

  constructor(type: FixedType, slice: ColumnSlice) {
    this.#type = type
    this.#slice = slice
    this.#missing = new MissingRows(slice.rows)
    this.#bounds = new ColumnBounds(type)
    this.#width = typeof type === 'string' ? BYTES[type] : decimalWords(type) * 8
    this.#step = piecesOf(type)
    this.#limits = typeof type === 'string' ? null : decimalLimits(type)
  }

  add(block: RowBlock): void {
    const [type, { from, values, at }] = [this.#type, block]
    if (at < 0) this.#missing.addAll(from, from + values.length)
    else if (type === 'BOOLEAN') this.#addFlags(block)
    else if (type === 'INTEGER') this.#addIntegers(block)
    else if (type === 'BIGINT') this.#addWords(block, safeInteger)
    else if (type === 'TIMESTAMPTZ') this.#addWords(block, microsValue)
    else this.#addDecimals(block, type)
  }

  #addFlags({ from, values, at }: RowBlock): void {
    const { pieces, stride, offset } = this.#slice
    for (let n = 0; n < values.length; n += 1) {
      const value = values[n]![at]
      if (value === null || value === undefined) this.#missing.add(from + n)
      else if (typeof value !== 'boolean') throw refused(this.#slice.where, value, 'true or false')
      else pieces[(from + n) * stride + offset] = value ? 1 : 0
    }
  }

  #addIntegers({ from, values, at }: RowBlock): void {
    const [{ pieces, stride, offset }, range] = [this.#slice, new NumberRange()]
    for (let n = 0; n < values.length; n += 1) {
      const value = values[n]![at]
      if (value === null || value === undefined) {
        this.#missing.add(from + n)
        continue
      }
      if (typeof value !== 'number' || (value | 0) !== value)
        throw refused(this.#slice.where, value, 'a 32-bit integer')
      pieces[(from + n) * stride + offset] = value
      range.add(value)
    }
    range.addTo(this.#bounds)
  }

  #addWords({ from, values, at }: RowBlock, numberOf: (value: RowValue, where: string) => number): void {
    const [{ pieces, stride, offset }, range] = [this.#slice, new NumberRange()]
    let last = this.#last
    for (let n = 0; n < values.length; n += 1) {
      const value = values[n]![at]
      if (value === null || value === undefined) {
        this.#missing.add(from + n)
        continue
      }
      const number = numberOf(value, this.#slice.where)
      setWord(pieces, (from + n) * stride + offset, number)
      range.add(number)
      last = number >= last ? number : Number.NaN
    }
    this.#last = last
    range.addTo(this.#bounds)
  }

  #addDecimals({ from, values, at }: RowBlock, type: Extract<FixedType, object>): void {
    const [{ pieces, stride, offset }, range, limits] = [this.#slice, new NumberRange(), this.#limits!]
    for (let n = 0; n < values.length; n += 1) {
      const value = values[n]![at]
      if (value === null || value === undefined) {
        this.#missing.add(from + n)
        continue
      }
      const to = (from + n) * stride + offset
      const number = typeof value === 'string' ? scaledNumber(value, limits) : Number.NaN
      if (Number.isNaN(number)) this.#setWide(to, scaledOf(value, type, this.#slice.where))
      else {
        setWord(pieces, to, number)
        if (this.#step === 4) pieces.fill(number < 0 ? -1 : 0, to + 2, to + 4)
        range.add(number)
      }
    }
    range.addTo(this.#bounds)
  }

  #setWide(to: number, scaled: bigint): void {
    setWide(this.#slice.pieces, to, this.#step, scaled)
    this.#bounds.add(scaled)
  }

  nulls(): number {
    return this.#missing.count
  }

  type(): DuckDBType {
    const type = this.#type
    return typeof type === 'string' ? DUCKDB_TYPES[type] : DECIMAL(type.width, type.scale)
  }

  ascends(): boolean {
    return this.#step === 2 && this.#last > Number.NEGATIVE_INFINITY && this.#missing.count === 0
  }

  sortKey(): SortKey | null {
    if (typeof this.#type !== 'string') return null
    const { rows, pieces, stride, offset } = this.#slice
    const [key, missing, is_word] = [new Float64Array(rows), this.#missing, this.#step === 2]
    let greatest = 0
    for (let row = 0, at = offset; row < rows; row += 1, at += stride) {
      if (missing.has(row)) continue
      const number = is_word ? pieces[at + 1]! * WORD + (pieces[at]! >>> 0) : pieces[at]!
      key[row] = number
      if (number > greatest) greatest = number
    }
    return missing.count === 0 ? key : key.map((number, row) => (missing.has(row) ? greatest + 1 : number))
  }

  write(vector: Vector, ordinals: Uint32Array): void {
    if (this.#missing.count < this.#slice.rows) this.#writeValues(vector, ordinals)
    this.#missing.write(vector, ordinals)
  }

  #writeValues(vector: Vector, ordinals: Uint32Array): void {
    const picked = pickPieces(this.#slice, this.#step, ordinals)
    const values = this.#width === 1 ? Uint8Array.from(picked.subarray(0, ordinals.length)) : picked
    duckdb.copy_data_to_vector(vector, 0, values.buffer, 0, ordinals.length * this.#width)
  }

  statistics() {
    return { nulls: this.#missing.count, range: this.#bounds.range() }
  }
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

/** Values of one chunk, reused for the next because DuckDB copies them. No value is wider than four pieces. */
const CHUNK = new Int32Array(CHUNK_ROWS * 4)

function pickPieces(
  { pieces, stride, offset }: ColumnSlice,
  step: number,
  ordinals: Uint32Array,
): Int32Array<ArrayBuffer> {
  if (step === 1) for (let i = 0; i < ordinals.length; i += 1) CHUNK[i] = pieces[ordinals[i]! * stride + offset]!
  else if (step === 2) {
    for (let i = 0; i < ordinals.length; i += 1) {
      const from = ordinals[i]! * stride + offset
      CHUNK[i * 2] = pieces[from]!
      CHUNK[i * 2 + 1] = pieces[from + 1]!
    }
  } else {
    ordinals.forEach((ordinal, i) => {
      const from = ordinal * stride + offset
      CHUNK.set(pieces.subarray(from, from + step), i * step)
    })
  }
  return CHUNK
}

/** Least and greatest of some numbers, kept unboxed, unlike in ColumnBounds. */
class NumberRange {
  #least = Number.POSITIVE_INFINITY
  #greatest = Number.NEGATIVE_INFINITY

  add(number: number): void {
    if (number < this.#least) this.#least = number
    if (number > this.#greatest) this.#greatest = number
  }

  addTo(bounds: ColumnBounds): void {
    if (this.#least > this.#greatest) return
    bounds.addNumber(this.#least)
    bounds.addNumber(this.#greatest)
  }
}
