import type { DuckDBResult } from '@duckdb/node-api'
import Table from 'cli-table3'
import { fitWidths } from '../../primitives/fit-widths.ts'
import { plainLines } from '../../primitives/plain-text.ts'
import { rowValue } from '../duckdb/read/row-values.ts'
import type { RowValue } from '../schema.ts'
import type { Pieces, RowCounter } from './format.ts'

const NUMBER_TYPES = /^(DECIMAL|.*INT|INTEGER|DOUBLE|FLOAT)/

/** Space and frame of a column, and of the table around its columns. */
const FRAME = { between: 3, around: 4, narrowest: 8 } as const
const PADDING = 2

/** Bounds of a table: its rows, and the width of the terminal; null: as wide as its cells. */
export type TableBounds = { readonly rows_max: number; readonly width: number | null }

/** Writes a table for people: at most `rows_max` rows, then a note. Numbers are right-aligned; null is empty. */
export async function* textTable(result: DuckDBResult, counter: RowCounter, bounds: TableBounds): Pieces {
  const { rows_max, width } = bounds
  const numeric = result.columnTypes().map((type) => NUMBER_TYPES.test(type.toString()))
  const head = result.deduplicatedColumnNames().map(plainLines)
  const cells: string[][] = []
  for await (const rows of result.yieldRows()) {
    for (const values of rows.slice(0, rows_max - cells.length))
      cells.push(values.map((value) => cell(rowValue(value))))
    counter.rows += rows.length
  }
  const { text, note } =
    width === null ? { text: draw(head, cells, numeric), note: '' } : fitted(head, cells, numeric, width)
  const shown = Math.min(counter.rows, rows_max)
  const rows =
    shown < counter.rows ? `first ${shown} of ${counter.rows} rows; --format csv or json writes all` : rowCount(shown)
  yield `${text}\n${rows}${note}\n`
}

/** Draws a table that fits the width of a terminal; longer cells are cut, and columns without room are named in the note. */
function fitted(
  head: readonly string[],
  cells: readonly (readonly string[])[],
  numeric: readonly boolean[],
  width: number,
) {
  const natural = head.map((name, at) => Math.max(...[name, ...cells.map((row) => row[at]!)].map(lineWidth)))
  const widths = fitWidths(natural, width, FRAME)
  const shown = widths.length
  const is_cut = widths.some((one, at) => one < natural[at]!)
  const text = draw(
    head.slice(0, shown),
    cells.map((row) => row.slice(0, shown)),
    numeric.slice(0, shown),
    widths,
  )
  const left_out = head.slice(shown)
  const notes = [
    ...(left_out.length === 0 ? [] : [`no room for ${left_out.join(', ')}`]),
    ...(is_cut ? ['cells are cut'] : []),
  ]
  return {
    text,
    note: notes.length === 0 ? '' : ` (${notes.join('; ')}: a wider terminal, fewer columns or --format csv show all)`,
  }
}

function draw(
  head: readonly string[],
  cells: readonly (readonly string[])[],
  numeric: readonly boolean[],
  widths?: readonly number[],
): string {
  const table = new Table({
    head: [...head],
    colAligns: numeric.map((right) => (right ? 'right' : 'left')),
    style: { head: [], border: [] },
    ...(widths === undefined ? {} : { colWidths: widths.map((width) => width + PADDING) }),
  })
  table.push(...cells.map((row) => [...row]))
  return table.toString()
}

/** Returns the width of the widest line of a cell. */
function lineWidth(text: string): number {
  return Math.max(...text.split('\n').map((line) => [...line].length))
}

function rowCount(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`
}

function cell(value: RowValue): string {
  if (value === null || value === undefined) return ''
  return plainLines(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
