import type { Side } from '../../vocabulary/order.ts'
import { HOUSE } from '../ledger/entries.ts'
import { takeLadderFill } from '../ledger/ladder-fill.ts'
import { reducible } from '../ledger/position.ts'
import { ladderPrice, ladderSide } from '../market/ladder.ts'
import { notional } from '../market/market-terms.ts'
import type { Position } from '../order/order.ts'
import type { SettlementRow } from '../projections/rows.ts'
import type { AdjustedFill } from './adjusted-fill.ts'
import { enforceReduceOnly } from './enforce-reduce-only.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { reserveAgain } from './house-outlay.ts'
import { recordSettlement } from './move-settlement.ts'
import { moveSettledSets } from './pool.ts'
import { heldBy, type SplitSettlement } from './settle-split.ts'
import { splitAfter } from './split-after.ts'
import { accountOf, ladderOf, type Market, outcomeOf, positionOf } from './state.ts'
import { noteUnpaid } from './unpaid-positions.ts'

type Adjusting = {
  readonly execution: Execution
  readonly adjusted: AdjustedFill
  readonly market: Market
  readonly before: SettlementRow & SplitSettlement
  readonly after: SettlementRow & SplitSettlement
}

/**
 * Books an adjustment of a fill of a complementary market as one transaction: what the settlement moves, or has moved, is changed, and
 * the house takes the other side of the quantity. Each of both then has one exposure again: where an outcome is missing, sets are bought
 * from the pool at 1, and where both are held, sets are sold to it. So cash and exposure are those of the reverse trade at the fill's
 * price.
 * @returns what the house has paid, in asset units
 */
export function bookSplitAdjustment(
  execution: Execution,
  facts: Facts,
  adjusted: AdjustedFill,
  before: SettlementRow & SplitSettlement,
): number {
  const { adjustment_id, fill } = adjusted
  const { state } = execution
  const outcome = outcomeOf(state, fill)
  const own = positionOf(accountOf(state, fill.account_id), outcome)
  const house = positionOf(accountOf(state, HOUSE.receivable), outcome)
  const after = { ...before, ...splitAfter(own.terms, before, adjusted.after) }
  const adjusting = { execution, adjusted, market: outcome.market, before, after }
  execution.begin('adjustment', adjustment_id)
  moveMoney(adjusting, own)
  moveHoldings(adjusting, own, 1)
  moveHoldings(adjusting, house, -1)
  const ladder = positionOf(accountOf(state, fill.account_id), ladderOf(outcome))
  const shortfall = reserveAgain(execution, ladder)
  recordSettlement(execution, facts, after)
  enforceReduceOnly(execution, ladder)
  for (const position of [own, own.complement!, house, house.complement!]) noteUnpaid(outcome.market, position)
  return shortfall
}

function moveMoney({ execution, market, before, after }: Adjusting, { money }: Position): void {
  const debit = after.debit_amount - before.debit_amount
  const credit = after.credit_amount - before.credit_amount
  if (before.state !== 'confirmed') {
    execution.money(money, 'available', -debit)
    execution.money(money, 'pending_debit', debit)
    execution.money(money, 'pending_credit', credit)
    execution.money(market.clearing, 'pending_credit', -credit)
    return
  }
  const fee = after.fee - before.fee
  execution.money(money, 'available', credit - debit)
  execution.money(market.clearing, 'available', debit - credit - fee)
  execution.money(market.fee_income, 'available', fee)
}

/**
 * Moves the quantity of an adjustment at the fill's price, as a trade would, and settles what that leaves of sets.
 * @param sign 1: the account of the fill; -1: the house, which takes the other side
 */
function moveHoldings(adjusting: Adjusting, position: Position, sign: 1 | -1): void {
  const { execution, before, after } = adjusting
  const both = [position, position.complement!]
  const held = both.map(({ net_quantity }) => net_quantity)
  tradeQuantity(adjusting, position, sign)
  const [changed, settled] = [new Map(heldBy(position, after)), new Map(heldBy(position, before))]
  const moved = both.map((one) => sign * ((changed.get(one) ?? 0) - (settled.get(one) ?? 0)))
  const is_settled = sign === -1 || before.state === 'confirmed'
  for (const [n, { account_id, outcome_id }] of both.entries()) {
    execution.outcome(account_id, outcome_id, is_settled ? 'settled' : 'unsettled', moved[n]!)
    if (is_settled) both[n]!.settled_quantity += moved[n]!
  }
  execution.touchPosition(position)
  const sets = position.net_quantity - held[0]! - moved[0]!
  moveSettledSets(execution, adjusting.market, position, sign === 1 ? position.money : adjusting.market.clearing, sets)
}

function tradeQuantity({ adjusted, before, after }: Adjusting, own: Position, sign: 1 | -1): void {
  const { fill, deltas } = adjusted
  const { terms, is_mirrored } = own
  const ladder = is_mirrored ? own.complement! : own
  const rises = deltas.quantity > 0 === (sign === 1)
  const side = ladderSide(rises ? (fill.side as Side) : opposite(fill.side as Side), is_mirrored)
  const quantity = Math.abs(deltas.quantity)
  if (quantity > 0) {
    const closed = Math.min(reducible(ladder, side), quantity)
    takeLadderFill(ladder, side, ladderPrice(terms, fill.price, is_mirrored), quantity, closed)
  }
  if (sign === -1) return
  const bought = fill.side === 'BUY' ? -1 : 1
  own.realized_pnl += bought * (after.notional - before.notional - notional(terms, fill.price, deltas.quantity))
}

function opposite(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY'
}
