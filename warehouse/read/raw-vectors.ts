import type { DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

/** A column of one chunk as DuckDB holds it: the bytes are copies and stay valid after the chunk is gone. */
export type RawVector = duckdb.Vector

export function rawVector(chunk: DuckDBDataChunk, column: number): RawVector {
  return duckdb.data_chunk_get_vector(chunk.chunk, column)
}

/** The values' bytes; `width` bytes a row. What stands at a null row is undefined. */
export function rawData(vector: RawVector, rows: number, width: number): Uint8Array {
  return duckdb.vector_get_data(vector, rows * width)
}

/** One bit a row, least significant first, 1 = present; null when every row is. */
export function rawValidity(vector: RawVector, rows: number): Uint8Array | null {
  return duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8) ?? null
}

export function isPresent(validity: Uint8Array | null, row: number): boolean {
  return validity === null || (validity[row >> 3]! & (1 << (row & 7))) !== 0
}

/** Child of a list vector and the number of its items. */
export function listChild(vector: RawVector): { readonly vector: RawVector; readonly items: number } {
  return { vector: duckdb.list_vector_get_child(vector), items: duckdb.list_vector_get_size(vector) }
}

export function structChild(vector: RawVector, field: number): RawVector {
  return duckdb.struct_vector_get_child(vector, field)
}

/** Bytes of the texts of one vector: row r is `bytes[start[r] .. start[r] + length[r])`; a null row has length 0. */
export type RawTexts = { readonly bytes: Uint8Array; readonly start: Uint32Array; readonly length: Uint32Array }

const ENTRY = 16
const INLINE_MAX = 12
/** Neighbours in DuckDB's string heap lie at most this far apart, so one read never leaves the memory they lie in. */
const GAP_MAX = 8

/**
 * Reads a VARCHAR or BLOB vector. An entry is 16 bytes: length, then up to 12 bytes inline or a prefix and a pointer.
 * Texts behind pointers mostly lie one after another, so a whole run of them is fetched by one native call.
 */
export function rawTexts(vector: RawVector, rows: number, validity: Uint8Array | null): RawTexts {
  const entries = aligned(rawData(vector, rows, ENTRY))
  const words = new Uint32Array(entries.buffer, entries.byteOffset, rows * 4)
  const start = new Uint32Array(rows)
  const length = new Uint32Array(rows)
  const parts: Uint8Array[] = [entries]
  let size = entries.length
  let run = noRun()
  const flush = () => {
    if (run.first < 0) return
    const part = duckdb.get_data_from_pointer(
      entries.buffer as ArrayBuffer,
      entries.byteOffset + run.first * ENTRY + 8,
      run.end - run.begin,
    )
    parts.push(part)
    size += part.length
    run = noRun()
  }
  for (let row = 0; row < rows; row += 1) {
    if (!isPresent(validity, row)) continue
    const bytes = words[row * 4]!
    length[row] = bytes
    if (bytes <= INLINE_MAX) {
      start[row] = row * ENTRY + 4
      continue
    }
    const pointer = words[row * 4 + 2]! + words[row * 4 + 3]! * 2 ** 32
    if (run.first < 0 || pointer < run.end || pointer - run.end >= GAP_MAX) {
      flush()
      run = { first: row, begin: pointer, end: pointer }
    }
    start[row] = size + (pointer - run.begin)
    run.end = pointer + bytes
  }
  flush()
  return { bytes: parts.length === 1 ? entries : Buffer.concat(parts, size), start, length }
}

function noRun(): { first: number; begin: number; end: number } {
  return { first: -1, begin: 0, end: 0 }
}

/** Typed arrays need an aligned offset; DuckDB's buffers have one, a copy of them might not. */
export function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
}
