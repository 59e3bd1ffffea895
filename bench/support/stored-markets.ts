import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { fileStatistics } from '../../warehouse/parquet/file-statistics.ts'
import type { TableName } from '../../warehouse/tables.ts'
import { DAY, FIRST_DAY, MINUTE, MINUTES_A_DAY, rowColumns, type StoredTable, storedDays } from './stored-days.ts'

/** Number of stored markets; each outcome has a quote and a mark a minute, and every market two trades. */
export const MARKETS = 10
export const MARKET_ROWS_A_DAY = 2 * MARKETS * MINUTES_A_DAY

export const marketId = (n: number) => `mkt_${String(n).padStart(2, '0')}`

/** Version of the cached rows, raised when they change; older caches are ignored. */
const FORM = 1
/** Rows are published this long after their instant. */
const DELAY: Micros = 2_000_000

/** Returns the folder of a warehouse with `days` days of quotes, marks and trades, `MARKET_ROWS_A_DAY` of each a day. */
export function storedMarkets(days: number): Promise<string> {
  const tables = [QUOTES, MARKS, TRADES].map(({ table, columns, sort }) => storedTable(table, columns, sort))
  return storedDays(`markets-${FORM}`, days, tables)
}

type Columns = Readonly<Record<string, string>>

/** In a row: i is its number in the day, m its market, o its outcome, `minute`, and `minute_at` its instant. */
const COMMON: Columns = {
  revision: '1',
  venue_id: `'bench'`,
  source_market_id: `'m' || m`,
  market_id: `'mkt_' || lpad(m::varchar, 2, '0')`,
  outcome_id: `'out_' || lpad(m::varchar, 2, '0') || '_' || o`,
  quality_state: `'valid'`,
  source_at: 'minute_at',
  received_at: 'minute_at + interval 1 second',
  published_at: 'minute_at + interval 2 seconds',
  row_ordinal: 'i',
}

const QUOTES = {
  table: 'market_quote',
  sort: 'market_id, outcome_id, source_at',
  columns: {
    ...COMMON,
    record_id: `'obs_' || md5(day || ' ' || i)`,
    bid: '(0.30 + (i * 7919 % 2000) / 10000.0)::decimal(18,9)',
    ask: '(0.52 + (i * 7919 % 2000) / 10000.0)::decimal(18,9)',
    bid_depth: '100 + i % 50',
    ask_depth: '100 + i % 70',
    is_final: 'false',
    confirmed_at: 'minute_at + interval 1 second',
  },
} as const

const MARKS = {
  table: 'market_mark',
  sort: 'market_id, outcome_id, tick_at',
  columns: {
    ...COMMON,
    mark_id: `'mrk_' || md5(day || ' ' || i)`,
    tick_at: 'minute_at',
    mark: '(0.41 + (i * 7919 % 2000) / 10000.0)::decimal(18,9)',
    midpoint: '(0.41 + (i * 7919 % 2000) / 10000.0)::decimal(18,9)',
    mark_rule: `'M1'`,
    origin_rule: `'M1'`,
    derived: 'true',
    derivation_rule: `'M1'`,
    source_observation_ids: `['obs_' || md5(day || ' ' || i) || '.bid']`,
    freshness_class: `'fresh'`,
    confirmed_at: 'minute_at',
    calculated_at: 'minute_at + interval 1 second',
    methodology_id: `'mth_bench'`,
    methodology_version: `'1'`,
  },
} as const

const TRADES = {
  table: 'public_trade',
  sort: 'market_id, outcome_id, source_at',
  columns: {
    ...COMMON,
    trade_id: `'trd_' || md5(day || ' ' || i)`,
    source_trade_id: `'t' || day || '_' || i`,
    price: '(0.41 + (i * 7919 % 2000) / 10000.0)::decimal(18,9)',
    quantity: '1 + i % 30',
    aggressor_side: `if(i % 2 = 0, 'BUY', 'SELL')`,
  },
} as const

function storedTable(table: TableName, columns: Columns, sort: string): StoredTable {
  return {
    table,
    rowsOf: (day) => `select ${rowColumns(table, columns)} from (${placesOf(day)}) order by ${sort}`,
    statisticsOf: (day) => statisticsOf(day, 'tick_at' in columns),
    stampsOf: (day) => [FIRST_DAY + day * DAY + DELAY, FIRST_DAY + (day + 1) * DAY - MINUTE + DELAY],
  }
}

function placesOf(day: number): string {
  const numbered = `select i, (i // 2) % ${MARKETS} as m, i % 2 as o, i // ${2 * MARKETS} as minute from range(${MARKET_ROWS_A_DAY}) t(i)`
  return `select *, ${day} as day, make_timestamptz(${FIRST_DAY + day * DAY} + minute * ${MINUTE}) as minute_at from (${numbered})`
}

function statisticsOf(day: number, has_ticks: boolean): string {
  const range = (least: unknown, greatest: unknown) => ({
    least: JSON.stringify(least),
    greatest: JSON.stringify(greatest),
  })
  const [first, last] = [FIRST_DAY + day * DAY, FIRST_DAY + (day + 1) * DAY - MINUTE]
  const instants = (delay: Micros) => range(formatMicros(first + delay), formatMicros(last + delay))
  return fileStatistics(MARKET_ROWS_A_DAY, [
    { name: 'market_id', nulls: 0, range: range(marketId(0), marketId(MARKETS - 1)) },
    { name: 'source_at', nulls: 0, range: instants(0) },
    ...(has_ticks ? [{ name: 'tick_at', nulls: 0, range: instants(0) }] : []),
    { name: 'revision', nulls: 0, range: { least: '1', greatest: '1' } },
    { name: 'published_at', nulls: 0, range: instants(DELAY) },
  ])
}
