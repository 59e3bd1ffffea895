import type { JsonObject } from './schema-components.ts'

/** Further forms of a history; one row for each record, decimals and nested values as the text of the JSON answer. */
export const TABLES: JsonObject = {
  'text/csv': { schema: { type: 'string' } },
  'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } },
}

/** Description of the other forms of a history. */
export const TABLES_TEXT =
  'Also as a table: Accept text/csv or application/vnd.apache.parquet; with limit that page, without it every record as of one instant.'

/** The same of a list of an account, whose records change while its pages are read. */
export const PRIVATE_TABLES_TEXT =
  'Also as a table: Accept text/csv or application/vnd.apache.parquet; with limit that page, without it every record, each as it was when its page was read.'
