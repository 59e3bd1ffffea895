import { bookChain, bookFacts } from '../../pipelines/revisions/book-revisions.ts'
import { eligibilityFacts } from '../../pipelines/revisions/eligibility-revisions.ts'
import type { TradeReport } from '../../pipelines/revisions/match-trades.ts'
import { metricChain, metricFacts } from '../../pipelines/revisions/metric-revisions.ts'
import type { StateRevision } from '../../pipelines/revisions/plan-references.ts'
import type { KnownRevision } from '../../pipelines/revisions/plan-revisions.ts'
import type { EventState, MarketState } from '../../pipelines/revisions/reference-states.ts'
import { resolutionChain, resolutionFacts } from '../../pipelines/revisions/resolution-revisions.ts'
import { type TradeFacts, tradeChain, tradeFacts } from '../../pipelines/revisions/trade-revisions.ts'
import type { Eligibility } from '../../pipelines/venues/eligibility.ts'
import { hazardFacts } from '../../pipelines/venues/hazard-facts.ts'
import type { BookRecord, HazardRecord, MetricRecord } from '../../pipelines/venues/record.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'

/** The columns of the known_*.sql statements, as the table schema types them. */
type Stored = { readonly revision: number; readonly received_at: Instant }
type TradeRow = Stored &
  Omit<TradeFacts, 'source_at'> & {
    readonly trade_id: string
    readonly venue_id: string
    readonly source_market_id: string
    readonly source_trade_id: string
    readonly first_source_trade_id: string | null
    readonly source_at: Instant
  }
type ResolutionRow = Stored & {
  readonly resolution_id: string
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly market_id: string
  readonly finality: string
  readonly payouts: readonly { readonly outcome_id: string; readonly payout: string }[] | null
  readonly source_at: Instant
}

type BookRow = Stored &
  Pick<BookRecord, 'venue_id' | 'price_unit' | 'bids' | 'asks'> & {
    readonly order_book_id: string
    readonly outcome_id: string
    readonly source_at: Instant
  }
type HazardRow = Stored &
  Omit<HazardRecord, 'started_at' | 'ended_at' | 'measures' | 'source_at' | 'received_at'> & {
    readonly event_id: string
    readonly started_at: Instant
    readonly ended_at: Instant | null
    readonly measures: string
    readonly source_at: Instant
  }

type MetricRow = Stored &
  Omit<MetricRecord, 'source_at' | 'received_at'> & { readonly metric_id: string; readonly source_at: Instant }
type EligibilityRow = Eligibility & {
  readonly eligibility_id: string
  readonly revision: number
  readonly market_id: string
  readonly evaluated_at: Instant
}

/** Stored reports of trades by chain, from known_trades.sql. */
export function knownTrades(rows: readonly Row[]): Map<string, KnownRevision[]> {
  return grouped(rows as unknown as readonly TradeRow[], (row) => ({
    chain: tradeChain(row.venue_id, row.source_market_id, row.source_trade_id),
    revision: { ...stored(row.trade_id, row), ...tradeFacts({ ...row, source_at: toMicros(row.source_at) }) },
  }))
}

/** The same rows as reports that new ones are matched with. */
export function knownReports(rows: readonly Row[]): readonly TradeReport[] {
  return (rows as unknown as readonly TradeRow[]).map((row) => ({ ...row, source_at: toMicros(row.source_at) }))
}

/** Stored books by chain, from known_books.sql. */
export function knownBooks(rows: readonly Row[]): Map<string, KnownRevision[]> {
  return grouped(rows as unknown as readonly BookRow[], (row) => ({
    chain: bookChain(row.venue_id, row.outcome_id, toMicros(row.source_at)),
    revision: { ...stored(row.order_book_id, row), ...bookFacts(row) },
  }))
}

/** Stored sizes of markets by chain, from known_metrics.sql. */
export function knownMetrics(rows: readonly Row[]): Map<string, KnownRevision[]> {
  return grouped(rows as unknown as readonly MetricRow[], (row) => ({
    chain: metricChain(row.venue_id, row.source_market_id, toMicros(row.source_at)),
    revision: { ...stored(row.metric_id, row), ...metricFacts(row) },
  }))
}

/** Stored decisions by market, from known_eligibility.sql. */
export function knownEligibility(rows: readonly Row[]): Map<string, KnownRevision[]> {
  return grouped(rows as unknown as readonly EligibilityRow[], (row) => ({
    chain: row.market_id,
    revision: {
      ...stored(row.eligibility_id, { revision: row.revision, received_at: row.evaluated_at }),
      ...eligibilityFacts(row),
    },
  }))
}

/** Stored resolutions by chain, from known_resolutions.sql. */
export function knownResolutions(rows: readonly Row[]): Map<string, KnownRevision[]> {
  return grouped(rows as unknown as readonly ResolutionRow[], (row) => ({
    chain: resolutionChain(row.venue_id, row.source_series_id, row.market_id, toMicros(row.source_at)),
    revision: { ...stored(row.resolution_id, row), ...resolutionFacts(row.finality, row.payouts ?? []) },
  }))
}

/** Stored revisions of events by id, from known_events.sql. */
export function knownEvents(rows: readonly Row[]): Map<string, StateRevision<EventState>[]> {
  return grouped(rows, ({ event_id, ...row }) => ({
    chain: String(event_id),
    revision: stateRevision<EventState>(row),
  }))
}

/** Stored revisions of markets by id, from known_markets.sql. */
export function knownMarkets(rows: readonly Row[]): Map<string, StateRevision<MarketState>[]> {
  return grouped(rows, ({ market_id, ...row }) => ({
    chain: String(market_id),
    revision: stateRevision<MarketState>(row),
  }))
}

/** Stored facts of hazard alerts by event id, from known_hazards.sql. */
export function knownHazards(rows: readonly Row[]): Map<string, StateRevision<string>[]> {
  return grouped(rows as unknown as readonly HazardRow[], (row) => ({
    chain: row.event_id,
    revision: { revision: row.revision, received_at: toMicros(row.received_at), state: hazardFacts(hazardOf(row)) },
  }))
}

function hazardOf(row: HazardRow): HazardRecord {
  return {
    ...row,
    measures: JSON.parse(row.measures) as HazardRecord['measures'],
    started_at: toMicros(row.started_at),
    ended_at: row.ended_at === null ? null : toMicros(row.ended_at),
    source_at: toMicros(row.source_at),
    received_at: toMicros(row.received_at),
  }
}

function stored(id: string, { revision, received_at }: Stored) {
  return { id, revision, received_at: toMicros(received_at) }
}

/** The state columns are exactly the keys of the state, so a stored state equals a new one that says the same. */
function stateRevision<S>({ revision, received_at, ...state }: Row): StateRevision<S> {
  return { revision: revision as number, received_at: toMicros(received_at), state: state as S }
}

function grouped<R, V>(
  rows: readonly R[],
  of: (row: R) => { readonly chain: string; readonly revision: V },
): Map<string, V[]> {
  const chains = new Map<string, V[]>()
  for (const row of rows) {
    const { chain, revision } = of(row)
    const revisions = chains.get(chain)
    if (revisions === undefined) chains.set(chain, [revision])
    else revisions.push(revision)
  }
  return chains
}
