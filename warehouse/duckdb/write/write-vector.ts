import duckdb, { type Vector } from '@duckdb/node-bindings'
import { InvariantError } from '../../../primitives/errors.ts'
import { isMicros, microsOf } from '../../../primitives/instants.ts'
import { pow10, toScaled } from '../../../primitives/scaled.ts'
import { decimalLimits, scaledNumber } from '../../../primitives/scaled-number.ts'
import { type ColumnType, duckdbType, type RowValue } from '../../schema.ts'

/** Column path for messages, such as `index_observation.inputs[].weight_applied`. */
type Where = string

/**
 * Checks values against a column type and copies them into a DuckDB vector: whole typed arrays for fixed-width types, child
 * vectors for lists and structs. DuckDB would silently round a decimal that does not fit, so every value is checked here.
 *
 * @param values  one per row, null or undefined = no value; at most the vector's capacity
 * @returns the number of rows without a value
 * @throws {InvariantError} names table, column and value of the first one that does not fit the type exactly
 */
export function writeVector(vector: Vector, type: ColumnType, values: readonly RowValue[], where: Where): number {
  const nulls = writeValidity(vector, values)
  if (type === 'VARCHAR') writeTexts(vector, values, where)
  else if (type === 'INTEGER') copyFixed(vector, fill(new Int32Array(values.length), values, integerOf(where)))
  else if (type === 'BIGINT') copyFixed(vector, fill(new BigInt64Array(values.length), values, bigintOf(where)))
  else if (type === 'BOOLEAN') copyFixed(vector, fill(new Uint8Array(values.length), values, booleanOf(where)))
  else if (type === 'TIMESTAMPTZ') copyFixed(vector, fill(new BigInt64Array(values.length), values, microsFor(where)))
  else if (type.kind === 'decimal') writeDecimals(vector, type, values, where)
  else if (type.kind === 'list') writeLists(vector, type.item, values, where)
  else writeStructs(vector, type.fields, values, where)
  return nulls
}

/** @returns the number of rows without a value */
function writeValidity(vector: Vector, values: readonly RowValue[]): number {
  let nulls = 0
  let mask: Uint8Array | null = null
  for (let i = 0; i < values.length; i++) {
    if (values[i] !== null && values[i] !== undefined) continue
    mask ??= new Uint8Array(Math.ceil(values.length / 64) * 8).fill(255)
    mask[i >> 3]! &= ~(1 << (i & 7))
    nulls++
  }
  if (mask === null) return nulls
  duckdb.vector_ensure_validity_writable(vector)
  duckdb.copy_data_to_vector_validity(vector, 0, mask.buffer as ArrayBuffer, 0, mask.byteLength)
  return nulls
}

type Fixed = Int32Array | BigInt64Array | Uint8Array

function fill<A extends Fixed>(target: A, values: readonly RowValue[], convert: (value: RowValue) => A[number]): A {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value !== null && value !== undefined) target[i] = convert(value)
  }
  return target
}

/** Copies a whole typed array into a fixed-width vector. */
export function copyFixed(vector: Vector, source: Fixed): void {
  duckdb.copy_data_to_vector(vector, 0, source.buffer as ArrayBuffer, 0, source.byteLength)
}

function writeTexts(vector: Vector, values: readonly RowValue[], where: Where): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value !== null && value !== undefined) writeText(vector, i, value, where)
  }
}

/** Writes one text into a VARCHAR vector. @throws {InvariantError} it is not a text, or not well-formed */
function writeText(vector: Vector, row: number, value: RowValue, where: Where): void {
  if (typeof value !== 'string') throw refused(where, value, 'text')
  if (SPECIAL_TEXT.test(value)) assignSpecial(vector, row, value, where)
  else duckdb.vector_assign_string_element(vector, row, value)
}

/** Texts that need a closer look: a zero byte, at which the plain call stops, or a surrogate, which may be unpaired. */
export const SPECIAL_TEXT = /[\0\ud800-\udfff]/
export const LONE_SURROGATE = /\p{Surrogate}/u

function assignSpecial(vector: Vector, i: number, value: string, where: Where): void {
  if (LONE_SURROGATE.test(value)) throw refused(where, value, 'well-formed text')
  duckdb.vector_assign_string_element_len(vector, i, Buffer.from(value))
}

function integerOf(where: Where) {
  return (value: RowValue): number => {
    if (typeof value !== 'number' || (value | 0) !== value) throw refused(where, value, 'a 32-bit integer')
    return value
  }
}

function bigintOf(where: Where) {
  return (value: RowValue): bigint => {
    if (!Number.isSafeInteger(value)) throw refused(where, value, 'an integer of at most 53 bits')
    return BigInt(value as number)
  }
}

function booleanOf(where: Where) {
  return (value: RowValue): number => {
    if (typeof value !== 'boolean') throw refused(where, value, 'true or false')
    return value ? 1 : 0
  }
}

function microsFor(where: Where) {
  return (value: RowValue): bigint => {
    if (isMicros(value)) return BigInt(value)
    const micros = typeof value === 'string' && value.endsWith('Z') ? microsOf(value) : null
    if (micros === null) throw refused(where, value, 'an RFC 3339 instant in UTC such as 2026-01-17T00:00:00Z')
    return BigInt(micros)
  }
}

export type DecimalType = { readonly width: number; readonly scale: number }

function writeDecimals(vector: Vector, type: DecimalType, values: readonly RowValue[], where: Where): void {
  const step = decimalWords(type) * 2
  const [target, limits] = [new Int32Array(values.length * step), decimalLimits(type)]
  for (let i = 0, at = 0; i < values.length; i++, at += step) {
    const value = values[i]
    if (value === null || value === undefined) continue
    const number = typeof value === 'string' ? scaledNumber(value, limits) : Number.NaN
    if (Number.isNaN(number)) setWide(target, at, step, scaledOf(value, type, where))
    else {
      setWord(target, at, number)
      if (step === 4 && number < 0) target.fill(-1, at + 2, at + 4)
    }
  }
  copyFixed(vector, target)
}

const WORD = 2 ** 32

/** Writes an integer of at most 53 bits as a 64-bit word in pieces of 32 bits, least significant first. */
export function setWord(pieces: Int32Array, at: number, number: number): void {
  pieces[at] = number | 0
  // Prices and quantities are mostly below 2^31, and a division takes as long as the rest of this function.
  pieces[at + 1] = (number | 0) === number && number >= 0 ? 0 : Math.floor(number / WORD)
}

/** Writes any scaled integer in `step` pieces. */
export function setWide(pieces: Int32Array, at: number, step: number, scaled: bigint): void {
  for (let n = 0; n < step; n++) pieces[at + n] = Number(BigInt.asIntN(32, scaled >> BigInt(n * 32)))
}

/** Returns the number of 64-bit words that DuckDB stores a decimal in. No table has narrower ones (width up to 9). */
export function decimalWords(type: DecimalType): 1 | 2 {
  if (type.width > 9 && type.width <= 38) return type.width <= 18 ? 1 : 2
  throw new InvariantError(`decimal width is ${type.width}; allowed: 10 to 38`)
}

/** Parses a decimal text to its scaled integer. @throws {InvariantError} it does not fit the type exactly */
export function scaledOf(value: RowValue, type: DecimalType, where: Where): bigint {
  let scaled: bigint | null = null
  try {
    scaled = typeof value === 'string' ? toScaled(value, type.scale) : null
  } catch {
    // named below, with its table and column
  }
  const limit = pow10(type.width)
  if (scaled !== null && scaled < limit && scaled > -limit) return scaled
  const whole = type.width - type.scale
  throw refused(where, value, `a decimal string of at most ${whole} digits before and ${type.scale} after the point`)
}

function writeLists(vector: Vector, item: ColumnType, values: readonly RowValue[], where: Where): void {
  const entries = new Int32Array(values.length * 4) // offset and length: the lower half of a word each
  const children: RowValue[] = []
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    entries[i * 4] = children.length
    if (value === null || value === undefined) continue
    if (!Array.isArray(value)) throw refused(where, value, `a list (${duckdbType(item)}[])`)
    entries[i * 4 + 2] = value.length
    for (let n = 0; n < value.length; n++) children.push(value[n] as RowValue)
  }
  duckdb.list_vector_reserve(vector, children.length)
  duckdb.list_vector_set_size(vector, children.length)
  writeVector(duckdb.list_vector_get_child(vector), item, children, `${where}[]`)
  copyFixed(vector, entries)
}

function writeStructs(
  vector: Vector,
  fields: Readonly<Record<string, ColumnType>>,
  values: readonly RowValue[],
  where: Where,
): void {
  const names = Object.keys(fields)
  const columns = names.map(() => new Array<RowValue>(values.length).fill(null))
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    if (value !== null && value !== undefined) takeStruct(value, names, columns, row, where)
  }
  names.forEach((name, n) => {
    writeVector(duckdb.struct_vector_get_child(vector, n), fields[name]!, columns[n]!, `${where}.${name}`)
  })
}

/** Reads the fields of a struct; usually they are in order, so that no lookup is needed. */
function takeStruct(value: RowValue, names: readonly string[], columns: RowValue[][], row: number, where: Where): void {
  if (typeof value !== 'object' || Array.isArray(value)) throw refused(where, value, 'an object')
  const struct = value as Readonly<Record<string, RowValue>>
  let next = 0
  for (const name in struct) {
    const column = name === names[next] ? next : names.indexOf(name)
    if (column < 0) throw refused(`${where}.${name}`, name, `the fields ${names.join(', ')}`)
    columns[column]![row] = struct[name]
    next += 1
  }
}

/** Builds the error for a value that does not fit its column. */
export function refused(where: Where, value: RowValue, allowed: string): InvariantError {
  return new InvariantError(`${where} is ${JSON.stringify(value)}; allowed: ${allowed}`)
}
