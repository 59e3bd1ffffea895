import {
  type DuckDBDataChunk,
  DuckDBDecimalType,
  DuckDBListType,
  type DuckDBResult,
  DuckDBStructType,
  DuckDBTimestampTZValue,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api'
import { formatMicros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { Row, RowValue } from '../../schema.ts'
import {
  aligned,
  isPresent,
  listChild,
  type RawVector,
  rawData,
  rawTexts,
  rawValidity,
  rawVector,
  structChild,
} from './raw-vectors.ts'
import { rowValue } from './row-values.ts'

/*
 * Rows from DuckDB's own vectors: a few native calls per column instead of some per value, which took most of the time of a page.
 * The result equals that of row-values.ts, which also reads the types without a reader here.
 */

/** Reads a vector's rows in the row form. */
type ReadVector = (vector: RawVector, rows: number) => RowValue[]

/** Yields the rows of a result, chunk by chunk. */
export async function* resultRows(result: DuckDBResult): AsyncGenerator<Row[]> {
  const names = result.deduplicatedColumnNames()
  const readers = result.columnTypes().map(readerOf)
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    yield chunkRows(chunk, names, readers)
  }
}

function chunkRows(chunk: DuckDBDataChunk, names: readonly string[], readers: readonly (ReadVector | null)[]): Row[] {
  const columns = readers.map((read, column) =>
    read === null ? chunk.getColumnValues(column).map(rowValue) : read(rawVector(chunk, column), chunk.rowCount),
  )
  return objectsOf(names, columns, chunk.rowCount)
}

function objectsOf(
  names: readonly string[],
  columns: readonly RowValue[][],
  count: number,
): Record<string, RowValue>[] {
  return eachRow(count, (row) => {
    const object: Record<string, RowValue> = {}
    for (let column = 0; column < names.length; column += 1) object[names[column]!] = columns[column]![row]!
    return object
  })
}

function eachRow<T>(count: number, of: (row: number) => T): T[] {
  const all = new Array<T>(count)
  for (let row = 0; row < count; row += 1) all[row] = of(row)
  return all
}

/** Returns the reader of a type; null: values of the type, or of a type within it, are read one by one. */
function readerOf(type: DuckDBType): ReadVector | null {
  if (type instanceof DuckDBDecimalType) return decimalReader(type)
  if (type instanceof DuckDBListType) return listReader(type)
  if (type instanceof DuckDBStructType) return structReader(type)
  return READERS[type.typeId] ?? null
}

const READERS: Partial<Record<DuckDBTypeId, ReadVector>> = {
  [DuckDBTypeId.BOOLEAN]: present(1, (data) => (row) => data[row] === 1),
  [DuckDBTypeId.TINYINT]: present(1, ({ buffer, byteOffset, length }) => at(new Int8Array(buffer, byteOffset, length))),
  [DuckDBTypeId.SMALLINT]: present(2, (data) => at(int16s(data))),
  [DuckDBTypeId.INTEGER]: present(4, (data) => at(int32s(data))),
  [DuckDBTypeId.BIGINT]: present(8, (data) => {
    const values = int64s(data)
    return (row) => rowValue(values[row]!)
  }),
  [DuckDBTypeId.DOUBLE]: present(8, ({ buffer, byteOffset, length }) => {
    const values = new Float64Array(buffer, byteOffset, length / 8)
    return (row) => rowValue(values[row]!)
  }),
  [DuckDBTypeId.TIMESTAMP_TZ]: present(8, instants),
  [DuckDBTypeId.VARCHAR]: texts,
}

/** Creates a reader of values of `width` bytes: `open` gets the bytes and returns the reader of a present row's value. */
function present(width: number, open: (data: Data) => (row: number) => RowValue): ReadVector {
  return (vector, rows) => {
    const validity = rawValidity(vector, rows)
    const read = open(aligned(rawData(vector, rows, width)) as Data)
    return eachRow(rows, (row) => (isPresent(validity, row) ? read(row) : null))
  }
}

type Data = Uint8Array<ArrayBuffer>

const at = (values: ArrayLike<number>) => (row: number) => values[row]!
const int16s = ({ buffer, byteOffset, length }: Data) => new Int16Array(buffer, byteOffset, length / 2)
const int32s = ({ buffer, byteOffset, length }: Data) => new Int32Array(buffer, byteOffset, length / 4)
const int64s = ({ buffer, byteOffset, length }: Data) => new BigInt64Array(buffer, byteOffset, length / 8)

function decimalReader({ width, scale }: DuckDBDecimalType): ReadVector {
  if (width <= 4) return present(2, (data) => scaledNumbers(int16s(data), scale))
  if (width <= 9) return present(4, (data) => scaledNumbers(int32s(data), scale))
  if (width <= 18) {
    return present(8, (data) => {
      const values = int64s(data)
      return (row) => fromScaled(values[row]!, scale)
    })
  }
  return present(16, (data) => {
    const halves = int64s(data)
    return (row) => fromScaled((halves[row * 2 + 1]! << 64n) | BigInt.asUintN(64, halves[row * 2]!), scale)
  })
}

function scaledNumbers(values: ArrayLike<number>, scale: number): (row: number) => RowValue {
  return (row) => fromScaled(BigInt(values[row]!), scale)
}

/** Reads microseconds; instants beyond exact numbers, and infinity, are read by row-values.ts. */
function instants(data: Data): (row: number) => RowValue {
  const halves = int32s(data)
  const values = int64s(data)
  return (row) => {
    const high = halves[row * 2 + 1]!
    if (high >= 2 ** 21 || high < -(2 ** 21)) return rowValue(new DuckDBTimestampTZValue(values[row]!))
    return instantOf(high * 2 ** 32 + (halves[row * 2]! >>> 0))
  }
}

/** RFC 3339 has no years before 0. */
const FIRST_YEAR = -62_167_219_200_000_000

function instantOf(micros: number): RowValue {
  return micros < FIRST_YEAR ? rowValue(new DuckDBTimestampTZValue(BigInt(micros))) : formatMicros(micros)
}

function texts(vector: RawVector, rows: number): RowValue[] {
  const validity = rawValidity(vector, rows)
  const { bytes, start, length } = rawTexts(vector, rows, validity)
  const { buffer, byteOffset, length: size } = bytes
  const text = Buffer.from(buffer as ArrayBuffer, byteOffset, size)
  return eachRow(rows, (row) =>
    isPresent(validity, row) ? text.toString('utf8', start[row]!, start[row]! + length[row]!) : null,
  )
}

/** Reads lists: an entry has the offset and the number of a row's items, 8 bytes each. */
function listReader({ valueType }: DuckDBListType): ReadVector | null {
  const readItems = readerOf(valueType)
  if (readItems === null) return null
  const open = (values: RowValue[]) => (data: Data) => {
    const entries = int32s(data)
    return (row: number) => values.slice(entries[row * 4]!, entries[row * 4]! + entries[row * 4 + 2]!)
  }
  return (vector, rows) => {
    const { vector: child, items } = listChild(vector)
    return present(16, open(readItems(child, items)))(vector, rows)
  }
}

function structReader({ entryNames, entryTypes }: DuckDBStructType): ReadVector | null {
  const readers = entryTypes.map(readerOf)
  if (readers.includes(null)) return null
  return (vector, rows) => {
    const validity = rawValidity(vector, rows)
    const columns = readers.map((read, field) => read!(structChild(vector, field), rows))
    return objectsOf(entryNames, columns, rows).map((object, row) => (isPresent(validity, row) ? object : null))
  }
}
