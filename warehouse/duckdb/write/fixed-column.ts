import { BIGINT, BOOLEAN, DECIMAL, type DuckDBType, INTEGER, TIMESTAMPTZ } from '@duckdb/node-api'
import duckdb, { type Vector } from '@duckdb/node-bindings'
import { isMicros, type Micros, microsOf } from '../../../primitives/instants.ts'
import { type DecimalLimits, decimalLimits, scaledNumber } from '../../../primitives/scaled-number.ts'
import type { ColumnType, RowValue } from '../../schema.ts'
import { type BatchColumn, CHUNK_ROWS, type ColumnPlace, type RowBlock } from './batch-column.ts'
import { ColumnBounds } from './column-bounds.ts'
import { MissingRows } from './missing-rows.ts'
import type { SortKey } from './row-order.ts'
import { decimalWords, refused, scaledOf, setWide, setWord } from './write-vector.ts'

export type FixedType = Exclude<ColumnType, 'VARCHAR' | { kind: 'list' } | { kind: 'struct' }>

const WORD = 2 ** 32
const BYTES = { BOOLEAN: 1, INTEGER: 4, BIGINT: 8, TIMESTAMPTZ: 8 } as const
const DUCKDB_TYPES = { BOOLEAN, INTEGER, BIGINT, TIMESTAMPTZ } as const

/** 32-bit pieces that a value of the type takes. */
export function piecesOf(type: FixedType): number {
  return Math.ceil((typeof type === 'string' ? BYTES[type] : decimalWords(type) * 8) / 4)
}

/**
 * A column of values of one width. Whole numbers that a double holds exactly go into 64-bit words by halves, without a bigint
 * a value, which is what would take the time of a commit of many rows.
 */
export class FixedColumn implements BatchColumn {
  readonly #type: FixedType
  readonly #place: ColumnPlace
  readonly #missing: MissingRows
  readonly #bounds: ColumnBounds
  /** Bytes of a value. */
  readonly #width: number
  /** Pieces of a value, which are given least first. */
  readonly #step: number
  /** Of decimals. */
  readonly #limits: DecimalLimits | null
  /** The last word taken; NaN once they do not ascend. */
  #last = Number.NEGATIVE_INFINITY

  constructor(type: FixedType, place: ColumnPlace) {
    this.#type = type
    this.#place = place
    this.#missing = new MissingRows(place.rows)
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
    const { pieces, stride, offset } = this.#place
    for (let n = 0; n < values.length; n += 1) {
      const value = values[n]![at]
      if (value === null || value === undefined) this.#missing.add(from + n)
      else if (typeof value !== 'boolean') throw refused(this.#place.where, value, 'true or false')
      else pieces[(from + n) * stride + offset] = value ? 1 : 0
    }
  }

  #addIntegers({ from, values, at }: RowBlock): void {
    const [{ pieces, stride, offset }, range] = [this.#place, new NumberRange()]
    for (let n = 0; n < values.length; n += 1) {
      const value = values[n]![at]
      if (value === null || value === undefined) {
        this.#missing.add(from + n)
        continue
      }
      if (typeof value !== 'number' || (value | 0) !== value)
        throw refused(this.#place.where, value, 'a 32-bit integer')
      pieces[(from + n) * stride + offset] = value
      range.add(value)
    }
    range.addTo(this.#bounds)
  }

  #addWords({ from, values, at }: RowBlock, numberOf: (value: RowValue, where: string) => number): void {
    const [{ pieces, stride, offset }, range] = [this.#place, new NumberRange()]
    let last = this.#last
    for (let n = 0; n < values.length; n += 1) {
      const value = values[n]![at]
      if (value === null || value === undefined) {
        this.#missing.add(from + n)
        continue
      }
      const number = numberOf(value, this.#place.where)
      setWord(pieces, (from + n) * stride + offset, number)
      range.add(number)
      last = number >= last ? number : Number.NaN
    }
    this.#last = last
    range.addTo(this.#bounds)
  }

  #addDecimals({ from, values, at }: RowBlock, type: Extract<FixedType, object>): void {
    const [{ pieces, stride, offset }, range, limits] = [this.#place, new NumberRange(), this.#limits!]
    for (let n = 0; n < values.length; n += 1) {
      const value = values[n]![at]
      if (value === null || value === undefined) {
        this.#missing.add(from + n)
        continue
      }
      const to = (from + n) * stride + offset
      const number = typeof value === 'string' ? scaledNumber(value, limits) : Number.NaN
      if (Number.isNaN(number)) this.#setWide(to, scaledOf(value, type, this.#place.where))
      else {
        setWord(pieces, to, number)
        if (this.#step === 4) pieces.fill(number < 0 ? -1 : 0, to + 2, to + 4)
        range.add(number)
      }
    }
    range.addTo(this.#bounds)
  }

  #setWide(to: number, scaled: bigint): void {
    setWide(this.#place.pieces, to, this.#step, scaled)
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
    const { rows, pieces, stride, offset } = this.#place
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

  write(vector: Vector, places: Uint32Array): void {
    if (this.#missing.count < this.#place.rows) this.#writeValues(vector, places)
    this.#missing.write(vector, places)
  }

  #writeValues(vector: Vector, places: Uint32Array): void {
    const picked = pickPieces(this.#place, this.#step, places)
    const values = this.#width === 1 ? Uint8Array.from(picked.subarray(0, places.length)) : picked
    duckdb.copy_data_to_vector(vector, 0, values.buffer, 0, places.length * this.#width)
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

/** The values of one chunk, used again for the next: DuckDB copies them. No value is wider than four pieces. */
const CHUNK = new Int32Array(CHUNK_ROWS * 4)

function pickPieces(
  { pieces, stride, offset }: ColumnPlace,
  step: number,
  places: Uint32Array,
): Int32Array<ArrayBuffer> {
  if (step === 1) for (let i = 0; i < places.length; i += 1) CHUNK[i] = pieces[places[i]! * stride + offset]!
  else if (step === 2) {
    for (let i = 0; i < places.length; i += 1) {
      const from = places[i]! * stride + offset
      CHUNK[i * 2] = pieces[from]!
      CHUNK[i * 2 + 1] = pieces[from + 1]!
    }
  } else {
    places.forEach((place, i) => {
      const from = place * stride + offset
      CHUNK.set(pieces.subarray(from, from + step), i * step)
    })
  }
  return CHUNK
}

/** Least and greatest of some numbers, which bounds of any type would keep boxed. */
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
