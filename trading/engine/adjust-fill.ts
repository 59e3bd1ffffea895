import type { DecimalString } from '../../primitives/decimal.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import { type MarketTerms, notional } from '../market/market-terms.ts'
import { refuse } from '../market/refuse.ts'
import type { Position } from '../order/order.ts'
import { wholeAtScale } from '../order/written-decimal.ts'
import type { AdjustmentRow, FillRow, SettlementRow } from '../projections/rows.ts'
import { adjustedOrder, adjustOrder } from './adjust-order.ts'
import type { AdjustedFill, Deltas } from './adjusted-fill.ts'
import { bookAdjustment } from './book-adjustment.ts'
import { correctTrade } from './correct-trade.ts'
import type { Execution } from './execution.ts'
import { type Facts, positionKey } from './facts.ts'
import { repayHouse } from './house-outlay.ts'
import { asSplit } from './settle-split.ts'
import { accountOf, poolOf, positionOf } from './state.ts'
import type { AdjustFill } from './submission.ts'

/**
 * Corrects one fill: a bust undoes it, an amend changes it. The fill's record stays; its total is the fill plus all adjustments.
 * A second person must have approved.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID; nothing has changed
 */
export function adjustFill(execution: Execution, facts: Facts, command: AdjustFill, actor: string): object {
  const { adjustment_id, fill_id } = command
  const fill = facts.fills.get(fill_id) ?? refuse('fill_id', fill_id, 'a fill that is known')
  const earlier = facts.adjustments.get(fill_id) ?? []
  checkRecord(command, actor, earlier)
  const { terms } = positionOfFill(execution, fill)
  const settlement = settlementOf(facts, fill, terms)
  const current = currentOf(fill, earlier)
  const deltas = deltasOf(command, current, terms)
  if (deltas.quantity !== 0 && isPaid(execution, facts, fill)) {
    refuseDelta(
      'quantity_delta',
      deltas.quantity,
      terms.quantity_scale,
      'the quantity as it is: a resolution has paid it',
    )
  }
  const adjusted: AdjustedFill = { adjustment_id, fill, settlement, deltas, after: sum(current, deltas) }
  checkAfter(adjusted, terms)
  const order = adjustedOrder(execution, facts, adjusted, terms)
  const shortfall = bookAdjustment(execution, facts, adjusted)
  adjustOrder(execution, facts, order, deltas)
  repayHouse(execution, positionOfFill(execution, fill), shortfall, 'adjustment', adjustment_id)
  recordAdjustment(execution, facts, command, actor, adjusted)
  correctTrade(execution, facts, fill, deltas, terms)
  return { adjustment_id, fill_id }
}

function settlementOf(facts: Facts, { settlement_id }: FillRow, terms: MarketTerms): SettlementRow {
  const settlement = facts.settlements.get(settlement_id)
  if (settlement === undefined) refuse('settlement_id', settlement_id, 'a settlement that is known')
  if (settlement.state === 'submitted') refuse('settlement.state', 'submitted', 'what its attempt leads to')
  return asSplit(settlement, terms)
}

/** Whether a resolution has paid the position of a fill; in a complementary market, whether it has paid any. */
function isPaid({ state }: Execution, facts: Facts, fill: FillRow): boolean {
  const { account_id, outcome_id, market_id } = fill
  if (facts.paid_positions.has(positionKey(account_id, outcome_id))) return true
  const { terms, outcomes } = state.markets.get(market_id)!
  if (!terms.complementary) return false
  const pool = poolOf(state, { market_id })
  return [...outcomes.values()].some((outcome) => positionOf(pool, outcome).source_fill_sequence > 0)
}

function positionOfFill({ state }: Execution, { account_id, outcome_id }: FillRow): Position {
  return accountOf(state, account_id).positions.get(outcome_id)!
}

function checkRecord(command: AdjustFill, actor: string, earlier: readonly AdjustmentRow[]): void {
  const { approved_by, supersedes_adjustment_id: supersedes, adjustment_id } = command
  if (approved_by === actor || approved_by === '') refuse('approved_by', approved_by, `another person than ${actor}`)
  if (earlier.some((row) => row.adjustment_id === adjustment_id)) refuse('adjustment_id', adjustment_id, 'a new id')
  if (supersedes !== null && !earlier.some((row) => row.adjustment_id === supersedes)) {
    refuse('supersedes_adjustment_id', supersedes, 'an adjustment of the same fill')
  }
}

/** Totals of the fill with its earlier adjustments. */
function currentOf(fill: FillRow, earlier: readonly AdjustmentRow[]): Deltas {
  return earlier.reduce<Deltas>(
    (so_far, row) => sum(so_far, { quantity: row.quantity_delta, notional: row.notional_delta, fee: row.fee_delta }),
    fill,
  )
}

function deltasOf(command: AdjustFill, current: Deltas, terms: MarketTerms): Deltas {
  const { adjustment_type, quantity_delta, notional_delta, fee_delta } = command
  if (adjustment_type === 'bust') {
    const given = quantity_delta ?? notional_delta ?? fee_delta
    if (given !== null) refuse('quantity_delta', given, 'nothing: a bust undoes the whole fill')
    if (current.quantity === 0) refuse('fill_id', command.fill_id, 'a fill that is not undone yet')
    return { quantity: 0 - current.quantity, notional: 0 - current.notional, fee: 0 - current.fee }
  }
  const deltas = {
    quantity: signedAtScale('quantity_delta', quantity_delta, terms.quantity_scale),
    notional: signedAtScale('notional_delta', notional_delta, terms.asset_scale),
    fee: signedAtScale('fee_delta', fee_delta, terms.asset_scale),
  }
  if (deltas.quantity === 0 && deltas.notional === 0 && deltas.fee === 0) {
    refuse('quantity_delta', String(quantity_delta), 'a change of quantity, notional or fee')
  }
  return deltas
}

function signedAtScale(field: string, text: DecimalString | null, scale: number): number {
  if (text === null) return 0
  const negative = text.startsWith('-')
  const size = wholeAtScale(negative ? text.slice(1) : text, scale)
  if (size === null) refuse(field, text, `a decimal with at most ${scale} fraction digits`)
  return negative ? 0 - size : size
}

/** Refuses totals below 0, a price above 1, and a sale whose fee exceeds its proceeds. */
function checkAfter({ after, fill, deltas }: AdjustedFill, terms: MarketTerms): void {
  if (after.quantity < 0) refuseDelta('quantity_delta', deltas.quantity, terms.quantity_scale, 'at least 0')
  if (after.notional < 0 || after.notional > notional(terms, terms.one, after.quantity)) {
    refuseDelta('notional_delta', deltas.notional, terms.asset_scale, 'a price from 0 to 1')
  }
  if (after.fee < 0 || (fill.side === 'SELL' && after.fee > after.notional)) {
    refuseDelta('fee_delta', deltas.fee, terms.asset_scale, 'a fee from 0 to what the sale brings')
  }
}

function refuseDelta(field: string, delta: number, scale: number, left: string): never {
  refuse(field, fromScaled(BigInt(delta), scale), `what leaves ${left}`)
}

function sum(a: Deltas, b: Deltas): Deltas {
  return { quantity: a.quantity + b.quantity, notional: a.notional + b.notional, fee: a.fee + b.fee }
}

function recordAdjustment(
  execution: Execution,
  facts: Facts,
  command: AdjustFill,
  actor: string,
  { fill, deltas }: AdjustedFill,
): void {
  const { now, changes } = execution
  const { adjustment_id, adjustment_type, reason_code, rationale, evidence, approved_by } = command
  const { fill_id, order_id, account_id } = fill
  const engine_sequence = execution.nextSequence()
  const moved = { quantity_delta: deltas.quantity, notional_delta: deltas.notional, fee_delta: deltas.fee }
  const shown = { account_id, adjustment_id, fill_id, order_id, adjustment_type, ...moved }
  execution.publish({ engine_sequence, at: now, kind: 'adjustment', ...shown })
  const row: AdjustmentRow = {
    adjustment_id,
    engine_sequence,
    fill_id,
    account_id,
    adjustment_type,
    ...moved,
    reason_code,
    rationale,
    evidence,
    actor,
    approved_by,
    approved_at: now,
    effective_at: now,
    published_at: now,
    supersedes_adjustment_id: command.supersedes_adjustment_id,
  }
  changes.adjustments.push(row)
  facts.adjustments.set(fill_id, [...(facts.adjustments.get(fill_id) ?? []), row])
}
