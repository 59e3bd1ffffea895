import { Bool, type Data, type DataType, Field, List, makeData, Struct } from 'apache-arrow'
import { ServiceError } from '../../primitives/errors.ts'
import { pow10 } from '../../primitives/scaled.ts'
import {
  aligned,
  isPresent,
  listChild,
  type RawVector,
  rawData,
  rawTexts,
  rawValidity,
  structChild,
} from '../duckdb/read/raw-vectors.ts'
import { GrowingBits, GrowingBytes, GrowingOffsets } from './growing.ts'

/** Collects the vectors of one result column as Arrow data, batch by batch. */
export type ArrowColumn = {
  readonly type: DataType
  /** Appends the rows of a vector: all `rows`, or those of `selection` in its order. */
  append(vector: RawVector, rows: number, selection: Uint32Array | null): void
  /** Bytes of texts in the batch, which Arrow addresses by 32 bits. */
  textBytes(): number
  /** Returns the batch as views that are valid until the next `append`, and starts the next one. */
  take(): Data
}

/** Conversion of the bytes of a DuckDB value to those of an Arrow value. */
export type Encoding = {
  /** Bytes of a value in DuckDB's vector. */
  readonly width: number
  /** Appends the values in Arrow's form; default: the same bytes. */
  readonly append?: (to: GrowingBytes, values: Uint8Array) => void
  /** Array type of Arrow's JavaScript form. */
  readonly view: new (
    buffer: ArrayBuffer,
    offset: number,
    length: number,
  ) => ArrayBufferView
}

/** Creates a column of values of one width: integers, decimals, instants, dates, floats. */
export function fixedColumn(type: DataType, { width, append, view }: Encoding): ArrowColumn {
  const present = new GrowingBits()
  const values = new GrowingBytes()
  return {
    type,
    append(vector, rows, selection) {
      const validity = rawValidity(vector, rows)
      const data = selected(rawData(vector, rows, width), width, selection)
      clearNulls(data, width, validity, selection)
      present.appendValidity(validity, rows, selection)
      if (append === undefined) values.append(data)
      else append(values, data)
    },
    textBytes: () => 0,
    take() {
      const data = values.take()
      const unit = (view as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT
      const array = new view(data.buffer as ArrayBuffer, data.byteOffset, data.length / unit)
      return dataOf({ type, data: array, ...nulls(present) })
    },
  }
}

/** Creates a column of booleans, one bit per row. */
export function booleanColumn(): ArrowColumn {
  const type = new Bool()
  const present = new GrowingBits()
  const values = new GrowingBits()
  return {
    type,
    append(vector, rows, selection) {
      const validity = rawValidity(vector, rows)
      const data = selected(rawData(vector, rows, 1), 1, selection)
      clearNulls(data, 1, validity, selection)
      present.appendValidity(validity, rows, selection)
      for (const value of data) values.append(value !== 0)
    },
    textBytes: () => 0,
    take: () => dataOf({ type, data: values.take().bits, ...nulls(present) }),
  }
}

/** Creates a column of texts or blobs: all bytes joined, and the start of each. */
export function textColumn(type: DataType): ArrowColumn {
  const present = new GrowingBits()
  const offsets = new GrowingOffsets()
  const texts = new GrowingBytes()
  return {
    type,
    append(vector, rows, selection) {
      const validity = rawValidity(vector, rows)
      const { bytes, start, length } = rawTexts(vector, rows, validity)
      const count = selection?.length ?? rows
      const at = offsets.reserve(count)
      const { ends } = offsets
      let from = 0
      let to = 0
      for (let n = 0; n < count; n += 1) {
        const row = selection === null ? n : selection[n]!
        const size = length[row]!
        ends[at + n] = ends[at + n - 1]! + size
        if (start[row] !== to && size > 0) {
          texts.appendRange(bytes, from, to)
          from = start[row]!
          to = from
        }
        to += size
      }
      texts.appendRange(bytes, from, to)
      present.appendValidity(validity, rows, selection)
    },
    textBytes: () => texts.length,
    take: () => dataOf({ type, valueOffsets: offsets.take(), data: texts.take(), ...nulls(present) }),
  }
}

/** Creates a column of lists: the items of all rows joined, and the start of each row. */
export function listColumn(child: ArrowColumn): ArrowColumn {
  const type = new List(new Field('item', child.type, true))
  const present = new GrowingBits()
  const offsets = new GrowingOffsets()
  return {
    type,
    append(vector, rows, selection) {
      const validity = rawValidity(vector, rows)
      const { vector: items, items: item_count } = listChild(vector)
      const lists = listRanges(vector, rows, validity)
      const chosen = itemSelection(lists, rows, selection)
      offsets.append(chosen.lengths)
      const all = chosen.items.length === item_count && chosen.items.every((item, n) => item === n)
      if (item_count > 0) child.append(items, item_count, all ? null : chosen.items)
      present.appendValidity(validity, rows, selection)
    },
    textBytes: child.textBytes,
    take: () => dataOf({ type, valueOffsets: offsets.take(), child: child.take(), ...nulls(present) }),
  }
}

/** Creates a column of structs, with one child column per field in the order of `names`. */
export function structColumn(names: readonly string[], children: readonly ArrowColumn[]): ArrowColumn {
  const type = new Struct(names.map((name, n) => new Field(name, children[n]!.type, true)))
  const present = new GrowingBits()
  return {
    type,
    append(vector, rows, selection) {
      for (const [n, child] of children.entries()) child.append(structChild(vector, n), rows, selection)
      present.appendValidity(rawValidity(vector, rows), rows, selection)
    },
    textBytes: () => Math.max(0, ...children.map((child) => child.textBytes())),
    take: () => dataOf({ type, children: children.map((child) => child.take()), ...nulls(present) }),
  }
}

/** Appends integers of 2, 4 or 8 bytes, sign-extended to the 16 of a Decimal128. */
export function appendWide(width: 2 | 4 | 8) {
  return (to: GrowingBytes, values: Uint8Array): void => {
    const { buffer, byteOffset, byteLength } = aligned(values)
    const count = byteLength / width
    const of = width === 2 ? Int16Array : Int32Array
    const narrow = new of(buffer as ArrayBuffer, byteOffset, width === 8 ? count * 2 : count)
    const at = to.reserve(count * 16)
    const wide = new Int32Array(to.bytes.buffer, at, count * 4)
    for (let row = 0; row < count; row += 1) {
      const low = width === 8 ? narrow[row * 2]! : narrow[row]!
      const high = width === 8 ? narrow[row * 2 + 1]! : low >> 31
      wide[row * 4] = low
      wide[row * 4 + 1] = high
      wide[row * 4 + 2] = high >> 31
      wide[row * 4 + 3] = high >> 31
    }
  }
}

/** Highest of the four words of 10^38: values with a smaller word have at most 38 digits, others are checked. */
const HIGHEST_WORD = 1_262_177_448

/** Appends HUGEINTs, which have the bytes of a Decimal128; one of 39 digits does not fit. */
export function appendHuge(to: GrowingBytes, values: Uint8Array): void {
  const { buffer, byteOffset, byteLength } = aligned(values)
  const view = new DataView(buffer, byteOffset, byteLength)
  for (let at = 0; at < byteLength; at += 16) {
    const word = view.getInt32(at + 12, true)
    if (word < HIGHEST_WORD && word > -HIGHEST_WORD) continue
    const value = (view.getBigInt64(at + 8, true) << 64n) + view.getBigUint64(at, true)
    if (value >= pow10(38) || value <= -pow10(38)) throw tooWide()
  }
  to.append(values)
}

function tooWide(): ServiceError {
  return new ServiceError(
    'VALIDATION_SQL_REFUSED',
    'an integer has more than 38 digits, which format arrow does not have; allowed: cast it to varchar',
    { seen: 'HUGEINT' },
  )
}

function selected(data: Uint8Array, width: number, selection: Uint32Array | null): Uint8Array {
  if (selection === null) return data
  const chosen = new Uint8Array(selection.length * width)
  for (const [n, row] of selection.entries()) chosen.set(data.subarray(row * width, (row + 1) * width), n * width)
  return chosen
}

/** Clears the undefined bytes of nulls, so that equal results give equal files. */
function clearNulls(data: Uint8Array, width: number, validity: Uint8Array | null, selection: Uint32Array | null): void {
  if (validity === null) return
  const count = data.length / width
  for (let n = 0; n < count; n += 1) {
    const row = selection === null ? n : selection[n]!
    if ((row & 7) === 0 && selection === null && validity[row >> 3] === 0xff) n += 7
    else if (!isPresent(validity, row)) for (let byte = 0; byte < width; byte += 1) data[n * width + byte] = 0
  }
}

type ListRanges = { readonly offset: Float64Array; readonly length: Float64Array }

/** Ranges of each row's items in the child vector; a null row has none. */
function listRanges(vector: RawVector, rows: number, validity: Uint8Array | null): ListRanges {
  const data = aligned(rawData(vector, rows, 16))
  const words = new Uint32Array(data.buffer, data.byteOffset, rows * 4)
  const offset = new Float64Array(rows)
  const length = new Float64Array(rows)
  for (let row = 0; row < rows; row += 1) {
    if (!isPresent(validity, row)) continue
    offset[row] = words[row * 4]! + words[row * 4 + 1]! * 2 ** 32
    length[row] = words[row * 4 + 2]! + words[row * 4 + 3]! * 2 ** 32
  }
  return { offset, length }
}

function itemSelection({ offset, length }: ListRanges, rows: number, selection: Uint32Array | null) {
  const chosen = selection ?? Uint32Array.from({ length: rows }, (_, row) => row)
  const lengths = Array.from(chosen, (row) => length[row]!)
  const items = new Uint32Array(lengths.reduce((sum, count) => sum + count, 0))
  let n = 0
  for (const row of chosen) {
    for (let item = 0; item < length[row]!; item += 1, n += 1) items[n] = offset[row]! + item
  }
  return { lengths, items }
}

function nulls(present: GrowingBits) {
  const length = present.length
  const { bits, zeros } = present.take()
  return { length, nullCount: zeros, ...(zeros === 0 ? {} : { nullBitmap: bits }) }
}

/** `makeData` has one signature per type; our types are known at run time only. */
function dataOf(parts: object): Data {
  return (makeData as unknown as (parts: object) => Data)(parts)
}
