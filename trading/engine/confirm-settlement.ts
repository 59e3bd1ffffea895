import { invariant } from '../../primitives/errors.ts'
import type { Position } from '../ledger/position.ts'
import { refreshRequirement } from '../ledger/requirement.ts'
import type { PendingSettlement } from './commands.ts'
import type { Execution } from './execution.ts'
import { accountOf, type Market } from './state.ts'

/**
 * The rail has confirmed one side of a fill: pending money becomes money, and the fee the house's. What a short seller is paid
 * stays reserved with the position.
 */
export function confirmSettlement(execution: Execution, settlement: PendingSettlement): void {
  const { settlement_id, account_id, market_id, outcome_id, side, quantity } = settlement
  const position = accountOf(execution.state, account_id).positions.get(outcome_id)
  const market = execution.state.markets.get(market_id)
  invariant(position !== undefined && market !== undefined, `settlement ${settlement_id} is of a position`)
  const signed = side === 'BUY' ? quantity : -quantity
  position.settled_quantity += signed
  execution.touchPosition(position)
  execution.begin('settlement', settlement_id)
  execution.outcome(account_id, outcome_id, 'unsettled', -signed)
  execution.outcome(account_id, outcome_id, 'settled', signed)
  if (side === 'BUY') payFor(execution, position, market, settlement)
  else receiveFor(execution, position, market, settlement)
}

function payFor(execution: Execution, { money }: Position, market: Market, { notional, fee }: PendingSettlement): void {
  execution.money(money, 'pending_debit', -(notional + fee))
  execution.money(market.clearing, 'available', notional)
  execution.money(market.fee_income, 'available', fee)
}

function receiveFor(execution: Execution, position: Position, market: Market, settlement: PendingSettlement): void {
  const { notional, fee, short_credit } = settlement
  const proceeds = notional - fee
  position.pending_short_credit -= short_credit
  const rise = refreshRequirement(position, null, execution.changes.orders)
  execution.money(position.money, 'pending_credit', -proceeds)
  execution.money(market.clearing, 'pending_credit', proceeds)
  execution.money(position.money, 'available', proceeds - rise)
  execution.money(position.money, 'reserved', rise)
  execution.money(market.clearing, 'available', -notional)
  execution.money(market.fee_income, 'available', fee)
}
