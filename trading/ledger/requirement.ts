import { notional } from '../market/market-terms.ts'
import type { Order, Position } from '../order/order.ts'
import { feeBuffer, worstFeeBase } from './fees.ts'
import { workingOrders } from './position.ts'

/**
 * What one position asks of its account's money (decisions 4b): a pure function of the position and its working orders.
 *   BUY                limit_price x remaining + fee buffer
 *   SELL               (1 - limit_price) x uncovered remaining + fee buffer; earlier SELLs are covered first
 *   short position     |net| x 1 - pending_short_credit, not below 0
 */
export function requirementOf(position: Position): number {
  let sum = collateralOf(position)
  for (const order of workingOrders(position.buys)) sum += buyReserve(order)
  let covered = Math.max(position.net_quantity, 0)
  for (const order of workingOrders(position.sells)) {
    const uncovered = Math.max(order.remaining_quantity - covered, 0)
    covered = Math.max(covered - order.remaining_quantity, 0)
    sum += sellReserve(order, uncovered)
  }
  return sum
}

/** Money kept for a short position. */
function collateralOf({ net_quantity, pending_short_credit, terms }: Position): number {
  if (net_quantity >= 0) return 0
  return Math.max(notional(terms, terms.one, -net_quantity) - pending_short_credit, 0)
}

/** Money that a BUY keeps for what can still execute. */
function buyReserve(order: Order): number {
  const { limit_price, remaining_quantity: quantity, terms } = order
  if (quantity === 0) return 0
  const buffer = feeBuffer(order.reserve_fees, order.fees, worstFeeBase(terms, 'BUY', limit_price, quantity))
  return notional(terms, limit_price, quantity) + buffer
}

/** Money that a SELL keeps for the part of it that is beyond holdings. */
function sellReserve(order: Order, uncovered: number): number {
  if (uncovered === 0) return 0
  const { limit_price, terms } = order
  const buffer = feeBuffer(order.reserve_fees, order.fees, worstFeeBase(terms, 'SELL', limit_price, uncovered))
  return notional(terms, terms.one - limit_price, uncovered) + buffer
}

/**
 * Brings the running values to what they must be after an order, the net quantity or a credit has changed: each order's
 * `reserved_amount` and the position's `requirement`. Where nothing is held, no other order is touched.
 * @param changed the order that was added, filled or ended; null where only the position has changed
 * @param touched gets every other order whose values have changed, once a batch; `changed` is for the caller
 * @returns by how much the requirement rose
 */
export function refreshRequirement(position: Position, changed: Order | null, touched: Order[]): number {
  if (changed?.side === 'BUY') position.order_reserve += reserve(changed, buyReserve(changed))
  else refreshSells(position, changed, touched)
  const requirement = position.order_reserve + collateralOf(position)
  const rise = requirement - position.requirement
  position.requirement = requirement
  return rise
}

function refreshSells(position: Position, changed: Order | null, touched: Order[]): void {
  const held = Math.max(position.net_quantity, 0)
  if (changed !== null) {
    changed.uncovered_quantity = changed.remaining_quantity
    position.order_reserve += reserve(changed, sellReserve(changed, changed.remaining_quantity))
  }
  if (held > 0 || position.covering > 0) coverSells(position, held, changed, touched)
  position.covering = held
}

/** Gives what is held to the oldest SELLs; only those whose uncovered part has moved are counted anew. */
function coverSells(position: Position, held: number, changed: Order | null, touched: Order[]): void {
  let free = held
  for (let order = position.sells.oldest; order !== null; order = order.newer) {
    const uncovered = Math.max(order.remaining_quantity - free, 0)
    free = Math.max(free - order.remaining_quantity, 0)
    if (uncovered === order.uncovered_quantity && order !== changed) continue
    order.uncovered_quantity = uncovered
    position.order_reserve += reserve(order, sellReserve(order, uncovered))
    if (order !== changed) touch(order, touched)
  }
}

function touch(order: Order, touched: Order[]): void {
  if (order.changed) return
  order.changed = true
  touched.push(order)
}

/** @returns by how much it rose */
function reserve(order: Order, amount: number): number {
  const rise = amount - order.reserved_amount
  order.reserved_amount = amount
  return rise
}
