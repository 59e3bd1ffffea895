import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Changes } from '../engine/changes.ts'
import type { EngineEvent, FillEvent, TradeEvent } from '../engine/events.ts'
import { accountOf, type EngineState, type Market, type Outcome } from '../engine/state.ts'
import type { LedgerEntry } from '../ledger/entries.ts'
import { sideAmounts } from '../ledger/ladder-fill.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import type { Order } from '../order/order.ts'
import { accountRow, balanceRow, feeScheduleRow, keyRow, marketRow, outcomeRows, positionRow } from './current-rows.ts'
import { orderRow } from './order-row.ts'
import { protectionRow } from './protection.ts'
import type {
  ChangedRows,
  EventRow,
  FillRow,
  LedgerRow,
  OrderRow,
  OutcomeMarkRow,
  OutcomeRow,
  PreventedMatchRow,
  SettlementRow,
  TradeRow,
} from './rows.ts'
import { type Closing, NOT_SPLIT } from './settlement-rows.ts'

/** Returns the rows that a batch writes. @throws {InvariantError} `finishBatch` has not ended the batch */
export function changedRows(state: EngineState, changes: Changes): ChangedRows {
  invariant(changes.finished, 'finishBatch ends a batch before its rows are made')
  const orders = new Map(changes.orders.map((order) => [order.order_id, order]))
  const records = recordsOf(changes)
  return {
    engine_event: changes.events.map(eventRow),
    operator_act: changes.acts,
    operator_key: [...changes.operator_keys.values()],
    asset: changes.assets,
    account: [...changes.accounts].map(accountRow),
    account_policy: changes.policies,
    fee_schedule: changes.fee_schedules.map(feeScheduleRow),
    market: [...changes.markets].map(marketRow),
    market_outcome: changedOutcomes(changes),
    orders: orderRows(changes),
    mass_cancel: [...changes.mass_cancels.values()],
    trade: records.trades,
    fill: records.fills.map((fill) => fillRow(fill, orders)),
    prevented_match: records.prevented,
    ledger_entry: ledgerRows(changes.entries),
    balance: changes.balances.map((balance) => balanceRow(balance, state)),
    position: changes.positions.map(positionRow),
    settlement: settlementRows(records.fills, changes, state),
    settlement_attempt: [...changes.attempts.values()],
    settlement_transition: changes.transitions,
    settlement_reversal: changes.reversals,
    resolution: [...changes.resolutions.values()],
    resolution_payout: changes.payouts,
    outcome_mark: [...changes.marked].map((outcome) => markRow(outcome, state.clock)),
    adjustment: changes.adjustments,
    transfer: [...changes.transfers.values()],
    market_maker_protection: [...changes.protections.values()].map(protectionRow),
    api_key: [...changes.keys].map(keyRow),
    api_key_audit: changes.key_audits,
    signer_authorization: changes.authorizations,
    request_nonce: changes.request_nonces,
    idempotent_answer: changes.answers,
    order_nonce: changes.order_nonces,
  }
}

/** Sequence and instant have columns of their own; the rest is the body. */
function eventRow({ engine_sequence, at, kind, ...body }: EngineEvent): Omit<EventRow, 'batch_sequence'> {
  return { engine_sequence, kind, account_id: 'account_id' in body ? body.account_id : null, body }
}

/** Returns all outcomes of changed markets, and those whose mark has changed. */
function changedOutcomes({ markets, marked }: Changes): OutcomeRow[] {
  const rows = [...markets].flatMap(outcomeRows)
  const of_marks = new Map<Market, OutcomeRow[]>()
  for (const { market, outcome_id } of marked) {
    if (markets.has(market)) continue
    const all = of_marks.get(market) ?? outcomeRows(market)
    of_marks.set(market, all)
    rows.push(all.find((row) => row.outcome_id === outcome_id)!)
  }
  return rows
}

function markRow({ outcome_id, market, mark, mark_observation_id }: Outcome, at: Micros): OutcomeMarkRow {
  return { outcome_id, at, market_id: market.market_id, mark, mark_observation_id }
}

function orderRows({ orders, order_rows }: Changes): OrderRow[] {
  const rows = new Map(order_rows)
  for (const order of orders) rows.set(order.order_id, orderRow(order))
  return [...rows.values()]
}

function recordsOf({ events }: Changes) {
  const trades: TradeRow[] = []
  const fills: FillEvent[] = []
  const prevented: PreventedMatchRow[] = []
  for (const event of events) {
    if (event.kind === 'fill') fills.push(event)
    else if (event.kind === 'trade') trades.push(tradeRow(event))
    else if (event.kind === 'prevented_match') {
      const { kind, ...row } = event
      prevented.push(row)
    }
  }
  return { trades, fills, prevented }
}

function tradeRow({ kind, ...row }: TradeEvent): TradeRow {
  return { ...row, segments: row.segments ?? null }
}

/** @param orders the orders that the batch has changed, which include every filled one */
function fillRow(fill: FillEvent, orders: ReadonlyMap<string, Order>): FillRow {
  const order = orders.get(fill.order_id)
  invariant(order !== undefined, `order ${fill.order_id} has changed with its fill`)
  const { schedule_id, schedule_version, written } = order.fees
  return {
    fill_id: fill.fill_id,
    engine_sequence: fill.engine_sequence,
    trade_id: fill.trade_id,
    settlement_id: fill.settlement_id,
    order_id: fill.order_id,
    client_order_id: order.intent.client_order_id,
    account_id: fill.account_id,
    market_id: fill.market_id,
    outcome_id: fill.outcome_id,
    side: fill.side,
    liquidity_role: fill.liquidity_role,
    price: fill.price,
    quantity: fill.quantity,
    notional: fill.notional,
    fee: fill.fee,
    fee_rate: fill.liquidity_role === 'maker' ? written.maker_rate : written.taker_rate,
    schedule_id,
    schedule_version,
    uncovered_quantity: fill.uncovered_quantity,
    short_credit: fill.short_credit,
    segments: fill.segments ?? null,
    closed_quantity: fill.closed_quantity ?? null,
    closing_fee: fill.closing_fee ?? null,
    at: fill.at,
  }
}

function ledgerRows(entries: Iterable<LedgerEntry>): LedgerRow[] {
  const rows: LedgerRow[] = []
  let [last, line] = [0, 0]
  for (const entry of entries) {
    line = entry.ledger_sequence === last ? line + 1 : 0
    last = entry.ledger_sequence
    rows.push({
      ledger_sequence: entry.ledger_sequence,
      line,
      kind: entry.kind,
      account_id: entry.account_id,
      asset_id: entry.asset_id,
      bucket: entry.bucket,
      amount: entry.amount,
      reference_id: entry.reference_id,
      engine_sequence: entry.engine_sequence,
      at: entry.at,
    })
  }
  return rows
}

/** Returns a pending settlement for each fill side, and the settlements that moved or belong to payouts. */
function settlementRows(fills: readonly FillEvent[], { settlements }: Changes, state: EngineState): SettlementRow[] {
  const rows = new Map<string, SettlementRow>()
  for (const fill of fills) rows.set(fill.settlement_id, pendingSettlement(fill, state))
  for (const [id, row] of settlements) rows.set(id, row)
  return [...rows.values()]
}

function pendingSettlement(fill: FillEvent, state: EngineState): SettlementRow {
  const position = accountOf(state, fill.account_id).positions.get(fill.outcome_id)!
  return {
    settlement_id: fill.settlement_id,
    kind: 'trade_settlement',
    account_id: fill.account_id,
    fill_id: fill.fill_id,
    resolution_id: null,
    market_id: fill.market_id,
    outcome_id: fill.outcome_id,
    asset_id: position.terms.settlement_asset_id,
    side: fill.side,
    quantity: fill.quantity,
    notional: fill.notional,
    fee: fill.fee,
    short_credit: fill.short_credit,
    ...closingOf(fill, position.terms),
    segments: fill.segments ?? null,
    state: 'pending',
    rail: null,
    attempt_count: 0,
    attempt_id: null,
    reversal_id: null,
    projection_version: 1,
    engine_sequence: fill.engine_sequence,
    created_at: fill.at,
    updated_at: fill.at,
    confirmed_at: null,
  }
}

function closingOf(
  { side, price, quantity, fee, closed_quantity, closing_fee }: FillEvent,
  terms: MarketTerms,
): Closing {
  if (closed_quantity === undefined || closing_fee === undefined) return NOT_SPLIT
  const amounts = sideAmounts(terms, side, price, { quantity, fee, closed_quantity, closing_fee })
  return { closed_quantity, closing_fee, ...amounts }
}
