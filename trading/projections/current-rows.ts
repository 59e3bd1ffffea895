import type { Account, ApiKey, EngineState, Market } from '../engine/state.ts'
import type { Balance } from '../ledger/balance.ts'
import type { FeeSchedule } from '../ledger/fees.ts'
import { reservedToSell } from '../ledger/position.ts'
import type { Position } from '../order/order.ts'
import type { AccountRow, BalanceRow, FeeScheduleRow, KeyRow, MarketRow, OutcomeRow, PositionRow } from './rows.ts'

/** Returns an account's row. */
export function accountRow(account: Account): AccountRow {
  const { account_id, owner_address, label, blocked, policy, cancel_after_ms, open_orders, created_at } = account
  const { cancel_after_at } = open_orders
  return { account_id, owner_address, label, blocked, policy, cancel_after_ms, cancel_after_at, created_at }
}

/** Returns a market's row. */
export function marketRow({ market_id, status, listed, terms, fees, created_at, updated_at }: Market): MarketRow {
  const { schedule_id, schedule_version } = fees
  const event_id = listed.listing?.event_id ?? null
  return { market_id, event_id, status, listed, terms, schedule_id, schedule_version, created_at, updated_at }
}

/** Returns the rows of a market's outcomes, in listing order. */
export function outcomeRows({ market_id, outcomes }: Market): OutcomeRow[] {
  return [...outcomes.values()].map(({ outcome_id, label, mark, mark_observation_id, payout }, place) => ({
    outcome_id,
    market_id,
    place,
    label,
    mark,
    mark_observation_id,
    payout,
  }))
}

/** Returns the row of one version of a fee schedule. */
export function feeScheduleRow(schedule: FeeSchedule & { readonly at: number }): FeeScheduleRow {
  const { schedule_id, schedule_version, written, at } = schedule
  return { schedule_id, schedule_version, ...written, at }
}

/** Returns a balance's row with the sequences of the last transaction and event of the batch. */
export function balanceRow(balance: Balance, { ledger_sequence, engine_sequence }: EngineState): BalanceRow {
  return {
    account_id: balance.account_id,
    asset_id: balance.asset_id,
    total: balance.total,
    reserved: balance.reserved,
    withdrawal_hold: balance.withdrawal_hold,
    pending_settlement_debit: balance.pending_settlement_debit,
    pending_settlement_credit: balance.pending_settlement_credit,
    projection_version: balance.projection_version,
    ledger_sequence,
    engine_sequence,
  }
}

/** Returns a position's row. */
export function positionRow(position: Position): PositionRow {
  return {
    account_id: position.account_id,
    outcome_id: position.outcome_id,
    market_id: position.market_id,
    net_quantity: position.net_quantity,
    settled_quantity: position.settled_quantity,
    average_entry_price: position.average_entry_price,
    realized_pnl: position.realized_pnl,
    pending_short_credit: position.pending_short_credit,
    open_settlements: position.open_settlements,
    order_reserve: position.order_reserve,
    requirement: position.requirement,
    covering: position.covering,
    reserved_sell_quantity: reservedToSell(position),
    source_fill_sequence: position.source_fill_sequence,
    projection_version: position.projection_version,
    engine_sequence: position.engine_sequence,
  }
}

/** Returns a key's row. */
export function keyRow(key: ApiKey): KeyRow {
  return {
    key_id: key.key_id,
    account_id: key.account_id,
    environment: key.environment,
    label: key.label,
    algorithm: key.algorithm,
    scopes: key.scopes,
    ip_allowlist: key.ip_allowlist,
    secret_version: key.secret_version,
    material: key.material,
    previous_material: key.previous_material,
    previous_until: key.previous_until,
    created_at: key.created_at,
    expires_at: key.expires_at,
    revoked_at: key.revoked_at,
    revoke_reason: key.revoke_reason,
  }
}
