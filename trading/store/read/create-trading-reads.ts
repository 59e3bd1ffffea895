import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { AuthKey } from '../../auth/auth-key.ts'
import { SIGNS_ORDERS } from '../../engine/check-signature.ts'
import type { AccountRow, SignerRow } from '../../projections/rows.ts'
import type { Pool } from '../create-pool.ts'
import { readRedemption } from './redemption-reads.ts'
import { NO_SETTLEMENT_FILTERS, readSettlements } from './settlement-reads.ts'
import { headOf, type List, type Query, queryOnce, snapshot } from './snapshot.ts'
import { readStatement } from './statement-reads.ts'
import { readEquity, readSummary } from './summary-reads.ts'
import type {
  AdjustmentRead,
  BalanceRead,
  FeeScheduleRead,
  FillFilters,
  FillRead,
  KeyAuditRead,
  KeyRead,
  OrderDetailRead,
  OrderFilters,
  OrderRead,
  Page,
  Part,
  PositionFilters,
  PositionRead,
  ProtectionRead,
  TradingReads,
  TransferRead,
} from './trading-reads.ts'
import { createWebhookReads } from './webhook-reads.ts'

/** Creates the reads over a pool of the trading database. */
export function createTradingReads(pool: Pool): TradingReads {
  const page = <R>(name: string, values: readonly unknown[]): Promise<Page<R>> =>
    snapshot(pool, async (query, list) => ({ head: await headOf(query, null), ...(await list<R>(name, values)) }))
  return {
    head: () => snapshot(pool, (query) => headOf(query, null)),
    key: async (key_id) => (await queryOnce<AuthKey>(pool, 'find_key', [key_id]))[0] ?? null,
    keys: (account_id, part) => page<KeyRead>('list_keys', [account_id, ...instantKey(part), part.limit]),
    signers: (account_id, now, part) =>
      page<SignerRow>('list_signers', [account_id, formatMicros(now), SIGNS_ORDERS, ...instantKey(part), part.limit]),
    keyAudit: async (account_id, key_id, part) => {
      if ((await queryOnce(pool, 'has_key', [account_id, key_id])).length === 0) return null
      return page<KeyAuditRead>('list_key_audit', [key_id, ...instantKey(part), part.limit])
    },
    orders: (account_id, filters, part) => page<OrderRead>('list_orders', orderValues(account_id, filters, null, part)),
    order: (account_id, order_id) => snapshot(pool, (query) => readOrder(query, account_id, order_id)),
    orderByClientId: (account_id, client_order_id) =>
      snapshot(pool, (query) => readOrderByClientId(query, account_id, client_order_id)),
    fills: (account_id, filters, part) => page<FillRead>('list_fills', fillValues(account_id, filters, null, part)),
    fill: (account_id, fill_id) => page<FillRead>('list_fills', fillValues(account_id, NO_FILTERS, fill_id, ONE)),
    positions: (account_id, filters, as_of, part) =>
      snapshot(pool, (query, list) => readPositions({ query, list }, account_id, filters, as_of, part)),
    balances: (account_id, asset_id, as_of) =>
      snapshot(pool, (query) => readBalances(query, account_id, asset_id, as_of)),
    redemption: (account_id, market_id) => snapshot(pool, (query) => readRedemption(query, account_id, market_id)),
    adjustments: (account_id, { engine_sequence_after, published_after, published_before }, part) => {
      const values = [account_id, engine_sequence_after, part.after?.[0] ?? null, part.limit]
      return page<AdjustmentRead>('list_adjustments', [...values, instant(published_after), instant(published_before)])
    },
    settlements: (account_id, filters, part) =>
      snapshot(pool, (query, list) => readSettlements({ query, list }, account_id, filters, null, part)),
    settlement: (account_id, settlement_id) =>
      snapshot(pool, (query, list) =>
        readSettlements({ query, list }, account_id, NO_SETTLEMENT_FILTERS, settlement_id, ONE),
      ),
    statement: (account_id, filters, as_of, part) =>
      snapshot(pool, (query) => readStatement(query, account_id, filters, as_of, part)),
    summary: (account_id, as_of) => snapshot(pool, (query) => readSummary(query, account_id, as_of)),
    equity: (account_id, asset_id, instants) =>
      snapshot(pool, (query) => readEquity(query, account_id, asset_id, instants)),
    feeSchedules: (schedule_id, market_id, { after, limit }) =>
      page<FeeScheduleRead>('list_fee_schedules', [schedule_id, market_id, ...(after ?? [null, null]), limit]),
    transfers: (account_id, { direction, state, requested_after, requested_before }, part) => {
      const values = [account_id, direction, state, null, ...instantKey(part), part.limit]
      return page<TransferRead>('list_transfers', [...values, instant(requested_after), instant(requested_before)])
    },
    transfer: async (account_id, transfer_id) => {
      const one = [account_id, null, null, transfer_id, ...instantKey(ONE), ONE.limit, null, null]
      return (await queryOnce<TransferRead>(pool, 'list_transfers', one))[0] ?? null
    },
    protections: (account_id, { after, limit }) =>
      page<ProtectionRead>('list_protections', [account_id, null, after?.[0] ?? null, limit]),
    protection: async (account_id, market_id) =>
      (await queryOnce<ProtectionRead>(pool, 'list_protections', [account_id, market_id, null, 1]))[0] ?? null,
    ...createWebhookReads(pool),
    account: async (account_id) => (await queryOnce<AccountRow>(pool, 'find_account', [account_id]))[0] ?? null,
    hasMarket: async (market_id) => (await queryOnce(pool, 'has_market', [market_id])).length > 0,
  }
}

const ONE: Part = { after: null, limit: 1 }
const NO_FILTERS: FillFilters & OrderFilters = {
  order_id: null,
  market_id: null,
  outcome_id: null,
  side: null,
  statuses: null,
  client_order_id: null,
  command_id: null,
  quote_set_id: null,
  created_after: null,
  created_before: null,
  updated_after: null,
  liquidity_role: null,
  settlement_state: null,
  matched_after: null,
  matched_before: null,
  engine_sequence_after: null,
}

/** Returns the instant and id of a cursor as the statements take them; cursors carry microseconds. */
function instantKey({ after }: Part): readonly [string | null, string | null] {
  return after === null ? [null, null] : [formatMicros(after[0] as Micros), after[1] as string]
}

function instant(at: Micros | null): string | null {
  return at === null ? null : formatMicros(at)
}

function orderValues(account_id: string, filters: OrderFilters, order_id: string | null, part: Part): unknown[] {
  const { market_id, outcome_id, statuses, side, client_order_id } = filters
  const times = [filters.created_after, filters.created_before, filters.updated_after].map(instant)
  const { command_id, quote_set_id } = filters
  const chosen = [market_id, outcome_id, statuses, side, client_order_id, ...times, order_id, command_id]
  return [account_id, ...chosen, ...instantKey(part), part.limit, quote_set_id]
}

function fillValues(account_id: string, filters: FillFilters, fill_id: string | null, part: Part): unknown[] {
  const { order_id, market_id, outcome_id, side, liquidity_role, settlement_state, engine_sequence_after } = filters
  const times = [filters.matched_after, filters.matched_before].map(instant)
  const chosen = [order_id, market_id, outcome_id, side, liquidity_role, settlement_state, ...times]
  return [account_id, ...chosen, engine_sequence_after, fill_id, part.after?.[0] ?? null, part.limit]
}

async function readOrder(query: Query, account_id: string, order_id: string): Promise<Page<OrderDetailRead>> {
  const head = await headOf(query, null)
  const [row] = await query<OrderRead>('list_orders', orderValues(account_id, NO_FILTERS, order_id, ONE))
  if (row === undefined) return { head, rows: [] }
  const links = await query<OrderDetailRead['links'][number]>('order_links', [order_id])
  const by_prevention = row.terminal_reason === 'SELF_TRADE_PREVENTION'
  const prevented = await query<OrderDetailRead['prevented'][number]>('order_prevented', [order_id, by_prevention])
  return { head, rows: [{ ...row, links, prevented }] }
}

async function readOrderByClientId(query: Query, account_id: string, client_order_id: string) {
  const [named] = await query<{ order_id: string }>('newest_of_client_id', [account_id, client_order_id])
  return named === undefined
    ? { head: await headOf(query, null), rows: [] }
    : readOrder(query, account_id, named.order_id)
}

async function readBalances(
  query: Query,
  account_id: string,
  asset_id: string | null,
  as_of: Micros | null,
): Promise<Page<BalanceRead>> {
  const head = await headOf(query, as_of)
  const rows =
    as_of === null
      ? await query<BalanceRead>('list_balances', [account_id, asset_id])
      : await query<BalanceRead>('list_balances_at', [account_id, asset_id, head.engine_sequence, head.ledger_sequence])
  return { head, rows }
}

/** Reads positions as they are now, or as of the last batch up to an instant. */
async function readPositions(
  { query, list }: { readonly query: Query; readonly list: List },
  account_id: string,
  filters: PositionFilters,
  as_of: Micros | null,
  { after, limit }: Part,
): Promise<Page<PositionRead>> {
  const head = await headOf(query, as_of)
  const { market_id, outcome_id, nonzero_only, settlement_state } = filters
  const [market_after = null, outcome_after = null] = after ?? []
  const chosen = [market_id, outcome_id, nonzero_only, settlement_state, market_after, outcome_after, limit]
  if (as_of === null) return { head, ...(await list<PositionRead>('list_positions', [account_id, ...chosen])) }
  const upto = [head.engine_sequence, head.ledger_sequence, formatMicros(head.at)]
  return { head, ...(await list<PositionRead>('list_positions_at', [account_id, ...chosen, ...upto])) }
}
