import type { StateRevision } from '../../pipelines/venues/plan-references.ts'
import type { KnownRevision } from '../../pipelines/venues/plan-revisions.ts'
import type { EventState, MarketState } from '../../pipelines/venues/reference-states.ts'
import { resolutionChain, resolutionFacts } from '../../pipelines/venues/resolution-revisions.ts'
import { type TradeFacts, tradeChain, tradeFacts } from '../../pipelines/venues/trade-revisions.ts'
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

/** Stored reports of trades by chain, from known_trades.sql. */
export function knownTrades(rows: readonly Row[]): Map<string, KnownRevision[]> {
  return grouped(rows as unknown as readonly TradeRow[], (row) => ({
    chain: tradeChain(row.venue_id, row.source_market_id, row.source_trade_id),
    revision: { ...stored(row.trade_id, row), ...tradeFacts({ ...row, source_at: toMicros(row.source_at) }) },
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
