import type { Row, RowValue } from '../../warehouse/schema.ts'

/** Readers of warehouse rows: a missing value is null in a resource, never zero and never omitted. */

/** Fields that place a record in its correction chain. */
export const REVISION_FIELDS = ['revision', 'supersedes_id', 'correction_reason'] as const
/** Instants of a market record. */
export const CLOCK_FIELDS = ['source_at', 'received_at', 'published_at'] as const

/** Returns the text of a column that every row has. */
export function textOf(row: Row, field: string): string {
  return String(row[field])
}

/** Returns a text, or null if there is none. */
export function textOrNull(value: RowValue): string | null {
  return typeof value === 'string' ? value : null
}

/** Returns a flag; a missing one is false. */
export function booleanOf(value: RowValue): boolean {
  return value === true
}

/** Returns a list; a missing one is empty. */
function listOf(value: RowValue): readonly RowValue[] {
  return Array.isArray(value) ? value : []
}

/** Returns a list of texts; a missing one is empty. */
export function textsOf(value: RowValue): readonly string[] {
  return listOf(value) as readonly string[]
}

/** Returns a list of structs; a missing one is empty. */
export function rowsOf(value: RowValue): readonly Row[] {
  return listOf(value) as readonly Row[]
}

/** Returns a struct, or null if there is none. */
export function rowOrNull(value: RowValue): Row | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null
}

/** Returns the named fields of a row in this order; a missing one is null. */
export function fieldsOf<F extends string>(row: Row, fields: readonly F[]): { [K in F]: RowValue } {
  const picked = {} as { [K in F]: RowValue }
  for (const field of fields) picked[field] = row[field] ?? null
  return picked
}

/** Returns the ids of a market's outcomes, in its own order. */
export function outcomeIdsOf(market: Row): string[] {
  return rowsOf(market.outcomes).map((outcome) => String(outcome.outcome_id))
}
