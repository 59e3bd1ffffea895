import { type Fact, missingFact } from '../../pipelines/eligibility/evaluate.ts'
import { Decimal, formatDecimal, medianDecimal, ONE, parseDecimal, ZERO } from '../../primitives/decimal.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import type { FactName } from '../../vocabulary/eligibility.ts'
import { METRIC_FIELDS } from '../../vocabulary/market.ts'
import { RATING_COMPONENTS } from '../../vocabulary/rating.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row, RowValue } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'

/** Tables that facts come from. */
export const FACT_TABLES = [
  'market',
  'event',
  'market_resolution',
  'market_eligibility',
  'market_rating',
  'market_metric',
  'market_quote',
  'public_trade',
  'ingest_health',
] as const satisfies readonly TableName[]

/** A market with the facts about it as known at an instant. */
export type MarketFacts = {
  readonly market_id: string
  readonly row: Row
  readonly facts: ReadonlyMap<FactName, Fact>
}

const VOLUME_DAYS = 30
const UPTIME_DAYS = 90
/** Days that reports of a venue's state must reach back before they count. */
const UPTIME_DAYS_MIN = 7
const UPTIME_SCALE = 6
const VOLUME_SCALE = 6

/** Reads the facts about markets as the session shows them. @param as_of instant of the session @param market_ids null: every market */
export async function readFacts(
  session: ReadSession,
  as_of: Micros,
  market_ids: readonly string[] | null,
): Promise<readonly MarketFacts[]> {
  const ids = market_ids ?? (await knownMarkets(session))
  const rows = await session.query(readSql(import.meta.url, 'sql/facts_of_markets.sql'), { market_ids: ids })
  const volumes = await dailyVolumes(session, as_of)
  const uptimes = await venueUptimes(session, as_of)
  return rows.map((row) => {
    const venue_id = textOf((row.venue_mapping as Row | null)?.venue_id)
    const found = [
      ...marketFacts(row, venue_id, as_of),
      ...ratingFacts(row),
      ...sizeFacts(row),
      volumes.get(String(row.market_id)),
      uptimes.get(venue_id ?? ''),
    ].filter((one) => one !== undefined)
    return { market_id: String(row.market_id), row, facts: new Map(found.map((one) => [one.fact, one])) }
  })
}

async function knownMarkets(session: ReadSession): Promise<readonly string[]> {
  const rows = await session.query(readSql(import.meta.url, 'sql/market_ids.sql'))
  return rows.map(({ market_id }) => String(market_id))
}

function textOf(value: RowValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

function microsOf(value: RowValue | undefined): Micros | null {
  return typeof value === 'string' ? toMicros(value) : null
}

/** Returns a fact of a record; one that the record does not state is missing. */
function factOf(fact: FactName, value: RowValue | undefined, source: Omit<Fact, 'fact' | 'value'>): Fact {
  const text = textOf(value)
  return text === null ? missingFact(fact) : { fact, value: text, ...source }
}

function marketFacts(row: Row, venue_id: string | null, as_of: Micros): Fact[] {
  const record = { source_table: 'market', source_id: String(row.market_id), observed_at: microsOf(row.received_at) }
  const expected = microsOf((row.schedule as Row | null)?.expected_resolution_at)
  const remaining_ms = expected === null ? null : Math.floor(Math.max(0, expected - as_of) / 1000)
  const terms = {
    source_table: 'market_eligibility',
    source_id: textOf(row.eligibility_id),
    observed_at: microsOf(row.source_terms_at),
  }
  const permitted = row.source_terms == null ? null : String(row.source_terms === 'eligible')
  const event = { ...record, source_table: 'event', source_id: textOf(row.event_id) }
  return [
    factOf('source_permitted', permitted, terms),
    factOf('venue_id', venue_id, record),
    factOf('category', row.category, event),
    factOf('market_status', row.status, record),
    factOf('time_to_resolution', remaining_ms, record),
  ]
}

function ratingFacts(row: Row): Fact[] {
  if (row.rating_id == null) return []
  const record = {
    source_table: 'market_rating',
    source_id: String(row.rating_id),
    observed_at: microsOf(row.rated_at),
  }
  const components = (row.component_scores ?? {}) as Row
  return [
    factOf('rating_band', row.band, record),
    factOf('rating_score', row.score, record),
    ...RATING_COMPONENTS.map((name) => factOf(name, components[name], record)),
  ]
}

function sizeFacts(row: Row): Fact[] {
  const metric = {
    source_table: 'market_metric',
    source_id: textOf(row.metric_id),
    observed_at: microsOf(row.metric_at),
  }
  const quote = (row.quote ?? null) as Row | null
  const book = {
    source_table: 'market_quote',
    source_id: textOf(quote?.record_id),
    observed_at: microsOf(quote?.observed_at),
  }
  const spread = quote === null ? null : quote.spread
  const is_crossed = spread !== null && String(spread).startsWith('-')
  return [
    ...METRIC_FIELDS.map((name) => factOf(name, row[name], metric)),
    factOf('spread', is_crossed ? null : spread, book),
  ]
}

/**
 * Returns the median daily volume of each market that ever traded, over the whole UTC days since its first trade, 30 at most. A day
 * without trades among them counts as zero; the days before are unknown.
 */
async function dailyVolumes(session: ReadSession, as_of: Micros): Promise<ReadonlyMap<string, Fact>> {
  const to = Math.floor(as_of / MICROS_PER_DAY) * MICROS_PER_DAY
  const from = to - VOLUME_DAYS * MICROS_PER_DAY
  const window = { from: formatMicros(from), to: formatMicros(to) }
  const rows = await session.query(readSql(import.meta.url, 'sql/traded_days_of_markets.sql'), window)
  const source = { source_table: 'public_trade', source_id: null, observed_at: to }
  return new Map(
    rows.map((row) => {
      const traded = ((row.volumes ?? []) as string[]).map((text) => parseDecimal(text, 'volume'))
      const known_days = Math.min(VOLUME_DAYS, Math.ceil((to - toMicros(row.first_at)) / MICROS_PER_DAY))
      const silent = Array.from({ length: known_days - traded.length }, () => ZERO)
      const value = formatDecimal(medianDecimal([...traded, ...silent]), VOLUME_SCALE)
      return [String(row.market_id), { fact: 'median_daily_volume', value, ...source }] as const
    }),
  )
}

/** Returns the share of known time in which each venue was not down, if it is known for long enough. */
async function venueUptimes(session: ReadSession, as_of: Micros): Promise<ReadonlyMap<string, Fact>> {
  const from = formatMicros(as_of - UPTIME_DAYS * MICROS_PER_DAY)
  const window = { from, year: from, cutoff: formatMicros(as_of) }
  const rows = await session.query(readSql(import.meta.url, '../sql/rating_health.sql'), window)
  const source = { source_table: 'ingest_health', source_id: null, observed_at: as_of }
  return new Map(
    rows
      .filter((row) => toMicros(row.first_at) <= as_of - UPTIME_DAYS_MIN * MICROS_PER_DAY)
      .flatMap((row) => {
        const [known, down] = [new Decimal(String(row.known_ms)), new Decimal(String(row.down_ms))]
        if (known.lte(0)) return []
        const value = formatDecimal(ONE.minus(down.div(known)), UPTIME_SCALE)
        return [[String(row.venue_id), { fact: 'venue_uptime', value, ...source }] as const]
      }),
  )
}
