import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { ColumnStatistics } from '../duckdb/write/column-bounds.ts'

/**
 * Returns statistics of one data file as Delta's JSON text: numRecords, and for each scalar column its null count, minimum and
 * maximum. Decimals are exact JSON numbers and instants have microseconds, so no reader prunes by a rounded bound. The text is
 * assembled by hand because JSON.stringify would pass decimals through doubles.
 */
export function fileStatistics(rows: number, columns: readonly ColumnStatistics[]): string {
  const entries = (of: (column: ColumnStatistics) => string | undefined) => {
    const texts = columns.flatMap((column) => {
      const text = of(column)
      return text === undefined ? [] : [`${JSON.stringify(column.name)}:${text}`]
    })
    return `{${texts.join()}}`
  }
  const least = entries((column) => column.range?.least)
  const greatest = entries((column) => column.range?.greatest)
  const nulls = entries((column) => String(column.nulls))
  return `{"numRecords":${rows},"minValues":${least},"maxValues":${greatest},"nullCount":${nulls}}`
}

/** Returns the statistics of a batch whose stamps run from `first` to `last`. */
export function batchStatistics(
  columns: readonly ColumnStatistics[],
  rows: number,
  { first, last }: { readonly first: Micros; readonly last: Micros },
): string {
  const [least, greatest] = [first, last].map((micros) => JSON.stringify(formatMicros(micros)))
  return fileStatistics(rows, [
    ...columns,
    { name: 'published_at', nulls: 0, range: { least: least!, greatest: greatest! } },
    { name: 'row_ordinal', nulls: 0, range: { least: '0', greatest: String(rows - 1) } },
  ])
}
