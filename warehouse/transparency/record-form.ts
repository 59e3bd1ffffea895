import type { LoggedRecord } from '../../pipelines/transparency/log-entry.ts'
import type { Row } from '../schema.ts'
import type { TableName } from '../tables.ts'

/**
 * Kinds of records that a table's rows are logged as. A table is added to the list of forms to have its rows logged, from its first
 * row on; a form never changes its text, and a new text has a new name.
 */
export type TableForm = {
  readonly table: TableName
  readonly kinds: readonly string[]
  /** Returns the records of a row, in the order of their entries. */
  readonly records: (row: Row) => readonly LoggedRecord[]
}
