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
  /** Columns that a row must give; the others may be null or left out. */
  readonly required: readonly string[]
  readonly chain: readonly string[]
  readonly current: readonly string[]
  readonly sort: readonly string[]
}

/**
 * A value as rows carry it: decimals as decimal strings, instants as RFC 3339 strings, integers as numbers,
 * lists as arrays, structs as objects. null and a missing key are the same: no value. A row that is written may give an
 * instant as its microseconds; one that is read has the text.
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

/** Rows that are written: a list of them, or what makes those of a part whenever it is taken, the same ones each time. */
export type RowList = { readonly length: number; slice(from: number, to: number): readonly Row[] }

export const decimal = (width: number, scale: number) => ({ kind: 'decimal', width, scale }) as const
export const list = <T extends ColumnType>(item: T) => ({ kind: 'list', item }) as const
export const struct = <T extends Readonly<Record<string, ColumnType>>>(fields: T) =>
  ({ kind: 'struct', fields }) as const

/** Columns that the log itself adds to every row of every table. */
export const LOG_COLUMNS = { published_at: 'TIMESTAMPTZ', row_ordinal: 'INTEGER' } as const satisfies Record<
  string,
  ColumnType
>

/** DuckDB's spelling of a column type. */
export function duckdbType(type: ColumnType): string {
  if (typeof type === 'string') return type
  if (type.kind === 'decimal') return `DECIMAL(${type.width},${type.scale})`
  if (type.kind === 'list') return `${duckdbType(type.item)}[]`
  const fields = Object.entries(type.fields).map(([name, field]) => `"${name}" ${duckdbType(field)}`)
  return `STRUCT(${fields.join(', ')})`
}
