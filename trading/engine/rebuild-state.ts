import { invariant } from '../../primitives/errors.ts'
import type { KeyAlgorithm } from '../../vocabulary/api-key.ts'
import type { Balance } from '../ledger/balance.ts'
import { isHouse } from '../ledger/entries.ts'
import { type FeeSchedule, feeSchedule } from '../ledger/fees.ts'
import { joinSide, workingSide } from '../ledger/position.ts'
import { requirementOf } from '../ledger/requirement.ts'
import type { MarketListing } from '../market/market-listing.ts'
import type { ListedTerms, MarketTerms } from '../market/market-terms.ts'
import type { AccountPolicy } from '../order/account-policy.ts'
import { isCanceledOnPause } from '../order/cancel-filter.ts'
import type { Position } from '../order/order.ts'
import type {
  BalanceRow,
  FeeScheduleRow,
  MarketRow,
  OrderRow,
  OutcomeRow,
  PositionRow,
  StateRows,
} from '../projections/rows.ts'
import { isLagging } from './follow-market.ts'
import { resumeMassCancel } from './mass-cancel.ts'
import { orderOfRow } from './order-of-row.ts'
import { protect } from './protect-maker.ts'
import { joinQuoteSet } from './quote-sets.ts'
import {
  type Account,
  accountOf,
  addOutcome,
  type EngineState,
  emptyState,
  houseBalance,
  ladderOf,
  type Market,
  outcomeOf,
  positionOf,
} from './state.ts'
import { keepResting } from './working-orders.ts'

type Schedules = ReadonlyMap<string, FeeSchedule>

/** A state under construction; working orders are added in the order of their acceptance. */
export type Rebuild = {
  readonly addOrder: (row: OrderRow) => void
  /** Returns the whole state after checking it. */
  readonly finish: () => EngineState
}

/**
 * Rebuilds the engine's state from the rows of the last committed batch. Derived values are computed again and compared with the
 * stored ones. All functions throw {InvariantError} if the rows contradict each other.
 */
export function rebuildState(rows: StateRows): Rebuild {
  const state = emptyState()
  const { last_batch } = rows
  if (last_batch !== null) {
    state.clock = last_batch.at
    state.engine_sequence = last_batch.last_engine_sequence
    state.ledger_sequence = last_batch.last_ledger_sequence
    state.history = last_batch.history ?? ''
  }
  for (const { asset_id, scale } of rows.asset) state.assets.set(asset_id, { asset_id, scale })
  addAccounts(state, rows)
  const schedules = schedulesOf(rows)
  addMarkets(state, rows, schedules)
  for (const row of rows.market_maker_protection) {
    protect(accountOf(state, row.account_id), state.markets.get(row.market_id)!, { ...row })
  }
  for (const row of rows.position) addPosition(state, row)
  return {
    addOrder: (row) => addOrder(state, schedules, row),
    finish: () => {
      checkReservations(state)
      for (const row of rows.mass_cancel) resumeMassCancel(state, row)
      for (const market of state.markets.values()) resumeLagging(state, market)
      return state
    },
  }
}

function addAccounts(state: EngineState, { account, balance, api_key, signer_authorization }: StateRows): void {
  for (const { policy, cancel_after_at, ...row } of account) {
    const made: Account = {
      ...row,
      policy: policy as AccountPolicy,
      authorizations: [],
      balances: new Map(),
      positions: new Map(),
      open_orders: { count: 0, cancel_after_at },
      open_orders_by_market: new Map(),
      working_by_client_id: new Map(),
      quote_sets: new Map(),
      protections: new Map(),
    }
    state.accounts.set(row.account_id, made)
    if (cancel_after_at !== null) state.switches.add(cancel_after_at, state.accounts.size, made)
  }
  for (const row of balance) accountOf(state, row.account_id).balances.set(row.asset_id, balanceOfRow(row))
  for (const { algorithm, ...row } of api_key) {
    state.keys.set(row.key_id, { ...row, algorithm: algorithm as KeyAlgorithm })
  }
  for (const { account_id, signer, api_key_id, expires_at, purpose } of signer_authorization) {
    if (purpose !== 'create') continue
    accountOf(state, account_id).authorizations.push({ signer, api_key_id, expires_at })
  }
}

function balanceOfRow({ ledger_sequence, engine_sequence, ...row }: BalanceRow): Balance {
  return { ...row, changed: false }
}

function addMarkets(state: EngineState, { market, market_outcome }: StateRows, schedules: Schedules): void {
  for (const schedule of schedules.values()) {
    const newest = state.fee_schedules.get(schedule.schedule_id)
    if ((newest?.schedule_version ?? 0) < schedule.schedule_version) {
      state.fee_schedules.set(schedule.schedule_id, schedule)
    }
  }
  for (const row of market) {
    const fees = schedules.get(scheduleKey(row))
    invariant(fees !== undefined, `fee schedule ${scheduleKey(row)} of market ${row.market_id} is stored`)
    state.markets.set(row.market_id, marketOfRow(state, row, fees))
  }
  for (const row of market_outcome) restoreOutcome(state, row)
}

function schedulesOf({ fee_schedule }: StateRows): Schedules {
  return new Map(fee_schedule.map((row) => [scheduleKey(row), scheduleOfRow(row)]))
}

function scheduleKey({ schedule_id, schedule_version }: Pick<FeeScheduleRow, 'schedule_id' | 'schedule_version'>) {
  return `${schedule_id} ${schedule_version}`
}

function scheduleOfRow({ schedule_id, schedule_version, taker_rate, maker_rate }: FeeScheduleRow): FeeSchedule {
  return feeSchedule(schedule_id, schedule_version, { taker_rate, maker_rate })
}

function marketOfRow(state: EngineState, row: MarketRow, fees: FeeSchedule): Market {
  // Terms of an earlier version do not state it.
  const terms = { ...(row.terms as MarketTerms), complementary: (row.terms as MarketTerms).complementary === true }
  return {
    market_id: row.market_id,
    terms,
    listed: row.listed as { terms: ListedTerms; listing: MarketListing | null },
    outcomes: new Map(),
    orders: new Set(),
    created_at: row.created_at,
    updated_at: row.updated_at,
    status: row.status as Market['status'],
    fees,
    clearing: houseBalance(state, 'clearing', terms.settlement_asset_id),
    fee_income: houseBalance(state, 'fees', terms.settlement_asset_id),
    unpaid: null,
  }
}

function restoreOutcome(state: EngineState, { place, market_id, ...row }: OutcomeRow): void {
  const market = state.markets.get(market_id)
  invariant(market !== undefined, `market ${market_id} of outcome ${row.outcome_id} is stored`)
  addOutcome(market, row)
}

function addPosition(state: EngineState, row: PositionRow): void {
  const position = positionOf(accountOf(state, row.account_id), outcomeOf(state, row))
  position.net_quantity = row.net_quantity
  position.settled_quantity = row.settled_quantity
  position.average_entry_price = row.average_entry_price
  position.realized_pnl = row.realized_pnl
  position.pending_short_credit = row.pending_short_credit
  position.open_settlements = row.open_settlements
  position.order_reserve = row.order_reserve
  position.requirement = row.requirement
  position.covering = row.covering
  position.source_fill_sequence = row.source_fill_sequence
  position.projection_version = row.projection_version
  position.engine_sequence = row.engine_sequence
}

/** Adds an order behind earlier ones, so that each keeps its queue order and its order within the account. */
function addOrder(state: EngineState, schedules: Schedules, row: OrderRow): void {
  const fees = schedules.get(`${row.schedule_id} ${row.schedule_version}`)
  invariant(fees !== undefined, `fee schedule of order ${row.order_id} is stored`)
  const outcome = ladderOf(outcomeOf(state, row))
  const order = orderOfRow(row, positionOf(accountOf(state, row.account_id), outcome), fees)
  const side = workingSide(order.position, order.side)
  const last = order.terms.complementary ? 0 : (side.newest?.accepted_sequence ?? 0)
  invariant(order.accepted_sequence > last, `order ${order.order_id} was accepted after those before it`)
  joinSide(order)
  side.remaining += order.remaining_quantity
  if (order.reduce_only) side.reduce_only_remaining += order.remaining_quantity
  state.orders.set(order.order_id, order)
  accountOf(state, row.account_id).working_by_client_id.set(row.client_order_id, order)
  joinQuoteSet(accountOf(state, row.account_id), order, row.quote_set_id)
  outcome.market.orders.add(order)
  keepResting(outcome, order, outcome.book.restore(order))
  if (order.expires_at !== null) state.expiries.add(order.expires_at, order.accepted_sequence, order)
}

/**
 * Continues what pauses and openings left to later batches. An engine of an earlier version planned the ends of a pause without a row:
 * those of orders that ask for it and are not suspended.
 */
function resumeLagging(state: EngineState, market: Market): void {
  for (const order of market.orders) {
    if (!isLagging(state, order)) continue
    if (market.status === 'paused' && isCanceledOnPause(order)) {
      order.planned_end = { reason: 'CANCEL_ON_PAUSE', origin: null, task: null }
      state.planned_ends.orders.push(order)
    } else state.lagging.orders.push(order)
  }
}

function checkReservations({ accounts }: EngineState): void {
  for (const { account_id, positions, balances } of accounts.values()) {
    if (isHouse(account_id)) continue
    const reserved = new Map<string, number>()
    for (const position of positions.values()) {
      const { requirement, outcome_id, terms } = position
      invariant(
        requirement === requirementOf(position),
        `requirement of ${account_id} in ${outcome_id} is what it must be`,
      )
      checkOrderReserve(position)
      reserved.set(terms.settlement_asset_id, (reserved.get(terms.settlement_asset_id) ?? 0) + requirement)
    }
    for (const { asset_id, reserved: stored } of balances.values()) {
      invariant(
        stored === (reserved.get(asset_id) ?? 0),
        `reserved ${asset_id} of ${account_id} is the sum of its positions'`,
      )
    }
  }
}

function checkOrderReserve({ buys, sells, order_reserve, account_id, outcome_id }: Position): void {
  let sum = 0
  for (const { oldest } of [buys, sells])
    for (let order = oldest; order !== null; order = order.newer) sum += order.reserved_amount
  invariant(sum === order_reserve, `reserve of the orders of ${account_id} in ${outcome_id} is their sum`)
}
