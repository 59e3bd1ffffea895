import { QUOTE_NUMBERS, type QuoteColumns } from '../../pipelines/index/admission.ts'
import { QuoteWindows } from './quote-windows.ts'

/** A window as JSON. */
export type WindowRecord = readonly [key: string, market_id: string, columns: ColumnsRecord]

/** Few quote records as JSON: whole numbers, null where a row has no value. */
type ColumnsRecord = {
  readonly ids: readonly string[]
  readonly revision: readonly number[]
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>
}

/** Windows as they are stored. */
export function windowRecords(windows: QuoteWindows): WindowRecord[] {
  return windows.entries().map(({ key, market_id, columns }) => [key, market_id, columnsRecord(columns)])
}

/** Windows as they were stored. */
export function storedWindows(records: readonly WindowRecord[]): QuoteWindows {
  return new QuoteWindows(records.map(([key, market_id, record]) => ({ key, market_id, columns: columnsOf(record) })))
}

function columnsRecord(quotes: QuoteColumns): ColumnsRecord {
  const given = QUOTE_NUMBERS.flatMap((name) => {
    const column = quotes[name]
    return column === undefined ? [] : [[name, Array.from(column, (value) => (Number.isNaN(value) ? null : value))]]
  })
  return {
    ids: Array.from({ length: quotes.length }, (_, row) => quotes.recordId(row)),
    revision: [...quotes.revision],
    columns: Object.fromEntries(given) as ColumnsRecord['columns'],
  }
}

function columnsOf({ ids, revision, columns }: ColumnsRecord): QuoteColumns {
  const given = Object.entries(columns).map(([name, values]) => [
    name,
    Float64Array.from(values, (value) => value ?? Number.NaN),
  ])
  return {
    source_at: new Float64Array(0),
    received_at: new Float64Array(0),
    ...(Object.fromEntries(given) as Partial<QuoteColumns>),
    length: ids.length,
    recordId: (row) => ids[row]!,
    revision: Int32Array.from(revision),
  }
}
