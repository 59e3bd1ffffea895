import type { MarketRules } from '../../pipelines/rating/clarity-rubric.ts'
import type {
  MeasuredBooks,
  MeasuredHealth,
  MeasuredMarket,
  MeasuredQuotes,
  MeasuredVenue,
  MeasuredVolume,
  SeriesRecord,
} from '../../pipelines/rating/measured.ts'
import type { MeasureParameters } from '../../pipelines/rating/methodology.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'

/** The tables that a measurement reads. */
export const MEASURED_TABLES: readonly TableName[] = [
  'market',
  'event',
  'market_quote',
  'order_book',
  'public_trade',
  'market_metric',
  'market_resolution',
  'ingest_health',
  'market_rating',
]

/** All markets that are not decided, their venues and series, as measured up to a cutoff. */
export type Measured = {
  readonly markets: readonly MeasuredMarket[]
  readonly venues: ReadonlyMap<string, MeasuredVenue>
  readonly series: ReadonlyMap<string, SeriesRecord>
}

const MS_PER_HOUR = 3_600_000

/** Measures every market at once: one statement a measure. */
export async function measureMarkets(
  session: ReadSession,
  cutoff: Micros,
  parameters: MeasureParameters,
): Promise<Measured> {
  const window = { from: before(cutoff, parameters.window_days), cutoff: formatMicros(cutoff) }
  const year = { year: before(cutoff, parameters.year_days), cutoff: formatMicros(cutoff) }
  const markets = await session.query(readSql(import.meta.url, 'sql/rating_markets.sql'), window)
  const stand_ms = parameters.quote_hours_max * MS_PER_HOUR
  const quotes = byMarket(
    await session.query(readSql(import.meta.url, 'sql/rating_quotes.sql'), { ...window, stand_ms }),
  )
  const books = byMarket(
    await session.query(readSql(import.meta.url, 'sql/rating_books.sql'), {
      ...window,
      depth: parameters.depth_distance.toFixed(),
      move: parameters.move_distance.toFixed(),
      cost_days: parameters.cost_days,
    }),
  )
  const volumes = await session.query(readSql(import.meta.url, 'sql/rating_volumes.sql'), window)
  const stated = byMarket(volumes.filter(({ origin }) => origin === 'venue'))
  const traded = byMarket(volumes.filter(({ origin }) => origin === 'tape'))
  const resolutions = await session.query(readSql(import.meta.url, 'sql/rating_resolutions.sql'), year)
  const health = await session.query(readSql(import.meta.url, '../sql/rating_health.sql'), { ...window, ...year })
  return {
    markets: markets.map((row) => {
      const id = String(row.market_id)
      return marketOf(row, quotes.get(id), books.get(id), stated.get(id) ?? traded.get(id))
    }),
    venues: venuesOf(health, resolutions),
    series: seriesOf(resolutions),
  }
}

function before(cutoff: Micros, days: number): string {
  return formatMicros(cutoff - days * MICROS_PER_DAY)
}

function byMarket(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [String(row.market_id), row]))
}

function marketOf(row: Row, quotes?: Row, books?: Row, volume?: Row): MeasuredMarket {
  return {
    market_id: String(row.market_id),
    market_revision: row.market_revision as number,
    market_received_at: toMicros(row.market_received_at),
    venue_id: textOf(row.venue_id),
    settlement_asset_id: textOf(row.settlement_asset_id),
    series: String(row.series),
    rules: rulesOf(row.rules),
    rules_versions: row.rules_versions as number,
    quotes: quotes === undefined ? null : withMicros<MeasuredQuotes>(quotes, 'first_at', 'last_at'),
    books: books === undefined ? null : withMicros<MeasuredBooks>(books, 'last_at'),
    volume: volume === undefined ? null : withMicros<MeasuredVolume>(volume, 'last_at'),
  }
}

function textOf(value: Row[string]): string | null {
  return typeof value === 'string' ? value : null
}

function rulesOf(value: Row[string]): MarketRules | null {
  if (value === null || value === undefined) return null
  const rules = value as Row
  return {
    resolution_question: textOf(rules.resolution_question),
    resolution_criteria: textOf(rules.resolution_criteria),
    resolution_sources: (rules.resolution_sources ?? []) as string[],
    dispute_policy_uri: textOf(rules.dispute_policy_uri),
    timezone: textOf(rules.timezone),
  }
}

function withMicros<T>(row: Row, ...instants: string[]): T {
  return { ...row, ...Object.fromEntries(instants.map((name) => [name, toMicros(row[name])])) } as T
}

function venuesOf(health: readonly Row[], resolutions: readonly Row[]): ReadonlyMap<string, MeasuredVenue> {
  const states = new Map(health.map((row) => [String(row.venue_id), withMicros<MeasuredHealth>(row, 'first_at')]))
  const delays = new Map<string, number[]>()
  for (const { venue_id, delay_ms } of resolutions) {
    if (typeof delay_ms !== 'number') continue
    const known = delays.get(String(venue_id))
    if (known === undefined) delays.set(String(venue_id), [delay_ms])
    else known.push(delay_ms)
  }
  return new Map(
    [...new Set([...states.keys(), ...delays.keys()])].map((venue_id) => {
      const known = (delays.get(venue_id) ?? []).sort((a, b) => a - b)
      const settlement_delay_ms = known[(known.length - 1) >> 1] ?? null
      return [
        venue_id,
        { venue_id, health: states.get(venue_id) ?? null, settlement_delay_ms, settled_markets: known.length },
      ]
    }),
  )
}

function seriesOf(resolutions: readonly Row[]): ReadonlyMap<string, SeriesRecord> {
  const counts = new Map<string, { disputed: number; resolved: number }>()
  for (const { series, was_disputed, was_final } of resolutions) {
    const key = String(series)
    const known = counts.get(key) ?? { disputed: 0, resolved: 0 }
    known.resolved += was_final === true || was_disputed === true ? 1 : 0
    known.disputed += was_disputed === true ? 1 : 0
    counts.set(key, known)
  }
  return counts
}
