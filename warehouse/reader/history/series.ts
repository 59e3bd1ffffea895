import { QUOTE_FIELDS } from '../../../vocabulary/market.ts'
import type { GrowingTableName } from '../followed-tables.ts'
import type { HistoryPage } from '../reader.ts'
import { keptColumns } from './small-files.ts'

/** Rows of one table with some key, and the records that a history shows for them. */
export type Series = {
  readonly table: GrowingTableName
  /** Columns with one value each. */
  readonly key: Readonly<Record<string, string>>
  /** Stored columns to read, without nested ones that no record shows. */
  readonly columns: readonly string[]
  /** Column of each time domain; null: the records have none. */
  readonly instants: Readonly<Record<HistoryPage['time_domain'], string | null>>
  /** The instant that is part of the chain's identity. */
  readonly chain_instant: 'tick_at' | 'source_at' | 'source_cutoff_at'
  /** SQL file of this folder that makes the records of the rows. */
  readonly records: string
  /** Column with a record's id. */
  readonly id: string
  /** Further condition on records. */
  readonly wanted: string
  /** Candle columns in terms of a record. */
  readonly candle: Readonly<
    Record<'level' | 'tick_at' | 'source_cutoff_at' | 'coverage_ratio' | 'methodology_version', string>
  >
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
    },
  }
}

/** Request for market observations. */
export type MarketRequest = {
  readonly market_id: string
  readonly outcome_id: string | null
  readonly field: string | null
}

const MARK_FIELDS = ['mark', 'midpoint']

/** Returns the series of quotes, marks or both, whichever have the field. */
export function marketSeries({ market_id, outcome_id, field }: MarketRequest): Series[] {
  const key = outcome_id === null ? { market_id } : { market_id, outcome_id }
  const quotes = field === null || QUOTE_FIELDS.includes(field) ? [quoteSeries(key, field)] : []
  const marks = field === null || MARK_FIELDS.includes(field) ? [markSeries(key, field)] : []
  return [...quotes, ...marks]
}

/** Values of quotes, of one field or all. */
function quoteSeries(key: Series['key'], field: string | null): Series {
  return {
    table: 'market_quote',
    key,
    columns: keptColumns('market_quote'),
    instants: { published: 'published_at', source: 'source_at', calculated: null },
    chain_instant: 'source_at',
    records: 'sql/records_of_market_quote.sql',
    id: 'observation_id',
    wanted: fieldIs(field),
    candle: MARKET_CANDLE('source_at'),
  }
}

/** Published marks and midpoints, of one field or both. */
function markSeries(key: Series['key'], field: string | null): Series {
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

/** Returns the series of public trades of a market, or of one outcome. */
export function tradeSeries(market_id: string, outcome_id: string | null): Series {
  return {
    table: 'public_trade',
    key: outcome_id === null ? { market_id } : { market_id, outcome_id },
    columns: keptColumns('public_trade'),
    instants: { published: 'published_at', source: 'source_at', calculated: null },
    chain_instant: 'source_at',
    records: 'sql/records_of_public_trade.sql',
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

/** Candle columns of a market value: it has one instant, no coverage, and a methodology only if it is derived. */
const MARKET_CANDLE = (instant: string): Series['candle'] => ({
  level: 'value::varchar',
  tick_at: instant,
  source_cutoff_at: instant,
  coverage_ratio: "'1'",
  methodology_version: "coalesce(methodology_version, '')",
})

const fieldIs = (field: string | null) => (field === null ? 'true' : `field = '${field}'`)
