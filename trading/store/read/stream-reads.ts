import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { MarketTerms } from '../../market/market-terms.ts'
import type { OrderBase } from '../../projections/order-at.ts'
import type { AccountRow, AdjustmentRow, FillRow } from '../../projections/rows.ts'
import type { SettlementRead, SettlementWhole } from '../../projections/settlement.ts'
import type { Pool } from '../create-pool.ts'
import type { TailedEvent } from '../tailed-event.ts'
import { wholeSettlements } from './settlement-reads.ts'
import { headOf, type Query, queryOnce, snapshot } from './snapshot.ts'
import type { BalanceRead, FillRead, Head, OrderRead, PositionRead, ProtectionRead } from './trading-reads.ts'

/** An event with the last engine_sequence of its batch. */
export type BatchedEvent = TailedEvent & { readonly last_engine_sequence: number }
/** Facts of an order that its events do not carry. */
type OrderBaseRead = OrderBase & Pick<OrderRead, 'asset_scale'>
/** Facts of a fill that its event does not carry. */
type FillFacts = Pick<FillRow, 'fill_id' | 'client_order_id' | 'fee_rate' | 'schedule_id' | 'schedule_version'>
type AdjustmentBare = AdjustmentRow & { readonly market_id: string; readonly market_terms: MarketTerms }
type MarkAt = Pick<PositionRead, 'mark' | 'mark_observation_id'>
/** A settlement that a position waited for. */
export type Waiting = {
  readonly account_id: string
  readonly outcome_id: string
  readonly settlement_id: string
  readonly created_at: Micros
  /** null: still waited for. */
  readonly waited_until: Micros | null
}

/** Reads of private streams. */
export type StreamView = {
  readonly head: () => Promise<Head>
  /** Oldest first. */
  readonly eventsAfter: (
    account_id: string,
    kinds: readonly string[],
    after: number,
    limit: number,
  ) => Promise<readonly BatchedEvent[]>
  /** 0: none. */
  readonly lastEventOf: (account_id: string, kinds: readonly string[], up_to: number) => Promise<number>
  /** The last event before the batch of an event. */
  readonly batchBefore: (engine_sequence: number) => Promise<number>
  readonly orders: (ids: readonly string[]) => Promise<readonly OrderBaseRead[]>
  readonly fillFacts: (ids: readonly string[]) => Promise<readonly FillFacts[]>
  readonly adjustments: (ids: readonly string[]) => Promise<readonly AdjustmentBare[]>
  readonly settlements: (ids: readonly string[]) => Promise<readonly SettlementWhole[]>
  /** In the order requested. */
  readonly marksAt: (
    asked: readonly { readonly outcome_id: string; readonly at: Micros }[],
  ) => Promise<readonly MarkAt[]>
  readonly waitingBetween: (
    positions: readonly { readonly account_id: string; readonly outcome_id: string }[],
    from: Micros,
    to: Micros,
  ) => Promise<readonly Waiting[]>
  /** In the order requested. */
  readonly policies: (
    asked: readonly { readonly account_id: string; readonly policy_id: string; readonly policy_version: number }[],
  ) => Promise<readonly { readonly policy: unknown }[]>
  /** Scales of these assets, possibly of others too. */
  readonly assetScales: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** Terms of these markets, possibly of others too. */
  readonly marketTerms: (ids: readonly string[]) => Promise<ReadonlyMap<string, MarketTerms>>
  readonly workingOrders: (account_id: string, market_id: string | null, limit: number) => Promise<readonly OrderRead[]>
  readonly newestFills: (account_id: string, market_id: string | null, limit: number) => Promise<readonly FillRead[]>
  readonly openSettlements: (
    account_id: string,
    market_id: string | null,
    limit: number,
  ) => Promise<readonly SettlementWhole[]>
  readonly positions: (account_id: string, market_id: string | null, limit: number) => Promise<readonly PositionRead[]>
  readonly balances: (account_id: string) => Promise<readonly BalanceRead[]>
  readonly protections: (
    account_id: string,
    market_id: string | null,
    limit: number,
  ) => Promise<readonly ProtectionRead[]>
  readonly account: (account_id: string) => Promise<AccountRow | null>
}

/** Reads of private streams. Each fails with SERVICE_UNAVAILABLE if the database does not answer. */
export type StreamReads = {
  /** Runs reads on one state of the database. */
  readonly together: <T>(work: (view: StreamView) => Promise<T>) => Promise<T>
  /** Reads on the state at the time of each. */
  readonly each: StreamView
}

/** Creates the reads of private streams over a pool of the trading database. */
export function createStreamReads(pool: Pool): StreamReads {
  const known: Known = { scales: new Map(), terms: new Map() }
  return {
    together: (work) => snapshot(pool, (query) => work(viewOf(query, known))),
    each: viewOf((name, values) => queryOnce(pool, name, values), known),
  }
}

/** Facts that never change once written, read once. */
type Known = { readonly scales: Map<string, number>; readonly terms: Map<string, MarketTerms> }

function viewOf(query: Query, known: Known): StreamView {
  return {
    head: () => headOf(query, null),
    eventsAfter: (account_id, kinds, after, limit) => query('account_events', [account_id, kinds, after, limit]),
    lastEventOf: (account_id, kinds, up_to) => sequenceOf(query, 'last_event_of', [account_id, kinds, up_to]),
    batchBefore: (engine_sequence) => sequenceOf(query, 'batch_before', [engine_sequence]),
    orders: (ids) => query('order_bases', [ids]),
    fillFacts: (ids) => query('fill_facts', [ids]),
    adjustments: (ids) => query('adjustments_by_id', [ids]),
    settlements: async (ids) => wholeSettlements(query, await query<SettlementRead>('settlements_by_id', [ids])),
    marksAt: (asked) =>
      query('marks_at', [asked.map(({ outcome_id }) => outcome_id), asked.map(({ at }) => formatMicros(at))]),
    waitingBetween: (positions, from, to) => {
      const accounts = positions.map(({ account_id }) => account_id)
      const outcomes = positions.map(({ outcome_id }) => outcome_id)
      return query('waiting_between', [accounts, outcomes, formatMicros(from), formatMicros(to)])
    },
    policies: (asked) => {
      const accounts = asked.map(({ account_id }) => account_id)
      const ids = asked.map(({ policy_id }) => policy_id)
      return query('policies_at', [accounts, ids, asked.map(({ policy_version }) => policy_version)])
    },
    assetScales: (ids) => complete(known.scales, ids, () => scalesIn(query)),
    marketTerms: (ids) => complete(known.terms, ids, (missing) => termsIn(query, missing)),
    ...snapshotsOf(query),
  }
}

/** Adds the missing entries to a map. */
async function complete<T>(
  known: Map<string, T>,
  ids: readonly string[],
  read: (missing: readonly string[]) => Promise<readonly (readonly [string, T])[]>,
): Promise<ReadonlyMap<string, T>> {
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length > 0) for (const [id, value] of await read([...new Set(missing)])) known.set(id, value)
  return known
}

async function scalesIn(query: Query) {
  const rows = await query<{ asset_id: string; scale: number }>('list_assets', [])
  return rows.map(({ asset_id, scale }) => [asset_id, scale] as const)
}

async function termsIn(query: Query, ids: readonly string[]) {
  const rows = await query<{ market_id: string; terms: MarketTerms }>('market_terms', [ids])
  return rows.map(({ market_id, terms }) => [market_id, terms] as const)
}

function snapshotsOf(query: Query) {
  return {
    workingOrders: (account_id: string, market_id: string | null, limit: number) =>
      query<OrderRead>('working_orders_of', [account_id, market_id, limit]),
    newestFills: (account_id: string, market_id: string | null, limit: number) => {
      const nothing_else = new Array(9).fill(null)
      return query<FillRead>('list_fills', [account_id, null, market_id, ...nothing_else, limit])
    },
    openSettlements: async (account_id: string, market_id: string | null, limit: number) =>
      wholeSettlements(query, await query<SettlementRead>('open_settlements_of', [account_id, market_id, limit])),
    positions: (account_id: string, market_id: string | null, limit: number) =>
      query<PositionRead>('list_positions', [account_id, market_id, null, false, null, null, null, limit]),
    balances: (account_id: string) => query<BalanceRead>('list_balances', [account_id, null]),
    protections: (account_id: string, market_id: string | null, limit: number) =>
      query<ProtectionRead>('list_protections', [account_id, market_id, null, limit]),
    account: async (account_id: string) => (await query<AccountRow>('find_account', [account_id]))[0] ?? null,
  }
}

async function sequenceOf(query: Query, name: string, values: readonly unknown[]): Promise<number> {
  const [row] = await query<{ engine_sequence: number }>(name, values)
  return row?.engine_sequence ?? 0
}
