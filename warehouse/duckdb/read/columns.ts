import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBDecimalType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api'
import { InvariantError, invariant } from '../../../primitives/errors.ts'
import { bindings, type SqlParameters } from '../memory-database.ts'
import {
  aligned,
  isPresent,
  type RawTexts,
  type RawVector,
  rawData,
  rawTexts,
  rawValidity,
  rawVector,
} from './raw-vectors.ts'

/**
 * One column of a large result as a typed array; index r of every column belongs to row r.
 *   integer  BIGINT, INTEGER and smaller, DECIMAL up to 18 digits: the value times 10^scale. null: 0 with valid[r] = 0
 *   instant  TIMESTAMPTZ or TIMESTAMP: microseconds since 1970-01-01T00:00:00Z. null: NaN
 *   text     VARCHAR: an index into `dictionary`. null: -1
 *   boolean  0 or 1. null: 0 with valid[r] = 0
 *   float    DOUBLE or FLOAT. null: NaN
 */
export type Column =
  | {
      readonly kind: 'integer'
      readonly scale: number
      readonly values: BigInt64Array
      readonly valid: Uint8Array | null
    }
  | { readonly kind: 'instant'; readonly values: Float64Array }
  | { readonly kind: 'text'; readonly codes: Int32Array; readonly dictionary: readonly string[] }
  | { readonly kind: 'boolean'; readonly values: Uint8Array; readonly valid: Uint8Array | null }
  | { readonly kind: 'float'; readonly values: Float64Array }

export type ColumnSet = { readonly row_count: number; readonly columns: Readonly<Record<string, Column>> }

/**
 * Runs a query and returns its columns as typed arrays, without a JavaScript value per cell.
 * Column types outside `Column` (lists, structs, wide decimals) are a bug of the caller: select others or use rows.
 */
export async function readColumns(
  connection: DuckDBConnection,
  sql: string,
  params: SqlParameters = {},
): Promise<ColumnSet> {
  const { values, types } = bindings(params)
  const result = await connection.stream(sql, values, types)
  const names = result.deduplicatedColumnNames()
  const builders = result.columnTypes().map((type, column) => builderFor(type, names[column]!))
  let row_count = 0
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    appendChunk(builders, chunk, row_count)
    row_count += chunk.rowCount
  }
  const columns = Object.fromEntries(names.map((name, column) => [name, builders[column]!.finish(row_count)]))
  return { row_count, columns }
}

/**
 * Converts an integer column to numbers, NaN for null.
 * @throws {InvariantError} a value beyond 2^53, which a number does not hold exactly
 */
export function scaledNumbers(column: Column): Float64Array {
  invariant(column.kind === 'integer', `scaledNumbers: the column is ${column.kind}, not integer`)
  const { values, valid } = column
  const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2)
  const numbers = new Float64Array(values.length)
  for (let row = 0; row < numbers.length; row += 1) {
    const high = halves[row * 2 + 1]!
    if (high >= 2 ** 21 || high < -(2 ** 21)) throw new InvariantError(`scaledNumbers: ${values[row]} is beyond 2^53`)
    numbers[row] = valid !== null && valid[row] === 0 ? Number.NaN : high * 2 ** 32 + (halves[row * 2]! >>> 0)
  }
  return numbers
}

type ColumnBuilder = { append(vector: RawVector, rows: number, at: number): void; finish(rows: number): Column }

function appendChunk(builders: readonly ColumnBuilder[], chunk: DuckDBDataChunk, at: number): void {
  for (let column = 0; column < builders.length; column += 1) {
    builders[column]!.append(rawVector(chunk, column), chunk.rowCount, at)
  }
}

/** Bytes per value of the integer types. */
const INTEGER_BYTES: Partial<Record<DuckDBTypeId, 1 | 2 | 4 | 8>> = {
  [DuckDBTypeId.TINYINT]: 1,
  [DuckDBTypeId.SMALLINT]: 2,
  [DuckDBTypeId.INTEGER]: 4,
  [DuckDBTypeId.BIGINT]: 8,
}

function builderFor(type: DuckDBType, name: string): ColumnBuilder {
  if (type instanceof DuckDBDecimalType && type.width <= 18) return integerBuilder(decimalBytes(type.width), type.scale)
  const bytes = INTEGER_BYTES[type.typeId]
  if (bytes !== undefined) return integerBuilder(bytes, 0)
  if (type.typeId === DuckDBTypeId.TIMESTAMP_TZ || type.typeId === DuckDBTypeId.TIMESTAMP) return instantBuilder()
  if (type.typeId === DuckDBTypeId.VARCHAR) return textBuilder()
  if (type.typeId === DuckDBTypeId.BOOLEAN) return booleanBuilder()
  if (type.typeId === DuckDBTypeId.DOUBLE) return floatBuilder(8)
  if (type.typeId === DuckDBTypeId.FLOAT) return floatBuilder(4)
  throw new InvariantError(`readColumns: ${name} is ${type}; read it as rows`)
}

function decimalBytes(width: number): 2 | 4 | 8 {
  if (width <= 4) return 2
  return width <= 9 ? 4 : 8
}

function integerBuilder(bytes: 1 | 2 | 4 | 8, scale: number): ColumnBuilder {
  let values = new BigInt64Array(0)
  const valid = validityBuilder()
  return {
    append(vector, rows, at) {
      values = grown(values, at + rows, BigInt64Array)
      copyIntegers(values, at, integersOf(rawData(vector, rows, bytes), bytes))
      valid.append(rawValidity(vector, rows), rows, at, (row) => {
        values[row] = 0n
      })
    },
    finish: (rows) => ({ kind: 'integer', scale, values: values.slice(0, rows), valid: valid.finish(rows) }),
  }
}

function integersOf(data: Uint8Array, bytes: 1 | 2 | 4 | 8) {
  const { buffer, byteOffset, byteLength } = aligned(data)
  const of = { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: BigInt64Array }[bytes]
  return new of(buffer as ArrayBuffer, byteOffset, byteLength / bytes)
}

function copyIntegers(to: BigInt64Array, at: number, from: BigInt64Array | Int32Array | Int16Array | Int8Array): void {
  if (from instanceof BigInt64Array) to.set(from, at)
  else for (let row = 0; row < from.length; row += 1) to[at + row] = BigInt(from[row]!)
}

function instantBuilder(): ColumnBuilder {
  let values = new Float64Array(0)
  return {
    append(vector, rows, at) {
      values = grown(values, at + rows, Float64Array)
      const data = aligned(rawData(vector, rows, 8))
      const halves = new Int32Array(data.buffer, data.byteOffset, rows * 2)
      const validity = rawValidity(vector, rows)
      for (let row = 0; row < rows; row += 1) {
        values[at + row] = isPresent(validity, row)
          ? halves[row * 2 + 1]! * 2 ** 32 + (halves[row * 2]! >>> 0)
          : Number.NaN
      }
    },
    finish: (rows) => ({ kind: 'instant', values: values.slice(0, rows) }),
  }
}

function floatBuilder(bytes: 4 | 8): ColumnBuilder {
  let values = new Float64Array(0)
  return {
    append(vector, rows, at) {
      values = grown(values, at + rows, Float64Array)
      const data = aligned(rawData(vector, rows, bytes))
      values.set(new (bytes === 8 ? Float64Array : Float32Array)(data.buffer as ArrayBuffer, data.byteOffset, rows), at)
      const validity = rawValidity(vector, rows)
      for (let row = 0; validity !== null && row < rows; row += 1) {
        if (!isPresent(validity, row)) values[at + row] = Number.NaN
      }
    },
    finish: (rows) => ({ kind: 'float', values: values.slice(0, rows) }),
  }
}

function booleanBuilder(): ColumnBuilder {
  let values = new Uint8Array(0)
  const valid = validityBuilder()
  return {
    append(vector, rows, at) {
      values = grown(values, at + rows, Uint8Array)
      values.set(rawData(vector, rows, 1), at)
      valid.append(rawValidity(vector, rows), rows, at, (row) => {
        values[row] = 0
      })
    },
    finish: (rows) => ({ kind: 'boolean', values: values.slice(0, rows), valid: valid.finish(rows) }),
  }
}

/** Encodes texts by a dictionary. A text equal to the one before it, the usual case in sorted files, is not decoded. */
function textBuilder(): ColumnBuilder {
  let codes = new Int32Array(0)
  const code_of = new Map<string, number>()
  const codeOf = (text: string): number => {
    const code = code_of.get(text) ?? code_of.size
    if (code === code_of.size) code_of.set(text, code)
    return code
  }
  return {
    append(vector, rows, at) {
      codes = grown(codes, at + rows, Int32Array)
      const validity = rawValidity(vector, rows)
      const texts = rawTexts(vector, rows, validity)
      const { buffer, byteOffset, length: size } = texts.bytes
      const text = Buffer.from(buffer as ArrayBuffer, byteOffset, size)
      const view = new DataView(buffer, byteOffset, size)
      let last = -1
      for (let row = 0; row < rows; row += 1) {
        const from = texts.start[row]!
        if (!isPresent(validity, row)) codes[at + row] = -1
        else if (last >= 0 && sameText(view, texts, last, row)) codes[at + row] = codes[at + last]!
        else codes[at + row] = codeOf(text.toString('utf8', from, from + texts.length[row]!))
        if (codes[at + row] !== -1) last = row
      }
    },
    finish: (rows) => ({ kind: 'text', codes: codes.slice(0, rows), dictionary: [...code_of.keys()] }),
  }
}

/** Compares from the end, four bytes at a time, because ids of one kind differ there and not in their prefix. */
function sameText(view: DataView, { start, length }: RawTexts, a: number, b: number): boolean {
  if (length[a] !== length[b]) return false
  const from = start[a]!
  const other = start[b]!
  let at = length[a]!
  for (; at >= 4; at -= 4) {
    if (view.getUint32(from + at - 4) !== view.getUint32(other + at - 4)) return false
  }
  for (at -= 1; at >= 0; at -= 1) {
    if (view.getUint8(from + at) !== view.getUint8(other + at)) return false
  }
  return true
}

/** Collects one byte per row, allocated only when a null is seen. */
function validityBuilder() {
  let valid: Uint8Array | null = null
  return {
    append(validity: Uint8Array | null, rows: number, at: number, clear: (row: number) => void) {
      if (validity === null && valid === null) return
      valid = grown(valid ?? new Uint8Array(at).fill(1), at + rows, Uint8Array)
      for (let row = 0; row < rows; row += 1) {
        const present = isPresent(validity, row)
        valid[at + row] = present ? 1 : 0
        if (!present) clear(at + row)
      }
    },
    finish: (rows: number): Uint8Array | null => valid?.slice(0, rows) ?? null,
  }
}

type TypedArray = BigInt64Array | Float64Array | Int32Array | Uint8Array

/** Returns the array itself if it has room, else a copy of at least twice its size. */
function grown<T extends TypedArray>(array: T, size: number, make: new (length: number) => T): T {
  if (array.length >= size) return array
  const larger = new make(Math.max(size, array.length * 2, 4096))
  larger.set(array as never)
  return larger
}
