import type { Row, RowValue } from '../../warehouse/schema.ts'

/** Reads of a warehouse row: what is missing there is null in a resource, never zero and never left out. */

export function textOf(row: Row, field: string): string {
  return String(row[field])
}

export function textOrNull(value: RowValue): string | null {
  return typeof value === 'string' ? value : null
}

export function numberOrNull(value: RowValue): number | null {
  return typeof value === 'number' ? value : null
}

export function booleanOf(value: RowValue): boolean {
  return value === true
}

export function listOf(value: RowValue): readonly RowValue[] {
  return Array.isArray(value) ? value : []
}

export function textsOf(value: RowValue): readonly string[] {
  return listOf(value) as readonly string[]
}

export function rowsOf(value: RowValue): readonly Row[] {
  return listOf(value) as readonly Row[]
}

export function rowOrNull(value: RowValue): Row | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null
}

/** The named fields of a row in this order, null where it has none: objects whose columns are the resource's fields. */
export function fieldsOf<F extends string>(row: Row, fields: readonly F[]): { [K in F]: RowValue } {
  const picked = {} as { [K in F]: RowValue }
  for (const field of fields) picked[field] = row[field] ?? null
  return picked
}
