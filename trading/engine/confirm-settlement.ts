import { invariant } from '../../primitives/errors.ts'
import { refreshRequirement } from '../ledger/requirement.ts'
import type { Position } from '../order/order.ts'
import type { SettlementRow } from '../projections/rows.ts'
import type { Closing } from '../projections/settlement-rows.ts'
import type { Execution } from './execution.ts'
import { isSplit, settleSplit } from './settle-split.ts'
import { accountOf, type Market } from './state.ts'

/** Fields of a settlement that determine the money its confirmation moves. */
export type SettledAmounts = Pick<
  SettlementRow,
  | 'settlement_id'
  | 'kind'
  | 'account_id'
  | 'market_id'
  | 'outcome_id'
  | 'side'
  | 'quantity'
  | 'notional'
  | 'fee'
  | 'short_credit'
  | keyof Closing
>

type Sides = { readonly position: Position; readonly market: Market }

/**
 * Books the confirmation of one side of a fill, or of a payout: pending money becomes money, and the fee becomes the house's. A
 * short seller's proceeds stay reserved with the position.
 */
export function confirmSettlement(execution: Execution, settlement: SettledAmounts): void {
  if (begin(execution, 'settlement', settlement)) settle(execution, settlement, 1)
}

/**
 * Reverses a confirmation: money paid returns to pending, money received is taken back. The account's available money may fall
 * below 0, which the caller lets the house cover.
 */
export function unconfirmSettlement(execution: Execution, settlement: SettledAmounts): void {
  if (begin(execution, 'reversal', settlement)) settle(execution, settlement, -1)
}

function settle(execution: Execution, settlement: SettledAmounts, sign: 1 | -1): void {
  const sides = sidesOf(execution, settlement)
  if (isSplit(settlement)) {
    settleSplit(execution, sides, settlement, sign)
    return
  }
  settleQuantity(execution, sides, settlement, sign)
  if (settlement.side === 'BUY') payFor(execution, sides, settlement, sign)
  else receiveFor(execution, sides, settlement, sign)
}

function sidesOf({ state }: Execution, { settlement_id, account_id, market_id, outcome_id }: SettledAmounts): Sides {
  const position = accountOf(state, account_id).positions.get(outcome_id)
  const market = state.markets.get(market_id)
  invariant(position !== undefined && market !== undefined, `settlement ${settlement_id} is of a position`)
  return { position, market }
}

/** @returns false where nothing is to be moved: it was adjusted to nothing */
function begin(execution: Execution, kind: 'settlement' | 'reversal', settlement: SettledAmounts): boolean {
  const { settlement_id, quantity, notional, fee } = settlement
  if (quantity === 0 && notional === 0 && fee === 0) return false
  execution.begin(kind, settlement_id)
  return true
}

/** A correction of a payout moves only money; the position no longer waits for it. */
function settleQuantity(execution: Execution, { position }: Sides, settlement: SettledAmounts, sign: 1 | -1): void {
  const { account_id, outcome_id, side, quantity, kind } = settlement
  execution.touchPosition(position)
  if (kind === 'resolution_correction') return
  const signed = side === 'BUY' ? sign * quantity : -sign * quantity
  position.settled_quantity += signed
  execution.outcome(account_id, outcome_id, 'unsettled', -signed)
  execution.outcome(account_id, outcome_id, 'settled', signed)
}

function payFor(
  execution: Execution,
  { position: { money }, market }: Sides,
  { notional, fee }: SettledAmounts,
  sign: 1 | -1,
): void {
  execution.money(money, 'pending_debit', -sign * (notional + fee))
  execution.money(market.clearing, 'available', sign * notional)
  execution.money(market.fee_income, 'available', sign * fee)
}

function receiveFor(
  execution: Execution,
  { position, market }: Sides,
  { notional, fee, short_credit }: SettledAmounts,
  sign: 1 | -1,
): void {
  const proceeds = sign * (notional - fee)
  position.pending_short_credit -= sign * short_credit
  execution.touchPosition(position)
  const rise = refreshRequirement(position, null, execution.changes.orders)
  execution.money(position.money, 'pending_credit', -proceeds)
  execution.money(market.clearing, 'pending_credit', proceeds)
  execution.money(position.money, 'available', proceeds - rise)
  execution.money(position.money, 'reserved', rise)
  execution.money(market.clearing, 'available', -sign * notional)
  execution.money(market.fee_income, 'available', sign * fee)
}
