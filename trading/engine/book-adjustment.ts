import type { Side } from '../../vocabulary/order.ts'
import { HOUSE } from '../ledger/entries.ts'
import { takeFill } from '../ledger/position.ts'
import { notional } from '../market/market-terms.ts'
import type { Position } from '../order/order.ts'
import type { FillRow } from '../projections/rows.ts'
import type { AdjustedFill, Deltas } from './adjusted-fill.ts'
import { bookSplitAdjustment } from './book-split-adjustment.ts'
import { enforceReduceOnly } from './enforce-reduce-only.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { reserveAgain } from './house-outlay.ts'
import { recordSettlement } from './move-settlement.ts'
import { isSplit } from './settle-split.ts'
import { accountOf, outcomeOf, positionOf } from './state.ts'
import { noteUnpaid } from './unpaid-positions.ts'

/**
 * Books an adjustment as one transaction, with the house as counterparty for the quantity. Pending money changes with its
 * settlement; confirmed money moves between the account and the house. The house pays what the account cannot, so that no balance
 * falls below 0.
 * @returns what the house has paid, in asset units
 */
export function bookAdjustment(execution: Execution, facts: Facts, adjusted: AdjustedFill): number {
  if (isSplit(adjusted.settlement)) return bookSplitAdjustment(execution, facts, adjusted, adjusted.settlement)
  const { adjustment_id, fill, settlement, deltas } = adjusted
  const { state } = execution
  const outcome = outcomeOf(state, fill)
  const position = positionOf(accountOf(state, fill.account_id), outcome)
  const house = positionOf(accountOf(state, HOUSE.receivable), outcome)
  const pending = settlement.state !== 'confirmed'
  const signed = fill.side === 'BUY' ? deltas.quantity : -deltas.quantity
  const short_delta = fill.side === 'SELL' ? shortCreditOf(adjusted) - settlement.short_credit : 0
  execution.begin('adjustment', adjustment_id)
  movePosition(execution, position, fill, deltas)
  movePosition(execution, house, { ...fill, side: opposite(fill.side as Side) }, deltas)
  house.settled_quantity -= signed
  if (!pending) position.settled_quantity += signed
  if (pending) position.pending_short_credit += short_delta
  execution.outcome(position.account_id, fill.outcome_id, pending ? 'unsettled' : 'settled', signed)
  execution.outcome(house.account_id, fill.outcome_id, 'settled', -signed)
  moveMoney(execution, position, fill, deltas, pending)
  const shortfall = reserveAgain(execution, position)
  const { quantity, notional: worth, fee } = adjusted.after
  const short_credit = settlement.short_credit + short_delta
  recordSettlement(execution, facts, { ...settlement, quantity, notional: worth, fee, short_credit })
  enforceReduceOnly(execution, position)
  noteUnpaid(outcome.market, position)
  return shortfall
}

/**
 * Returns undone quantity at the fill's price, as a trade would; the rest of the notional change is a gain or a loss. So profit
 * stays the sum of all money, and the average entry price follows its rule.
 */
function movePosition(execution: Execution, position: Position, fill: FillRow, deltas: Deltas): void {
  const side = fill.side as Side
  const sign = side === 'BUY' ? -1 : 1
  if (deltas.quantity !== 0) {
    takeFill(position, deltas.quantity > 0 ? side : opposite(side), fill.price, Math.abs(deltas.quantity))
  }
  position.realized_pnl += sign * (deltas.notional - notional(position.terms, fill.price, deltas.quantity))
  execution.touchPosition(position)
}

function moveMoney(execution: Execution, position: Position, fill: FillRow, deltas: Deltas, pending: boolean): void {
  const { clearing, fee_income } = outcomeOf(execution.state, fill).market
  const buys = fill.side === 'BUY'
  const received = buys ? -(deltas.notional + deltas.fee) : deltas.notional - deltas.fee
  if (pending && buys) {
    execution.money(position.money, 'available', received)
    execution.money(position.money, 'pending_debit', -received)
  } else if (pending) {
    execution.money(position.money, 'pending_credit', received)
    execution.money(clearing, 'pending_credit', -received)
  } else {
    execution.money(position.money, 'available', received)
    execution.money(clearing, 'available', buys ? deltas.notional : -deltas.notional)
    execution.money(fee_income, 'available', deltas.fee)
  }
}

/** Caps the short credit at its former value and at the proceeds of the part beyond holdings. */
function shortCreditOf({ fill, settlement, after }: AdjustedFill): number {
  if (after.quantity === 0) return 0
  const uncovered = BigInt(Math.min(fill.uncovered_quantity, after.quantity))
  const brings = (BigInt(after.notional - after.fee) * uncovered) / BigInt(after.quantity)
  return Math.min(settlement.short_credit, Number(brings))
}

function opposite(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY'
}
