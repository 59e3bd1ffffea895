import { QUOTE_FIELDS } from '../../../vocabulary/market.ts'
import { isConfirmationSql } from '../../read/is-confirmation.ts'
import { IS_TRADE } from '../../read/is-trade.ts'
import { quoteText, readSql } from '../../sql/read-sql.ts'
import type { GrowingTableName } from '../followed-tables.ts'
import type { HistoryPage, MarketHistoryRequest } from '../reader.ts'
import { keptColumns } from './small-files.ts'

/** Rows of one table with some key, and the records that a history shows for them. */
export type Series = {
  readonly table: GrowingTableName
  /** Columns with one value each. */
  readonly key: Readonly<Record<string, string>>
  /** Condition on rows that make records; absent: all do. */
  readonly rows?: string
  /** Stored columns to read, without nested ones that no record shows. */
  readonly columns: readonly string[]
  /** Column of each time domain; null: the records have none. */
  readonly instants: Readonly<Record<HistoryPage['time_domain'], string | null>>
  /** The instant that is part of the chain's identity; null: a correction may move every instant of its record. */
  readonly chain_instant: 'tick_at' | 'source_at' | 'source_cutoff_at' | null
  /** true: superseded rows are dropped even where corrections are asked for. */
  readonly only_current?: true
  /** SQL file of this folder that makes the records of the rows, and what it needs beside them. */
  readonly records: string
  readonly slots?: Readonly<Record<string, string>>
  /** Column with a record's id. */
  readonly id: string
  /** Further condition on records. */
  readonly wanted: string
  /** Candle columns in terms of a record. */
  readonly candle: Readonly<Record<CandleColumn, string>>
}

type CandleColumn = 'level' | 'tick_at' | 'source_cutoff_at' | 'coverage_ratio' | 'methodology_version' | 'quantity'

/** Returns the query that makes the records of a series from the rows in `kept`. */
export function recordsQuery({ records, slots }: Series): string {
  return readSql(import.meta.url, records, { rows: 'kept', ...slots })
}

/** Returns the series of an index's levels, without their inputs. */
export function indexSeries(index_id: string): Series {
  return {
    table: 'index_observation',
    key: { index_id },
    columns: keptColumns('index_observation'),
    instants: { published: 'published_at', source: 'source_cutoff_at', calculated: 'calculated_at' },
    chain_instant: 'tick_at',
    records: 'sql/records_of_index_observation.sql',
    id: 'observation_id',
    wanted: 'true',
    candle: {
      level: 'level',
      tick_at: 'tick_at',
      source_cutoff_at: 'source_cutoff_at',
      coverage_ratio: 'coverage_ratio',
      methodology_version: 'methodology_version',
      quantity: 'null',
    },
  }
}

const MARK_FIELDS = ['mark', 'midpoint']
const TRADE_FIELD = 'last_trade'

/** Returns the series of quotes, trades and marks that have the field. A last trade is a trade, not a quote that repeats it. */
export function marketSeries({
  market_id,
  outcome_id,
  field,
  trades,
  quoted_trades = false,
}: MarketHistoryRequest): Series[] {
  const key = outcome_id === null ? { market_id } : { market_id, outcome_id }
  const has = (fields: readonly string[]) => field === null || fields.includes(field)
  const quoted = QUOTE_FIELDS.filter((name) => quoted_trades || name !== TRADE_FIELD)
  return [
    ...(has(quoted) ? [quoteSeries(key, field, quoted)] : []),
    ...(has([TRADE_FIELD]) && trades ? [lastTradeSeries(key)] : []),
    ...(has(MARK_FIELDS) ? [markSeries(key, field)] : []),
  ]
}

/** Returns the series of one field of stored quotes, `last_trade` included, as they were received: a read by id finds confirming rows. */
export function quoteFieldSeries(market_id: string, outcome_id: string, field: string): Series {
  const { rows: _, ...series } = quoteSeries({ market_id, outcome_id }, null, QUOTE_FIELDS)
  return { ...series, wanted: fieldIs(field) }
}

/** Values of quotes, of one field or all. */
function quoteSeries(key: Series['key'], field: string | null, fields: readonly string[]): Series {
  return {
    table: 'market_quote',
    key,
    rows: `not ${isConfirmationSql()}`,
    columns: keptColumns('market_quote'),
    instants: { published: 'published_at', source: 'source_at', calculated: null },
    chain_instant: 'source_at',
    records: 'sql/records_of_market_quote.sql',
    id: 'observation_id',
    wanted: `field in (${fields.map((name) => `'${name}'`).join(', ')}) and ${fieldIs(field)}`,
    candle: MARKET_CANDLE('source_at'),
  }
}

/** Trades as the last trade at their instants, without superseded and voided ones. */
function lastTradeSeries(key: Series['key']): Series {
  return {
    table: 'public_trade',
    key,
    columns: keptColumns('public_trade'),
    instants: { published: 'published_at', source: 'source_at', calculated: null },
    chain_instant: null,
    only_current: true,
    records: 'sql/last_trades_of_public_trade.sql',
    slots: { is_trade: IS_TRADE, price: 'price' },
    id: 'observation_id',
    wanted: "correction_reason is distinct from 'TRADE_VOIDED'",
    candle: { ...MARKET_CANDLE('source_at'), quantity: 'quantity::varchar' },
  }
}

/** The same of one outcome's tape: with the trades of the other outcome of a complementary market, at one minus their price. */
export function tapeSeries(market_id: string, outcome_id: string): Series {
  const price = `if(outcome_id = ${quoteText(outcome_id)}, price, 1 - price)`
  return { ...lastTradeSeries({ market_id }), rows: onTape(outcome_id), slots: { is_trade: IS_TRADE, price } }
}

function onTape(outcome_id: string): string {
  return `(outcome_id = ${quoteText(outcome_id)} or complementary_outcome_id = ${quoteText(outcome_id)})`
}

/** Last trades with superseded trades and voids, as a read by id finds them. */
export function storedTradeSeries(key: Series['key']): Series {
  const { only_current: _, ...series } = lastTradeSeries(key)
  return { ...series, wanted: 'true' }
}

/** Published marks and midpoints, of one field or both. */
export function markSeries(key: Series['key'], field: string | null): Series {
  return {
    table: 'market_mark',
    key,
    columns: keptColumns('market_mark'),
    instants: { published: 'published_at', source: 'source_at', calculated: 'calculated_at' },
    chain_instant: 'tick_at',
    records: 'sql/records_of_market_mark.sql',
    id: 'observation_id',
    wanted: fieldIs(field),
    candle: MARKET_CANDLE('tick_at'),
  }
}

/** Returns the series of public trades of a market, or of the tape of one outcome. */
export function tradeSeries(market_id: string, outcome_id: string | null): Series {
  return {
    table: 'public_trade',
    key: { market_id },
    ...(outcome_id === null ? {} : { rows: onTape(outcome_id) }),
    columns: keptColumns('public_trade'),
    instants: { published: 'published_at', source: 'source_at', calculated: null },
    chain_instant: null,
    records: 'sql/records_of_public_trade.sql',
    slots: { is_trade: IS_TRADE },
    id: 'trade_id',
    wanted: 'true',
    candle: MARKET_CANDLE('source_at'),
  }
}

/** Returns the series of a severity index's values, with their inputs. */
export function severityValueSeries(severity_index_id: string): Series {
  return {
    table: 'severity_index_value',
    key: { severity_index_id },
    columns: keptColumns('severity_index_value'),
    instants: { published: 'published_at', source: 'source_cutoff_at', calculated: 'calculated_at' },
    chain_instant: 'source_cutoff_at',
    records: 'sql/records_of_severity_index_value.sql',
    id: 'value_id',
    wanted: 'true',
    candle: MARKET_CANDLE('source_cutoff_at'),
  }
}

/** Candle columns of a market value: it has one instant, no coverage, and a methodology only if it is derived by one. */
const MARKET_CANDLE = (instant: string): Series['candle'] => ({
  level: 'value::varchar',
  tick_at: instant,
  source_cutoff_at: instant,
  coverage_ratio: 'null',
  methodology_version: "if(field = 'mark', methodology_version, null)",
  quantity: 'null',
})

const fieldIs = (field: string | null) => (field === null ? 'true' : `field = '${field}'`)
