import { QUOTE_NUMBERS } from '../../pipelines/index/admission.ts'
import { invariant } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { type Column, type ColumnSet, scaledNumbers } from '../../warehouse/duckdb/read/columns.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import { type CountingParameters, countedFrom } from './counting.ts'

/** Columns of one outcome and series: a window [from, to) into the whole result. Probabilities at scale 9, depths at 6. */
export type QuoteGroup = {
  readonly market_id: string
  readonly outcome_id: string
  /** '' = no series. */
  readonly source_series_id: string
  readonly from: number
  readonly to: number
}

export type QuoteTable = {
  readonly groups: readonly QuoteGroup[]
  readonly recordId: (row: number) => string
  readonly revision: Int32Array
  readonly numbers: Readonly<Record<QuoteNumber, Float64Array>>
}

type QuoteNumber = (typeof QUOTE_NUMBERS)[number]

/** Markets of the legs, and how their rows count. */
export type LegParameters = CountingParameters & { readonly market_ids: readonly string[] }

/** Quotes that ticks after an instant and before another may be the first to see; of some markets, also the earlier ones. */
export type QuoteBounds = {
  readonly after: Micros
  readonly until: Micros
  readonly whole_market_ids: readonly string[]
}

/** Visible quote records of the markets as typed columns; NaN = no value. @param bounds null: all */
export async function readQuoteTable(
  session: ReadSession,
  params: LegParameters,
  bounds: QuoteBounds | null = null,
): Promise<QuoteTable> {
  const counted_from = countedFrom()
  const within = bounds === null ? 'true' : readSql(import.meta.url, 'sql/quotes_of_part.sql', { counted_from })
  const text = readSql(import.meta.url, 'sql/quotes_of_markets.sql', { counted_from, bounds: within })
  return quoteTable(await session.columns(text, { ...params, ...(bounds !== null && boundsOf(bounds)) }))
}

function boundsOf({ after, until, whole_market_ids }: QuoteBounds) {
  return { quotes_after: formatMicros(after), quotes_until: formatMicros(until), whole_market_ids }
}

/** A result of quote records, grouped and ordered as quotes_of_markets.sql gives them. */
export function quoteTable(set: ColumnSet): QuoteTable {
  const record = textColumn(set, 'record_id')
  return {
    groups: quoteGroups(set),
    recordId: (row) => record.dictionary[record.codes[row]!]!,
    revision: Int32Array.from(numberColumn(set.columns.revision!)),
    numbers: Object.fromEntries(
      QUOTE_NUMBERS.map((name) => [name, numberColumn(set.columns[name]!)]),
    ) as QuoteTable['numbers'],
  }
}

const ALL_TIME = { trades_from: '1700-01-01T00:00:00Z', trades_to: '2199-12-31T00:00:00Z' }

/** All resolution records, market states and, where asked for, trades of the markets, as rows. */
export async function readLegRows(
  session: ReadSession,
  params: LegParameters,
  trades: boolean,
): Promise<{ resolutions: Row[]; states: Row[]; trades: Row[] }> {
  return {
    resolutions: await session.query(
      readSql(import.meta.url, 'sql/resolutions_of_markets.sql', { counted_from: countedFrom() }),
      params,
    ),
    states: await session.query(
      readSql(import.meta.url, 'sql/states_of_markets.sql', { counted_from: countedFrom() }),
      params,
    ),
    trades: trades
      ? await session.query(readSql(import.meta.url, 'sql/trades_of_markets.sql', { counted_from: countedFrom() }), {
          ...params,
          ...ALL_TIME,
        })
      : [],
  }
}

function quoteGroups(set: ColumnSet): QuoteGroup[] {
  const market = textColumn(set, 'market_id')
  const outcome = textColumn(set, 'outcome_id')
  const series = textColumn(set, 'source_series_id')
  const groups: QuoteGroup[] = []
  let from = 0
  for (let row = 1; row <= set.row_count; row++) {
    const same =
      row < set.row_count &&
      market.codes[row] === market.codes[from] &&
      outcome.codes[row] === outcome.codes[from] &&
      series.codes[row] === series.codes[from]
    if (same) continue
    groups.push({
      market_id: market.dictionary[market.codes[from]!]!,
      outcome_id: outcome.dictionary[outcome.codes[from]!]!,
      source_series_id: series.dictionary[series.codes[from]!]!,
      from,
      to: row,
    })
    from = row
  }
  return groups
}

/** A text column of a result. */
export function textColumn(set: ColumnSet, name: string): Extract<Column, { kind: 'text' }> {
  const column = set.columns[name]
  invariant(column?.kind === 'text', `${name} is not a text column`)
  return column
}

function numberColumn(column: Column): Float64Array {
  return column.kind === 'instant' ? column.values : scaledNumbers(column)
}
