import type { LiquidityRole, Side } from '../../vocabulary/order.ts'
import { type SplitFill, segmentsOf, sideAmounts, splitFill, takeLadderFill } from '../ledger/ladder-fill.ts'
import { addRemaining } from '../ledger/position.ts'
import { refreshRequirement } from '../ledger/requirement.ts'
import { ladderPrice } from '../market/ladder.ts'
import { notional } from '../market/market-terms.ts'
import type { Order } from '../order/order.ts'
import { publishFill, publishTrade } from './execute-fill.ts'
import type { Execution } from './execution.ts'
import { moveSets } from './pool.ts'
import type { Outcome } from './state.ts'
import { moveReserved } from './working-orders.ts'

/**
 * Executes one match in a complementary market: both orders, positions and reservations, the pool, one ledger transaction, and the
 * records of the trade and of each side's fill, each in the outcome of its own order. The caller subtracts `quantity` from the
 * maker's price level.
 */
export function executeLadderFill(
  execution: Execution,
  outcome: Outcome,
  taker: Order,
  maker: Order,
  quantity: number,
): void {
  const price = maker.limit_price
  const [took, made] = [splitFill(taker, 'taker', price, quantity), splitFill(maker, 'maker', price, quantity)]
  const [bid, ask] = taker.side === 'BUY' ? [took, made] : [made, took]
  const outcome_ids = [outcome.outcome_id, outcome.complement!.outcome_id] as const
  const segments = segmentsOf(quantity, bid.closed_quantity, ask.closed_quantity, outcome_ids)
  const trade_id = publishTrade(
    execution,
    taker,
    ownOutcome(outcome, taker),
    ownPrice(taker, price),
    quantity,
    segments,
  )
  execution.begin('fill', trade_id)
  const sides = [
    [taker, 'taker', took],
    [maker, 'maker', made],
  ] as const
  for (const [order, , split] of sides) bookSide(execution, outcome, order, price, split)
  const sets = quantity - bid.closed_quantity - ask.closed_quantity
  const recordSets = moveSets(execution, outcome.market, sets)
  for (const [order, role, split] of sides) {
    const amounts = { fee: split.fee, uncovered_quantity: 0, short_credit: 0 }
    const { closed_quantity, closing_fee } = split
    publishOwn(execution, trade_id, order, role, price, quantity, {
      ...amounts,
      segments,
      closed_quantity,
      closing_fee,
    })
  }
  recordSets()
}

function publishOwn(
  execution: Execution,
  trade_id: string,
  order: Order,
  role: LiquidityRole,
  price: number,
  quantity: number,
  side: Parameters<typeof publishFill>[6],
): void {
  publishFill(execution, trade_id, order, role, ownPrice(order, price), quantity, side)
}

/** Books one side of a match. @param price on the ladder */
function bookSide(execution: Execution, outcome: Outcome, order: Order, price: number, split: SplitFill): void {
  const { position, terms, side } = order
  const { quantity, closed_quantity } = split
  const { debit_amount, credit_amount } = sideAmounts(terms, side, price, split)
  addRemaining(order, -quantity)
  order.filled_quantity += quantity
  order.filled_notional += notional(terms, ownPrice(order, price), quantity)
  takeLadderFill(position, side, price, quantity, closed_quantity)
  const rise = refreshRequirement(position, order, execution.changes.orders)
  moveReserved(execution, order, rise)
  execution.money(position.money, 'available', -debit_amount)
  execution.money(position.money, 'pending_debit', debit_amount)
  execution.money(position.money, 'pending_credit', credit_amount)
  execution.money(outcome.market.clearing, 'pending_credit', -credit_amount)
  bookHoldings(execution, order, side, quantity - closed_quantity, closed_quantity)
}

function bookHoldings(execution: Execution, { position }: Order, side: Side, opened: number, closed: number): void {
  const other = position.complement!
  const [opens, closes] = side === 'BUY' ? [position, other] : [other, position]
  execution.outcome(opens.account_id, opens.outcome_id, 'unsettled', opened)
  execution.outcome(closes.account_id, closes.outcome_id, 'unsettled', -closed)
}

/** Returns a price on the ladder as one of the outcome that the order is signed for. */
function ownPrice({ terms, is_mirrored }: Order, price: number): number {
  return ladderPrice(terms, price, is_mirrored)
}

function ownOutcome(outcome: Outcome, { is_mirrored }: Order): Outcome {
  return is_mirrored ? outcome.complement! : outcome
}
