import type { DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

/** Column of one chunk in DuckDB's form. Bytes read from it are copies and stay valid after the chunk is freed. */
export type RawVector = duckdb.Vector

/** Returns one column of a chunk. */
export function rawVector(chunk: DuckDBDataChunk, column: number): RawVector {
  return duckdb.data_chunk_get_vector(chunk.chunk, column)
}

/** Returns the values' bytes, `width` per row; bytes of null rows are undefined. */
export function rawData(vector: RawVector, rows: number, width: number): Uint8Array {
  return duckdb.vector_get_data(vector, rows * width)
}

/** Returns one bit per row, least significant first, 1 = present; null if every row is present. */
export function rawValidity(vector: RawVector, rows: number): Uint8Array | null {
  return duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8) ?? null
}

/** Returns true if the row has a value. */
export function isPresent(validity: Uint8Array | null, row: number): boolean {
  return validity === null || (validity[row >> 3]! & (1 << (row & 7))) !== 0
}

/** Returns the child of a list vector and the number of its items. */
export function listChild(vector: RawVector): { readonly vector: RawVector; readonly items: number } {
  return { vector: duckdb.list_vector_get_child(vector), items: duckdb.list_vector_get_size(vector) }
}

/** Returns the child of a struct vector: the values of one field, one per row. */
export function structChild(vector: RawVector, field: number): RawVector {
  return duckdb.struct_vector_get_child(vector, field)
}

/**
 * Bytes of the texts of one vector: row r is `bytes[start[r] .. start[r] + length[r])`; a null row has length 0.
 * `start` and `length` are overwritten by the next call.
 */
export type RawTexts = { readonly bytes: Uint8Array; readonly start: Uint32Array; readonly length: Uint32Array }

const ENTRY = 16
const INLINE_MAX = 12
/** Neighbors in DuckDB's string heap are at most this far apart, so one read never leaves the memory they are in. */
const GAP_MAX = 8

/**
 * Reads a VARCHAR or BLOB vector. An entry has 16 bytes: length, then up to 12 bytes inline or a prefix and a pointer.
 * Texts behind pointers are mostly adjacent, ascending or descending, so a whole run of them is fetched by one native call.
 */
export function rawTexts(vector: RawVector, rows: number, validity: Uint8Array | null): RawTexts {
  const entries = aligned(rawData(vector, rows, ENTRY))
  const words = new Uint32Array(entries.buffer, entries.byteOffset, rows * 4)
  const { start, length, pointers } = scratchFor(rows)
  const parts: Uint8Array[] = [entries]
  let size = entries.length
  let any_inline = false
  let run: Run | null = null
  const fetchRun = (end_row: number) => {
    if (run === null) return
    const { from_row, lowest_row, low, high } = run
    const pointer_at = entries.byteOffset + lowest_row * ENTRY + 8
    parts.push(duckdb.get_data_from_pointer(entries.buffer as ArrayBuffer, pointer_at, high - low))
    for (let row = from_row; row < end_row; row += 1) {
      if (length[row]! > INLINE_MAX) start[row] = size + (pointers[row]! - low)
    }
    size += high - low
  }
  for (let row = 0; row < rows; row += 1) {
    const bytes = validity === null || isPresent(validity, row) ? words[row * 4]! : 0
    length[row] = bytes
    if (bytes <= INLINE_MAX) {
      start[row] = row * ENTRY + 4
      any_inline ||= bytes > 0
      continue
    }
    const pointer = words[row * 4 + 2]! + words[row * 4 + 3]! * 2 ** 32
    pointers[row] = pointer
    if (run !== null && pointer < run.high + GAP_MAX && pointer + bytes > run.low - GAP_MAX) {
      if (pointer + bytes > run.high) run.high = pointer + bytes
      if (pointer < run.low) {
        run.low = pointer
        run.lowest_row = row
      }
    } else {
      fetchRun(row)
      run = { from_row: row, lowest_row: row, low: pointer, high: pointer + bytes }
    }
  }
  fetchRun(rows)
  if (parts.length === 1) return { bytes: entries, start, length }
  if (any_inline || parts.length > 2) return { bytes: Buffer.concat(parts, size), start, length }
  for (let row = 0; row < rows; row += 1) if (length[row]! > 0) start[row]! -= entries.length
  return { bytes: parts[1]!, start, length }
}

type Scratch = { readonly start: Uint32Array; readonly length: Uint32Array; readonly pointers: Float64Array }

/** Memory reused by all calls: allocating it for every chunk costs more in garbage collection than the reading itself. */
let scratch: Scratch = { start: new Uint32Array(0), length: new Uint32Array(0), pointers: new Float64Array(0) }

function scratchFor(rows: number): Scratch {
  if (scratch.start.length < rows) {
    scratch = { start: new Uint32Array(rows), length: new Uint32Array(rows), pointers: new Float64Array(rows) }
  }
  return scratch
}

/** Rows whose texts fill the memory [low, high) without a gap of GAP_MAX bytes. */
type Run = { readonly from_row: number; lowest_row: number; low: number; high: number }

/** Returns bytes with an offset aligned for typed arrays; DuckDB's buffers have one, a copy of them might not. */
export function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
}
