import { invariant } from '../../primitives/errors.ts'

/** One column of the database catalogue: `udt_name` of its type. */
export type BinaryColumn = { readonly column_name: string; readonly udt_name: string }

/** Header of the format: `PGCOPY`, newline, 255 and so on; no flags, no extension. */
const HEAD = Buffer.from(`5047434f50590aff0d0a00${'00'.repeat(8)}`, 'hex')
const FIRST_CAPACITY = 1 << 16
/** A larger buffer is not reused. */
const KEPT_CAPACITY = 1 << 20
/** Length up to which text is encoded here: below it the library call costs more than the characters. */
const SHORT_TEXT = 48
/** Epoch of Postgres, 2000-01-01, in microseconds since 1970. */
const POSTGRES_EPOCH_MICROS = 946_684_800_000_000
const HIGH = 2 ** 32
/** Space for all fixed-length values of a row. */
const SPARE = 1_024

type Row = Readonly<Record<string, unknown>>
type Write = (out: Bytes, value: never) => void

/**
 * Creates an encoder of rows for COPY ... (FORMAT binary): each value follows its length, so text needs no escaping and
 * the server parses nothing. Instants are microseconds, values of `json` columns are serialized; null and undefined are NULL.
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
 * Creates an encoder of rows as one array per column, in the binary form of `udt_name[]`: parameters that a statement unnests.
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
    // One dimension, nulls allowed, indexed from 1.
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

/** Returns whether values of a column can be elements of a `binaryArrays` array. */
export function isArrayable({ udt_name }: BinaryColumn): boolean {
  return ELEMENT_TYPES[udt_name] !== undefined
}

/** Type OIDs, the same in every server version. */
const ELEMENT_TYPES: Readonly<Record<string, number>> = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  json: 114,
  timestamptz: 1184,
}

/** Buffer filled up to `at`. */
type Bytes = { buffer: Buffer; at: number }

/**
 * Shared scratch space: rows are assembled here and copied out at their final length. A buffer per value would allocate so much
 * per batch that the garbage collector would traverse the engine's whole heap.
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

/** Writes a safe integer after its length. */
function writeInt64(out: Bytes, value: number): void {
  const high = Math.floor(value / HIGH)
  writeInt32(out, 8)
  writeInt32(out, high)
  writeInt32(out, value - high * HIGH)
}

/** Writes UTF-8 text after its length, and leaves space for fixed-length values behind it. */
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
