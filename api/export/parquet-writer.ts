import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { binary, i32, i64, list, struct, varint } from './thrift.ts'

/**
 * Writes a Parquet file piece by piece: a row group for each batch, then the footer. DuckDB writes such files only to disk; an
 * answer over HTTP is streamed, and what stays in memory is one batch and the footer's entries.
 *
 * Format: github.com/apache/parquet-format. Every column is optional, plainly encoded, one gzip page in each row group.
 */

/** Type of a column: text (UTF-8), a whole number of 64 bits, or a flag. */
export type ParquetType = 'text' | 'integer' | 'boolean'
export type ParquetColumn = { readonly name: string; readonly type: ParquetType }
/** Value of a cell; null: missing. */
export type ParquetValue = string | number | boolean | null

const PHYSICAL: Readonly<Record<ParquetType, number>> = { boolean: 0, integer: 2, text: 6 }
const OPTIONAL = 1
const UTF8 = 0
const PLAIN = 0
const RLE = 3
const GZIP = 2
const GZIP_LEVEL = 4
const compress = promisify(gzip)
const MAGIC = Buffer.from('PAR1', 'latin1')
const CREATED_BY = 'tidemark'

/** Writer of one file; pieces are returned in the order of the file. */
export type ParquetWriter = {
  head(): Buffer
  /** Returns the row group of some rows; each row has a value for each column. */
  rowGroup(rows: readonly (readonly ParquetValue[])[]): Promise<Buffer>
  foot(): Buffer
}

/** Creates the writer of a file with these columns. */
export function parquetWriter(columns: readonly ParquetColumn[]): ParquetWriter {
  const groups: Buffer[] = []
  let offset = 0
  let row_count = 0
  const placed = (piece: Buffer): Buffer => {
    offset += piece.length
    return piece
  }
  return {
    head: () => placed(MAGIC),
    async rowGroup(rows) {
      const chunks = await Promise.all(columns.map((column, place) => chunkOf(column, rows, place)))
      let at = offset
      const entries = chunks.map(({ bytes, plain_bytes }, place) => {
        const entry = columnChunk(columns[place]!, rows.length, { at, bytes: bytes.length, plain_bytes })
        at += bytes.length
        return entry
      })
      const plain = chunks.reduce((sum, { plain_bytes }) => sum + plain_bytes, 0)
      groups.push(struct({ 1: list('struct', entries), 2: i64(plain), 3: i64(rows.length) }).bytes)
      row_count += rows.length
      return placed(Buffer.concat(chunks.map(({ bytes }) => bytes)))
    },
    foot() {
      const footer = struct({
        1: i32(1),
        2: list('struct', [rootElement(columns.length), ...columns.map(schemaElement)]),
        3: i64(row_count),
        4: list('struct', groups),
        6: binary(CREATED_BY),
      }).bytes
      const length = Buffer.alloc(4)
      length.writeUInt32LE(footer.length)
      return placed(Buffer.concat([footer, length, MAGIC]))
    },
  }
}

function rootElement(children: number): Buffer {
  return struct({ 4: binary('schema'), 5: i32(children) }).bytes
}

function schemaElement({ name, type }: ParquetColumn): Buffer {
  const text = type === 'text' ? { 6: i32(UTF8) } : {}
  return struct({ 1: i32(PHYSICAL[type]), 3: i32(OPTIONAL), 4: binary(name), ...text }).bytes
}

type Chunk = { readonly bytes: Buffer; readonly plain_bytes: number }

/** Returns a column's page of one row group, with its header. */
async function chunkOf(
  { type }: ParquetColumn,
  rows: readonly (readonly ParquetValue[])[],
  place: number,
): Promise<Chunk> {
  const values = rows.map((row) => row[place] ?? null)
  const present = values.filter((value) => value !== null)
  const plain = Buffer.concat([definitionLevels(values), encoded(type, present)])
  const page = await compress(plain, { level: GZIP_LEVEL })
  const data_page = struct({ 1: i32(values.length), 2: i32(PLAIN), 3: i32(RLE), 4: i32(RLE) })
  const header = struct({ 1: i32(0), 2: i32(plain.length), 3: i32(page.length), 5: data_page }).bytes
  return { bytes: Buffer.concat([header, page]), plain_bytes: header.length + plain.length }
}

function columnChunk(
  { name, type }: ParquetColumn,
  count: number,
  { at, bytes, plain_bytes }: { readonly at: number; readonly bytes: number; readonly plain_bytes: number },
): Buffer {
  const metadata = struct({
    1: i32(PHYSICAL[type]),
    2: list('i32', [i32(PLAIN).bytes, i32(RLE).bytes]),
    3: list('binary', [binary(name).bytes]),
    4: i32(GZIP),
    5: i64(count),
    6: i64(plain_bytes),
    7: i64(bytes),
    9: i64(at),
  })
  return struct({ 2: i64(at), 3: metadata }).bytes
}

/** Returns one bit for each value, 1 where there is one, as a bit-packed run behind its length. */
function definitionLevels(values: readonly ParquetValue[]): Buffer {
  const bits = bitsOf(values.map((value) => value !== null))
  const run = Buffer.concat([varint((bits.length << 1) | 1), bits])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(run.length)
  return Buffer.concat([length, run])
}

function encoded(type: ParquetType, values: readonly ParquetValue[]): Buffer {
  if (type === 'boolean') return bitsOf(values as readonly boolean[])
  if (type === 'integer') {
    const out = Buffer.alloc(values.length * 8)
    for (const [place, value] of values.entries()) out.writeBigInt64LE(BigInt(value as number), place * 8)
    return out
  }
  const texts = values.map((value) => Buffer.from(String(value), 'utf8'))
  return Buffer.concat(texts.flatMap((text) => [lengthOf(text), text]))
}

function lengthOf(text: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return length
}

/** Packs flags into bytes, the first one into the lowest bit. */
function bitsOf(flags: readonly boolean[]): Buffer {
  const out = Buffer.alloc(Math.ceil(flags.length / 8))
  for (const [place, flag] of flags.entries()) if (flag) out[place >> 3]! |= 1 << (place & 7)
  return out
}
