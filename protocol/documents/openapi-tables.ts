import type { JsonObject } from './schema-components.ts'

/** Further forms of a history; one row for each record, decimals and nested values as the text of the JSON answer. */
export const TABLES: JsonObject = {
  'text/csv': { schema: { type: 'string' } },
  'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } },
}
