import duckdb, { type Vector } from '@duckdb/node-bindings'
import type { Row, RowValue } from '../schema.ts'
import { SPECIAL_TEXT } from './write-vector.ts'

/**
 * A text column of a batch as codes: the places of its values in the sorted list of the different ones. Codes are handed
 * over whole and sorted as numbers, texts one by one: a commit of 100,000 quotes takes 0.64 s of CPU with codes, 0.86 s without.
 */
export type CodedTexts = {
  /** The different texts in the order in which DuckDB sorts texts; at most TEXTS_MAX. */
  readonly texts: readonly string[]
  /** One a row, in the width that DuckDB keeps an ENUM of so many texts in. */
  readonly codes: Uint8Array | Uint16Array
  /** 1 a row without a value; null: every row has one. */
  readonly missing: Uint8Array | null
}

const ROWS_MIN = 1024
const TEXTS_MAX = 4096
/** How often a text must come on average. */
const REPEATS_MIN = 4

/**
 * Codes of one column; null where its values repeat too little to gain by it, or hold one that needs a closer look (what is
 * no text, and texts with a zero byte or a surrogate, are for write-vector.ts to take or to refuse).
 */
export function codeTexts(rows: readonly Row[], name: string): CodedTexts | null {
  if (rows.length < ROWS_MIN) return null
  const places = new Map<string, number>()
  const found = new Uint16Array(rows.length)
  let missing: Uint8Array | null = null
  let last: RowValue
  for (let i = 0; i < rows.length; i += 1) {
    const value = rows[i]![name]
    if (value === last && i > 0 && value !== null && value !== undefined) {
      found[i] = found[i - 1]!
      continue
    }
    last = value
    if (value === null || value === undefined) {
      missing ??= new Uint8Array(rows.length)
      missing[i] = 1
      continue
    }
    const place = typeof value === 'string' ? places.get(value) : undefined
    if (place !== undefined) found[i] = place
    else if (places.size < TEXTS_MAX && isPlain(value)) {
      found[i] = places.size
      places.set(value, places.size)
    } else return null
  }
  const repeat = places.size > 0 && places.size * REPEATS_MIN <= rows.length
  return repeat ? sortedCodes([...places.keys()], found, missing) : null
}

function isPlain(value: unknown): value is string {
  return typeof value === 'string' && !SPECIAL_TEXT.test(value)
}

/** Without surrogates JavaScript's order of texts is that of their UTF-8 bytes, which is DuckDB's. */
function sortedCodes(arrived: readonly string[], found: Uint16Array, missing: Uint8Array | null): CodedTexts {
  const texts = arrived.toSorted((a, b) => (a < b ? -1 : 1))
  const ranks = new Map(texts.map((text, rank) => [text, rank]))
  const rank_of = Uint16Array.from(arrived, (text) => ranks.get(text)!)
  const codes = texts.length <= 255 ? new Uint8Array(found.length) : new Uint16Array(found.length)
  for (let i = 0; i < found.length; i += 1) codes[i] = rank_of[found[i]!] ?? 0
  return { texts, codes, missing }
}

/** Writes the codes of the rows [from, from + count) into a vector of the ENUM. @returns how many have no value */
export function writeCodes(vector: Vector, { codes, missing }: CodedTexts, from: number, count: number): number {
  const { BYTES_PER_ELEMENT: width, buffer } = codes
  duckdb.copy_data_to_vector(vector, 0, buffer as ArrayBuffer, from * width, count * width)
  if (missing === null) return 0
  const mask = new Uint8Array(Math.ceil(count / 64) * 8).fill(255)
  let nulls = 0
  for (let i = 0; i < count; i += 1) {
    if (missing[from + i] === 0) continue
    mask[i >> 3]! &= ~(1 << (i & 7))
    nulls += 1
  }
  duckdb.vector_ensure_validity_writable(vector)
  duckdb.copy_data_to_vector_validity(vector, 0, mask.buffer as ArrayBuffer, 0, mask.byteLength)
  return nulls
}
