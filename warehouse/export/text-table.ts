import type { DuckDBResult } from '@duckdb/node-api'
import Table from 'cli-table3'
import { plainLines } from '../../primitives/plain-text.ts'
import { rowValue } from '../duckdb/read/row-values.ts'
import type { RowValue } from '../schema.ts'
import type { Pieces, RowCounter } from './format.ts'

const NUMBER_TYPES = /^(DECIMAL|.*INT|INTEGER|DOUBLE|FLOAT)/

/** Writes a table for people: at most `rows_max` rows, then a note. Numbers are right-aligned; null is empty. */
export async function* textTable(result: DuckDBResult, counter: RowCounter, rows_max: number): Pieces {
  const numeric = result.columnTypes().map((type) => NUMBER_TYPES.test(type.toString()))
  const table = new Table({
    head: result.deduplicatedColumnNames().map(plainLines),
    colAligns: numeric.map((right) => (right ? 'right' : 'left')),
    style: { head: [], border: [] },
  })
  for await (const rows of result.yieldRows()) {
    for (const values of rows.slice(0, rows_max - table.length))
      table.push(values.map((value) => cell(rowValue(value))))
    counter.rows += rows.length
  }
  const shown = Math.min(counter.rows, rows_max)
  const note =
    shown < counter.rows ? `first ${shown} of ${counter.rows} rows; --format csv or json writes all` : rowCount(shown)
  yield `${table.toString()}\n${note}\n`
}

function rowCount(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`
}

function cell(value: RowValue): string {
  if (value === null || value === undefined) return ''
  return plainLines(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
