import {
  DuckDBArrayValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBUnionValue,
  type DuckDBValue,
} from '@duckdb/node-api'
import { formatMicros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { RowValue } from '../../schema.ts'

/**
 * Converts one value of a query result to the row form: decimals to decimal strings of their full scale, instants to canonical
 * RFC 3339 text, integers to numbers, or to text beyond 2^53, lists to arrays, structs to objects, a map to a list of
 * {key, value}. Other types (intervals, dates, uuids ...) become DuckDB's text. A DOUBLE stays a number; one that is not finite
 * becomes text, because JSON has no such number.
 */
export function rowValue(value: DuckDBValue): RowValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return integerValue(value)
  if (value instanceof DuckDBDecimalValue) return fromScaled(value.value, value.scale)
  if (value instanceof DuckDBTimestampTZValue) return instantValue(value)
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(rowValue)
  if (value instanceof DuckDBStructValue) return structRow(value.entries)
  if (value instanceof DuckDBMapValue) {
    return value.entries.map((entry) => ({ key: rowValue(entry.key), value: rowValue(entry.value) }))
  }
  if (value instanceof DuckDBUnionValue) return rowValue(value.value)
  return String(value)
}

function structRow(entries: Readonly<Record<string, DuckDBValue>>): RowValue {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, rowValue(value)]))
}

function integerValue(value: bigint): RowValue {
  const small = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
  return small ? Number(value) : value.toString()
}

/** Years outside 0000 to 9999 have no RFC 3339 text; they use DuckDB's text, as does infinity. */
const FIRST_YEAR = -62_167_219_200_000_000n
const LAST_YEAR = 253_402_300_799_999_999n

function instantValue(value: DuckDBTimestampTZValue): RowValue {
  const plain = value.micros >= FIRST_YEAR && value.micros <= LAST_YEAR
  return plain ? instantText(value.micros) : value.toString()
}

/** After 2255 microseconds exceed a safe integer, so whole seconds and the rest are formatted separately. */
function instantText(micros: bigint): string {
  if (micros >= BigInt(Number.MIN_SAFE_INTEGER) && micros <= BigInt(Number.MAX_SAFE_INTEGER)) {
    return formatMicros(Number(micros))
  }
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((micros - rest) / 1000n)).toISOString().slice(0, 19)
  return `${seconds}${formatMicros(Number(rest)).slice(19)}`
}
