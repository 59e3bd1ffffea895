import { DuckDBListType, DuckDBStructType, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'
import type { Row, RowValue } from '../schema.ts'

/** Types of integers that a double does not hold exactly. A row has a value beyond 2^53 as a text. */
const WIDE: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
])

/** Tests whether values of a type may have an integer beyond 2^53. */
export function hasWideInteger(type: DuckDBType): boolean {
  if (type instanceof DuckDBListType) return hasWideInteger(type.valueType)
  if (type instanceof DuckDBStructType) return type.entryTypes.some(hasWideInteger)
  return WIDE.has(type.typeId)
}

/** Returns the writer of rows as JSON in which a column of integers has numbers alone, with all their digits. */
export function exactLine(names: readonly string[], types: readonly DuckDBType[]): (row: Row) => string {
  const fields = names.map((name, at) => ({ name, type: types[at]!, key: `${JSON.stringify(name)}:` }))
  return (row) => `{${fields.map(({ name, type, key }) => key + exactJson(row[name] ?? null, type)).join(',')}}`
}

function exactJson(value: RowValue, type: DuckDBType): string {
  if (value === null || !hasWideInteger(type)) return JSON.stringify(value)
  if (type instanceof DuckDBListType)
    return `[${(value as readonly RowValue[]).map((item) => exactJson(item, type.valueType)).join(',')}]`
  if (!(type instanceof DuckDBStructType)) return String(value)
  const row = value as Row
  return exactLine(type.entryNames, type.entryTypes)(row)
}
