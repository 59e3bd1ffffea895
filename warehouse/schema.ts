/** Column types: DuckDB's names for plain ones, and three constructors. */
export type ColumnType =
  | 'VARCHAR'
  | 'INTEGER'
  | 'BIGINT'
  | 'BOOLEAN'
  | 'TIMESTAMPTZ'
  | { readonly kind: 'decimal'; readonly width: number; readonly scale: number }
  | { readonly kind: 'list'; readonly item: ColumnType }
  | { readonly kind: 'struct'; readonly fields: Readonly<Record<string, ColumnType>> }

export type TableSchema = {
  readonly columns: Readonly<Record<string, ColumnType>>
  /** Columns that every row must have; the others may be null or missing. */
  readonly required: readonly string[]
  readonly chain: readonly string[]
  readonly current: readonly string[]
  readonly sort: readonly string[]
}

/**
 * Value of a row: decimals as decimal strings, instants as RFC 3339 strings, integers as numbers, lists as arrays, structs as
 * objects. null and a missing key are the same: no value. Written rows may have instants as microseconds; read rows have texts.
 */
export type RowValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly RowValue[]
  | { readonly [field: string]: RowValue }
export type Row = Readonly<Record<string, RowValue>>

/** Rows to write: an array, or an object that creates the same rows each time a part is taken. */
export type RowList = { readonly length: number; slice(from: number, to: number): readonly Row[] }

export const decimal = (width: number, scale: number) => ({ kind: 'decimal', width, scale }) as const
export const list = <T extends ColumnType>(item: T) => ({ kind: 'list', item }) as const
export const struct = <T extends Readonly<Record<string, ColumnType>>>(fields: T) =>
  ({ kind: 'struct', fields }) as const

/** Columns that the log adds to every row of every table. */
export const LOG_COLUMNS = { published_at: 'TIMESTAMPTZ', row_ordinal: 'INTEGER' } as const satisfies Record<
  string,
  ColumnType
>

/** Returns DuckDB's spelling of a column type. */
export function duckdbType(type: ColumnType): string {
  if (typeof type === 'string') return type
  if (type.kind === 'decimal') return `DECIMAL(${type.width},${type.scale})`
  if (type.kind === 'list') return `${duckdbType(type.item)}[]`
  const fields = Object.entries(type.fields).map(([name, field]) => `"${name}" ${duckdbType(field)}`)
  return `STRUCT(${fields.join(', ')})`
}
