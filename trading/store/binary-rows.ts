import { invariant } from '../../primitives/errors.ts'

/** One column as the catalogue tells it: `udt_name` of its type. */
export type BinaryColumn = { readonly column_name: string; readonly udt_name: string }

/** `PGCOPY`, newline, 255 and so on; no flags, no extension. */
const HEAD = Buffer.from(`5047434f50590aff0d0a00${'00'.repeat(8)}`, 'hex')
const FIRST_CAPACITY = 1 << 16
/** A larger one is not kept for what comes next. */
const KEPT_CAPACITY = 1 << 20
/** Longer text is written by the library: for shorter ones the call costs more than the letters. */
const SHORT_TEXT = 48
/** Postgres counts from 2000-01-01. */
const POSTGRES_EPOCH_MICROS = 946_684_800_000_000
const HIGH = 2 ** 32
/** Room for all values of fixed length of a row. */
const SPARE = 1_024

type Row = Readonly<Record<string, unknown>>
type Write = (out: Bytes, value: never) => void

/**
 * Makes an encoder of rows for COPY ... (FORMAT binary): each value with its length before it, so that no text needs an escape and
 * the server has nothing to parse. Instants are microseconds, values of `json` columns are made text; null and what is missing are NULL.
 * @throws {InvariantError} for a column of a type that no copied table has
 */
export function binaryRows(columns: readonly BinaryColumn[]): (rows: readonly object[]) => Buffer {
  const names = columns.map(({ column_name }) => column_name)
  const writes = columns.map(({ column_name, udt_name }) => {
    const write = WRITES[udt_name]
    invariant(write !== undefined, `column ${column_name} of type ${udt_name} can be copied`)
    return write
  })
  return (rows) => {
    const out = begun()
    out.at = HEAD.copy(out.buffer)
    for (const row of rows) writeRow(out, names, writes, row as Row)
    reserve(out, 2)
    out.at = out.buffer.writeInt16BE(-1, out.at)
    return written(out)
  }
}

/**
 * Makes an encoder of rows as one array a column, in the binary form of the type `udt_name[]`: parameters that a statement unnests.
 * @throws {InvariantError} for a column of a type that no copied table has
 */
export function binaryArrays(columns: readonly BinaryColumn[]): (rows: readonly object[]) => readonly Buffer[] {
  const encoders = columns.map(arrayEncoder)
  return (rows) => encoders.map((encode) => encode(rows as readonly Row[]))
}

function arrayEncoder({ column_name, udt_name }: BinaryColumn): (rows: readonly Row[]) => Buffer {
  const write = WRITES[udt_name]
  const type = ELEMENT_TYPES[udt_name]
  invariant(write !== undefined && type !== undefined, `column ${column_name} of type ${udt_name} can be copied`)
  return (rows) => {
    const out = begun()
    // One dimension, which may have nulls, counted from 1.
    for (const word of [1, 1, type, rows.length, 1]) writeInt32(out, word)
    for (const row of rows) {
      reserve(out, SPARE)
      const value = row[column_name]
      if (value === null || value === undefined) writeInt32(out, -1)
      else write(out, value as never)
    }
    return written(out)
  }
}

/** Whether values of a column can be those of an array of `binaryArrays`. */
export function isArrayable({ udt_name }: BinaryColumn): boolean {
  return ELEMENT_TYPES[udt_name] !== undefined
}

/** Numbers of the types in the server's catalogue, the same in every version of it. */
const ELEMENT_TYPES: Readonly<Record<string, number>> = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  json: 114,
  timestamptz: 1184,
}

/** A buffer that is filled as far as `at`. */
type Bytes = { buffer: Buffer; at: number }

/**
 * Everything is put together here, one after the other, and copied out as long as it is: room of its own for each would be as much
 * memory a batch as makes the collector look through all that the engine keeps.
 */
const scratch: Bytes = { buffer: Buffer.allocUnsafe(FIRST_CAPACITY), at: 0 }

function begun(): Bytes {
  scratch.at = 0
  return scratch
}

function written(out: Bytes): Buffer {
  const bytes = Buffer.from(out.buffer.subarray(0, out.at))
  if (out.buffer.length > KEPT_CAPACITY) out.buffer = Buffer.allocUnsafe(FIRST_CAPACITY)
  return bytes
}

function writeRow(out: Bytes, names: readonly string[], writes: readonly Write[], row: Row): void {
  reserve(out, SPARE)
  out.at = out.buffer.writeInt16BE(names.length, out.at)
  for (let n = 0; n < names.length; n += 1) {
    const value = row[names[n]!]
    if (value === null || value === undefined) writeInt32(out, -1)
    else writes[n]!(out, value as never)
  }
}

const WRITES: Readonly<Record<string, Write>> = {
  text: writeText,
  json: (out, value: unknown) => writeText(out, JSON.stringify(value)),
  bool: (out, value: boolean) => {
    writeInt32(out, 1)
    out.buffer[out.at++] = value ? 1 : 0
  },
  int2: (out, value: number) => {
    writeInt32(out, 2)
    out.at = out.buffer.writeInt16BE(value, out.at)
  },
  int4: (out, value: number) => {
    writeInt32(out, 4)
    writeInt32(out, value)
  },
  int8: writeInt64,
  timestamptz: (out, value: number) => writeInt64(out, value - POSTGRES_EPOCH_MICROS),
}

function writeInt32(out: Bytes, value: number): void {
  const { buffer, at } = out
  buffer[at] = value >>> 24
  buffer[at + 1] = value >>> 16
  buffer[at + 2] = value >>> 8
  buffer[at + 3] = value
  out.at = at + 4
}

/** A safe integer, with its length before it. */
function writeInt64(out: Bytes, value: number): void {
  const high = Math.floor(value / HIGH)
  writeInt32(out, 8)
  writeInt32(out, high)
  writeInt32(out, value - high * HIGH)
}

/** Text in UTF-8, with its length before it; afterwards there is room again for values of a fixed length. */
function writeText(out: Bytes, value: string): void {
  reserve(out, 4 + value.length * 3 + SPARE)
  const begin = out.at + 4
  const length = value.length <= SHORT_TEXT ? writeLetters(out.buffer, value, begin) : out.buffer.write(value, begin)
  writeInt32(out, length)
  out.at = begin + length
}

function writeLetters(buffer: Buffer, value: string, begin: number): number {
  for (let n = 0; n < value.length; n += 1) {
    const code = value.charCodeAt(n)
    if (code > 127) return buffer.write(value, begin)
    buffer[begin + n] = code
  }
  return value.length
}

function reserve(out: Bytes, length: number): void {
  if (out.at + length <= out.buffer.length) return
  const grown = Buffer.allocUnsafe(Math.max(out.buffer.length * 2, out.at + length))
  out.buffer.copy(grown, 0, 0, out.at)
  out.buffer = grown
}
