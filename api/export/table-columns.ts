import type { TSchema } from 'typebox'
import { csvCell } from '../../primitives/csv-cell.ts'
import type { ParquetColumn, ParquetType, ParquetValue } from './parquet-writer.ts'

type Described = TSchema & {
  readonly type?: string
  readonly anyOf?: readonly Described[]
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
}

/**
 * Returns the columns of a table of resources: its fields in their order. Whole numbers and flags keep their types; every other value
 * is the text of the JSON answer, so that decimals stay exact, and a nested one is JSON.
 * @param expanded  optional fields that the request asks for
 */
export function tableColumns(schema: TSchema, expanded: readonly string[]): ParquetColumn[] {
  const { properties = {}, required = [] } = schema as Described
  return Object.entries(properties).flatMap(([name, field]) =>
    required.includes(name) || expanded.includes(name) ? [{ name, type: typeOf(field) }] : [],
  )
}

function typeOf(field: Described): ParquetType {
  const known = (field.anyOf ?? [field]).find(({ type }) => type !== 'null')
  if (known?.type === 'integer') return 'integer'
  return known?.type === 'boolean' ? 'boolean' : 'text'
}

/** Returns the cells of a resource. */
export function cellsOf(
  columns: readonly ParquetColumn[],
  resource: Readonly<Record<string, unknown>>,
): ParquetValue[] {
  return columns.map(({ name }) => {
    const value = resource[name] ?? null
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as ParquetValue)
  })
}

/** Returns a line of CSV (RFC 4180): null is an empty field, an empty text is "" so that the two differ. */
export function csvLine(cells: readonly ParquetValue[]): string {
  return `${cells.map(csvField).join(',')}\r\n`
}

function csvField(value: ParquetValue): string {
  if (value === null) return ''
  const text = String(value)
  return text === '' ? '""' : csvCell(text, typeof value !== 'string')
}
