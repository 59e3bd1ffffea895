import duckdb, { type Vector } from '@duckdb/node-bindings'
import type { RowValue } from '../../schema.ts'
import { CHUNK_ROWS, type ColumnPlace, type RowBlock } from './batch-column.ts'
import type { MissingRows } from './missing-rows.ts'
import { SPECIAL_TEXT } from './write-vector.ts'

/** Texts that are told apart at most, and how often one must come on average. */
const TEXTS_MAX = 4096
const REPEATS_MIN = 4
const ROWS_MIN = 1024

/**
 * The texts of a column as codes: the places of its values among the different ones. Codes are handed over whole and sorted as
 * numbers, texts one by one.
 */
export class RepeatedTexts {
  readonly #place: ColumnPlace
  /** The different texts in the order of arrival. */
  readonly #arrived: string[] = []
  readonly #codes = new Map<string, number>()
  /** Which text came after which when that was there last: venues are asked for their markets in one order again and again. */
  readonly #next = new Uint16Array(TEXTS_MAX)
  #last = 0

  constructor(place: ColumnPlace) {
    this.#place = place
  }

  /**
   * Takes the texts of a block, up to a value that is none and not missing, is one different text too many, or not plain (a zero
   * byte, which no ENUM has, or a surrogate, which may lack its partner and whose order is another in DuckDB).
   * @returns how many rows were taken; all of them: the texts repeat so far
   */
  add({ from, values, at }: RowBlock, missing: MissingRows): number {
    const [arrived, next, { pieces, stride, offset }] = [this.#arrived, this.#next, this.#place]
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

  /** @returns -1: it cannot be told apart */
  #codeOf(value: RowValue): number {
    if (typeof value !== 'string') return -1
    const known = this.#codes.get(value)
    if (known !== undefined) return known
    if (this.#arrived.length === TEXTS_MAX || SPECIAL_TEXT.test(value)) return -1
    this.#codes.set(value, this.#arrived.length)
    return this.#arrived.push(value) - 1
  }

  /** True once as many texts as are told apart have come. */
  isFull(): boolean {
    return this.#arrived.length === TEXTS_MAX
  }

  /** The text that was taken of a row. */
  textAt(row: number): string {
    return this.#arrived[this.#place.pieces[row * this.#place.stride + this.#place.offset]!]!
  }

  /** The texts in DuckDB's order, and their codes as such; null where codes gain nothing. */
  coded(): CodedTexts | null {
    const [{ rows }, arrived] = [this.#place, this.#arrived]
    if (rows < ROWS_MIN || arrived.length === 0 || arrived.length * REPEATS_MIN > rows) return null
    // Without surrogates JavaScript's order of texts is that of their UTF-8 bytes, which is DuckDB's.
    const texts = arrived.toSorted((a, b) => (a < b ? -1 : 1))
    const ranks = new Map(texts.map((text, rank) => [text, rank]))
    return new CodedTexts(
      this.#place,
      texts,
      Uint16Array.from(arrived, (text) => ranks.get(text)!),
    )
  }
}

/** A text column of a batch as codes. */
export class CodedTexts {
  /** The different texts, sorted. */
  readonly texts: readonly string[]
  readonly #place: ColumnPlace
  /** Of a text in the order of arrival its place among the sorted ones. */
  readonly #ranks: Uint16Array

  constructor(place: ColumnPlace, texts: readonly string[], ranks: Uint16Array) {
    this.texts = texts
    this.#place = place
    this.#ranks = ranks
  }

  /** Codes in the order of the texts, what has none last. */
  sortKey(missing: MissingRows): Uint16Array {
    const [{ rows, pieces, stride, offset }, ranks] = [this.#place, this.#ranks]
    const key = new Uint16Array(rows)
    for (let row = 0, at = offset; row < rows; row += 1, at += stride) {
      key[row] = missing.has(row) ? this.texts.length : ranks[pieces[at]!]!
    }
    return key
  }

  /** Writes codes in the width in which DuckDB keeps an ENUM of so many texts. */
  write(vector: Vector, places: Uint32Array): void {
    const [{ pieces, stride, offset }, ranks] = [this.#place, this.#ranks]
    for (let i = 0; i < places.length; i += 1) CHUNK[i] = ranks[pieces[places[i]! * stride + offset]!]!
    const codes = this.texts.length <= 255 ? Uint8Array.from(CHUNK.subarray(0, places.length)) : CHUNK
    duckdb.copy_data_to_vector(vector, 0, codes.buffer, 0, places.length * codes.BYTES_PER_ELEMENT)
  }
}

/** The codes of one chunk, used again for the next: DuckDB copies them. */
const CHUNK = new Uint16Array(CHUNK_ROWS)
