import type { LoggedRecord } from '../../pipelines/transparency/log-entry.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableForm } from '../../warehouse/transparency/record-form.ts'

/**
 * Text of a record in the log: the resource as its detail endpoint served it when it was published. What only later rows decide, such
 * as effective_to of a version, is as it was then.
 */
type RecordText = (row: Row) => string

/** Kind of record: the name of its form, its id, and its text. */
export type RecordForm = {
  readonly kind: string
  readonly form: string
  readonly id: (row: Row) => string
  readonly text: RecordText
  /** Whether the entry of a row repeats the record; absent: no. */
  readonly in_full?: (row: Row) => boolean
}

/** Entries that repeat their records. */
export const IN_FULL = { in_full: () => true } as const

/** Returns the text of a whole resource. */
export const textOf =
  (show: (row: Row) => unknown): RecordText =>
  (row) =>
    canonicalJson(show(row))

/** Returns the text of some fields of a resource, so that a field added later leaves the form as it is. */
export const textOfFields =
  (fields: readonly string[], show: (row: Row) => object): RecordText =>
  (row) => {
    const shown = show(row) as Readonly<Record<string, unknown>>
    return canonicalJson(Object.fromEntries(fields.map((field) => [field, shown[field] ?? null])))
  }

/** Returns the record of a row in a form. */
export function recordOf({ kind, form, id, text, in_full }: RecordForm, row: Row): LoggedRecord {
  const published_at = String(row.published_at)
  return { kind, form, record_id: id(row), published_at, record_text: text(row), in_full: in_full?.(row) ?? false }
}

/** Returns how the rows of a table are logged. @param formsOf forms of one row; all by default */
export function tableOf(
  table: TableForm['table'],
  forms: readonly RecordForm[],
  formsOf: (row: Row) => readonly RecordForm[] = () => forms,
): TableForm {
  const kinds = [...new Set(forms.map(({ kind }) => kind))].sort()
  return { table, kinds, records: (row) => formsOf(row).map((form) => recordOf(form, row)) }
}

/** Returns what a receipt of an answer needs of its record; null: the answer shows none. */
export function loggedAs(form: RecordForm, row: Row | null) {
  return { logged: { kind: form.kind, record: row === null ? null : () => recordOf(form, row) } }
}

/** Returns what a receipt of a list needs: the records of its rows, in their order. */
export function loggedRows(kinds: readonly string[], rows: readonly Row[], formOf: (row: Row) => RecordForm) {
  return { logged: { kinds, records: () => rows.map((row) => recordOf(formOf(row), row)) } }
}

/** Receipt of a list whose records the log does not have. */
export const NOT_LOGGED = { logged: { kinds: [], records: null } } as const
