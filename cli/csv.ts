import { csvCell } from '../primitives/csv-cell.ts'

/** Formats a line of CSV (RFC 4180): missing values are empty, lists and objects JSON; ends with LF. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvField).join(',')}\n`
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return csvCell(text, typeof value === 'number')
}
