import type { Row, RowValue } from '../../warehouse/schema.ts'

/** Reads of a warehouse row: what is missing there is null in a resource, never zero and never left out. */

/** Place of a record in its correction chain. */
export const REVISION_FIELDS = ['revision', 'supersedes_id', 'correction_reason'] as const
/** Instants of a market record. */
export const CLOCK_FIELDS = ['source_at', 'received_at', 'published_at'] as const

/** A column that every row has. */
export function textOf(row: Row, field: string): string {
  return String(row[field])
}

/** A text, or null where there is none. */
export function textOrNull(value: RowValue): string | null {
  return typeof value === 'string' ? value : null
}

/** True where the column says so; missing is false. */
export function booleanOf(value: RowValue): boolean {
  return value === true
}

/** A list; missing is an empty one. */
function listOf(value: RowValue): readonly RowValue[] {
  return Array.isArray(value) ? value : []
}

/** A list of texts; missing is an empty one. */
export function textsOf(value: RowValue): readonly string[] {
  return listOf(value) as readonly string[]
}

/** A list of structs; missing is an empty one. */
export function rowsOf(value: RowValue): readonly Row[] {
  return listOf(value) as readonly Row[]
}

/** A struct, or null where there is none. */
export function rowOrNull(value: RowValue): Row | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null
}

/** The named fields of a row in this order, null where it has none: objects whose columns are the resource's fields. */
export function fieldsOf<F extends string>(row: Row, fields: readonly F[]): { [K in F]: RowValue } {
  const picked = {} as { [K in F]: RowValue }
  for (const field of fields) picked[field] = row[field] ?? null
  return picked
}
