import type { DuckDBResult } from '@duckdb/node-api'
import { rowValue } from '../read/row-values.ts'
import type { RowValue } from '../schema.ts'
import type { Pieces, RowCounter } from './format.ts'

/** RFC 4180: a header line, CRLF, quotes doubled. null is an empty field; an empty text is "" so that the two differ. */
export async function* csvRows(result: DuckDBResult, counter: RowCounter): Pieces {
  yield `${result.deduplicatedColumnNames().map(field).join(',')}\r\n`
  for await (const rows of result.yieldRows()) {
    const lines = rows.map((values) => values.map((value) => field(rowValue(value))).join(','))
    counter.rows += lines.length
    if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`
  }
}

function field(value: RowValue): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
