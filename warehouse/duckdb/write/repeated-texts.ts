import duckdb, { type Vector } from '@duckdb/node-bindings'
import type { RowValue } from '../../schema.ts'
import { CHUNK_ROWS, type ColumnSlice, type RowBlock } from './batch-column.ts'
import type { MissingRows } from './missing-rows.ts'
import { SPECIAL_TEXT } from './write-vector.ts'

/** Most distinct texts, and the least average number of occurrences for codes to pay off. */
const TEXTS_MAX = 4096
const REPEATS_MIN = 4
const ROWS_MIN = 1024

/**
 * Texts of a column as codes, which are indexes of distinct texts. Codes are copied in bulk and sorted as numbers, unlike texts.
 */
export class RepeatedTexts {
  readonly #slice: ColumnSlice
  /** Distinct texts in order of arrival. */
  readonly #arrived: string[] = []
  readonly #codes = new Map<string, number>()
  /** Code that followed each code last time: venues return their markets in the same order again and again. */
  readonly #next = new Uint16Array(TEXTS_MAX)
  #last = 0

  constructor(slice: ColumnSlice) {
    this.#slice = slice
  }

  /**
   * Adds the texts of a block, up to a value that is neither a text nor missing, exceeds the number of distinct texts, or is not
   * plain: a zero byte, which ENUMs cannot have, or a surrogate, which may be unpaired and is ordered differently in DuckDB.
   * @returns number of rows added; all of them while the texts repeat
   */
  add({ from, values, at }: RowBlock, missing: MissingRows): number {
    const [arrived, next, { pieces, stride, offset }] = [this.#arrived, this.#next, this.#slice]
    for (let n = 0, to = from * stride + offset; n < values.length; n += 1, to += stride) {
      const text = values[n]![at]
      if (text === null || text === undefined) {
        missing.add(from + n)
        pieces[to] = 0
        continue
      }
      let code = next[this.#last]!
      if (text !== arrived[code]) {
        code = this.#codeOf(text)
        if (code < 0) return n
        next[this.#last] = code
      }
      this.#last = code
      pieces[to] = code
    }
    return values.length
  }

  /** Returns the code of a text; -1: it cannot have one. */
  #codeOf(value: RowValue): number {
    if (typeof value !== 'string') return -1
    const known = this.#codes.get(value)
    if (known !== undefined) return known
    if (this.#arrived.length === TEXTS_MAX || SPECIAL_TEXT.test(value)) return -1
    this.#codes.set(value, this.#arrived.length)
    return this.#arrived.push(value) - 1
  }

  /** True once the most distinct texts have arrived. */
  isFull(): boolean {
    return this.#arrived.length === TEXTS_MAX
  }

  /** Returns the text of a row. */
  textAt(row: number): string {
    return this.#arrived[this.#slice.pieces[row * this.#slice.stride + this.#slice.offset]!]!
  }

  /** Returns the column as codes of the texts in DuckDB's order; null if codes gain nothing. */
  coded(): CodedTexts | null {
    const [{ rows }, arrived] = [this.#slice, this.#arrived]
    if (rows < ROWS_MIN || arrived.length === 0 || arrived.length * REPEATS_MIN > rows) return null
    // Without surrogates JavaScript orders texts like their UTF-8 bytes, as DuckDB does.
    const texts = arrived.toSorted((a, b) => (a < b ? -1 : 1))
    const ranks = new Map(texts.map((text, rank) => [text, rank]))
    return new CodedTexts(
      this.#slice,
      texts,
      Uint16Array.from(arrived, (text) => ranks.get(text)!),
    )
  }
}

/** Text column of a batch as codes. */
export class CodedTexts {
  /** Distinct texts, sorted. */
  readonly texts: readonly string[]
  readonly #slice: ColumnSlice
  /** Rank among the sorted texts, by order of arrival. */
  readonly #ranks: Uint16Array

  constructor(slice: ColumnSlice, texts: readonly string[], ranks: Uint16Array) {
    this.texts = texts
    this.#slice = slice
    this.#ranks = ranks
  }

  /** Codes in the order of the texts, missing ones last. */
  sortKey(missing: MissingRows): Uint16Array {
    const [{ rows, pieces, stride, offset }, ranks] = [this.#slice, this.#ranks]
    const key = new Uint16Array(rows)
    for (let row = 0, at = offset; row < rows; row += 1, at += stride) {
      key[row] = missing.has(row) ? this.texts.length : ranks[pieces[at]!]!
    }
    return key
  }

  /** Writes codes in the width that DuckDB uses for an ENUM of this many texts. */
  write(vector: Vector, ordinals: Uint32Array): void {
    const [{ pieces, stride, offset }, ranks] = [this.#slice, this.#ranks]
    for (let i = 0; i < ordinals.length; i += 1) CHUNK[i] = ranks[pieces[ordinals[i]! * stride + offset]!]!
    const codes = this.texts.length <= 255 ? Uint8Array.from(CHUNK.subarray(0, ordinals.length)) : CHUNK
    duckdb.copy_data_to_vector(vector, 0, codes.buffer, 0, ordinals.length * codes.BYTES_PER_ELEMENT)
  }
}

/** Codes of one chunk, reused for the next because DuckDB copies them. */
const CHUNK = new Uint16Array(CHUNK_ROWS)
