import type { LiquidityRole } from '../../vocabulary/order.ts'
import { chargeFee, feeBase } from '../ledger/fees.ts'
import type { FillSegment } from '../ledger/fill-segments.ts'
import { addRemaining, takeFill, uncoveredPart } from '../ledger/position.ts'
import { refreshRequirement } from '../ledger/requirement.ts'
import { notional } from '../market/market-terms.ts'
import type { Order, Position } from '../order/order.ts'
import type { FillEvent } from './events.ts'
import type { Execution } from './execution.ts'
import type { Outcome } from './state.ts'
import { moveReserved } from './working-orders.ts'

/** Effect of a fill on one side. */
type SideOfFill = Pick<
  FillEvent,
  'fee' | 'uncovered_quantity' | 'short_credit' | 'segments' | 'closed_quantity' | 'closing_fee'
>

/**
 * Executes one match: both orders, positions and reservations, one ledger transaction, and the records of the trade and of each
 * side's fill. Money moves when a side's settlement is confirmed; until then it is a pending debit or credit. The caller
 * subtracts `quantity` from the maker's price level.
 */
export function executeFill(
  execution: Execution,
  outcome: Outcome,
  taker: Order,
  maker: Order,
  quantity: number,
): void {
  const price = maker.limit_price
  const trade_id = publishTrade(execution, taker, outcome, price, quantity)
  execution.begin('fill', trade_id)
  const took = fillSide(execution, outcome, taker, 'taker', price, quantity)
  const made = fillSide(execution, outcome, maker, 'maker', price, quantity)
  publishFill(execution, trade_id, taker, 'taker', price, quantity, took)
  publishFill(execution, trade_id, maker, 'maker', price, quantity, made)
}

/** Publishes the public record of a match, in the taker's outcome and price. @returns its trade_id */
export function publishTrade(
  execution: Execution,
  { intent }: Order,
  { outcome_id, market: { market_id } }: Outcome,
  price: number,
  quantity: number,
  segments?: readonly FillSegment[],
): string {
  const engine_sequence = execution.nextSequence()
  const trade_id = `trd_${engine_sequence}`
  execution.publish({
    engine_sequence,
    at: execution.now,
    kind: 'trade',
    trade_id,
    market_id,
    outcome_id,
    price,
    quantity,
    aggressor_side: intent.side,
    ...(segments === undefined ? {} : { segments }),
  })
  return trade_id
}

/** Publishes one side of a match, in the outcome and at the price of its order. */
export function publishFill(
  execution: Execution,
  trade_id: string,
  order: Order,
  liquidity_role: LiquidityRole,
  price: number,
  quantity: number,
  side: SideOfFill,
): void {
  const { position, intent } = order
  const engine_sequence = execution.nextSequence()
  position.source_fill_sequence = engine_sequence
  if (position.complement !== null) position.complement.source_fill_sequence = engine_sequence
  ownPosition(order).open_settlements += 1
  execution.touchOrder(order)
  execution.touchPosition(position)
  execution.publish({
    engine_sequence,
    at: execution.now,
    kind: 'fill',
    fill_id: `fill_${engine_sequence}`,
    trade_id,
    settlement_id: `stl_${engine_sequence}`,
    order_id: order.order_id,
    account_id: position.account_id,
    market_id: position.market_id,
    outcome_id: intent.outcome_id,
    side: intent.side,
    liquidity_role,
    price,
    quantity,
    notional: notional(order.terms, price, quantity),
    ...side,
  })
}

/** Returns the account's position in the outcome that an order is signed for. */
function ownPosition({ position, is_mirrored }: Order): Position {
  return is_mirrored ? position.complement! : position
}

function fillSide(
  execution: Execution,
  outcome: Outcome,
  order: Order,
  role: LiquidityRole,
  price: number,
  quantity: number,
): SideOfFill {
  return order.side === 'BUY'
    ? fillBuy(execution, order, role, price, quantity)
    : fillSell(execution, outcome, order, role, price, quantity)
}

function fillBuy(execution: Execution, order: Order, role: LiquidityRole, price: number, quantity: number): SideOfFill {
  const { position, terms } = order
  const fee = chargeFee(order.reserve_fees, order.fees, role, feeBase(terms, price, quantity))
  const cost = notional(terms, price, quantity) + fee
  const rise = takeQuantity(execution, order, price, quantity, 0)
  execution.money(position.money, 'available', -rise - cost)
  execution.money(position.money, 'reserved', rise)
  execution.money(position.money, 'pending_debit', cost)
  execution.outcome(position.account_id, position.outcome_id, 'unsettled', quantity)
  return { fee, uncovered_quantity: 0, short_credit: 0 }
}

/**
 * Fees of the held and the uncovered part of a sale are counted apart: the first are paid from the proceeds, the second from the
 * reservation, which therefore always suffices.
 */
function fillSell(
  execution: Execution,
  { market: { clearing } }: Outcome,
  order: Order,
  role: LiquidityRole,
  price: number,
  quantity: number,
): SideOfFill {
  const { terms, fees, position } = order
  const uncovered_quantity = uncoveredPart(position, quantity)
  const covered = quantity - uncovered_quantity
  const reserve_fee =
    uncovered_quantity === 0 ? 0 : chargeFee(order.reserve_fees, fees, role, feeBase(terms, price, uncovered_quantity))
  const proceeds_fee = covered === 0 ? 0 : chargeFee(order.proceeds_fees, fees, role, feeBase(terms, price, covered))
  const fee = reserve_fee + proceeds_fee
  const short_credit = notional(terms, price, uncovered_quantity) - reserve_fee
  const proceeds = notional(terms, price, quantity) - fee
  const rise = takeQuantity(execution, order, price, quantity, short_credit)
  moveReserved(execution, order, rise)
  execution.money(position.money, 'pending_credit', proceeds)
  execution.money(clearing, 'pending_credit', -proceeds)
  execution.outcome(position.account_id, position.outcome_id, 'unsettled', -quantity)
  return { fee, uncovered_quantity, short_credit }
}

/** @returns the rise of the account's requirement; usually negative */
function takeQuantity(
  { changes }: Execution,
  order: Order,
  price: number,
  quantity: number,
  short_credit: number,
): number {
  const { position } = order
  addRemaining(order, -quantity)
  order.filled_quantity += quantity
  order.filled_notional += notional(order.terms, price, quantity)
  takeFill(position, order.side, price, quantity)
  position.pending_short_credit += short_credit
  const rise = refreshRequirement(position, order, changes.orders)
  // A purchase may cover SELLs, or end a short.
  return order.side === 'BUY' && position.sells.oldest !== null
    ? rise + refreshRequirement(position, null, changes.orders)
    : rise
}
