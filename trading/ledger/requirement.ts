import { exposureOf } from '../market/ladder.ts'
import { notional } from '../market/market-terms.ts'
import type { Order, Position, WorkingSide } from '../order/order.ts'
import { feeBuffer, worstFeeBase } from './fees.ts'
import { reducible, workingOrders, workingSide } from './position.ts'

/**
 * Money that a position requires of its account (docs/internals/trading-core.md), computed from the position and its working orders alone: a BUY
 * requires limit_price x remaining + fee buffer; a SELL (1 - limit_price) x uncovered remaining + fee buffer, with earlier SELLs
 * covered first; a short position |net| x 1 - pending_short_credit, at least 0. In a complementary market the exposure covers the
 * orders that close it, best price first, and there are no short positions.
 */
export function requirementOf(position: Position): number {
  if (position.terms.complementary) return ladderRequirement(position)
  let sum = saleRequirement(position, workingOrders(position.sells))
  for (const order of workingOrders(position.buys)) sum += buyReserve(order)
  return sum
}

function ladderRequirement(position: Position): number {
  let sum = 0
  for (const side of ['BUY', 'SELL'] as const) {
    let free = reducible(position, side)
    for (const order of workingOrders(workingSide(position, side))) {
      sum += openReserve(order, Math.max(order.remaining_quantity - free, 0))
      free = Math.max(free - order.remaining_quantity, 0)
    }
  }
  return sum
}

/** Returns the money that an order of a complementary market reserves for the part that opens a holding. */
function openReserve(order: Order, quantity: number): number {
  return order.side === 'SELL' ? sellReserve(order, quantity) : buyReserveOf(order, quantity)
}

/** The part of a position and of a working SELL that decides what they require. */
export type Holding = Pick<Position, 'net_quantity' | 'pending_short_credit' | 'terms'>
export type SellTerms = Pick<Order, 'limit_price' | 'remaining_quantity' | 'reserve_fees' | 'fees' | 'terms'>

/** Money that a holding and its working SELLs require. @param sells oldest first */
export function saleRequirement(holding: Holding, sells: Iterable<SellTerms>): number {
  let sum = collateralOf(holding)
  let covered = Math.max(holding.net_quantity, 0)
  for (const order of sells) {
    const uncovered = Math.max(order.remaining_quantity - covered, 0)
    covered = Math.max(covered - order.remaining_quantity, 0)
    sum += sellReserve(order, uncovered)
  }
  return sum
}

/** Returns the money reserved for a short position. */
function collateralOf({ net_quantity, pending_short_credit, terms }: Holding): number {
  if (net_quantity >= 0) return 0
  return Math.max(notional(terms, terms.one, -net_quantity) - pending_short_credit, 0)
}

/** Returns the money that a BUY reserves for its remainder. */
function buyReserve(order: Order): number {
  return buyReserveOf(order, order.remaining_quantity)
}

function buyReserveOf(order: Order, quantity: number): number {
  const { limit_price, terms } = order
  if (quantity === 0) return 0
  const buffer = feeBuffer(order.reserve_fees, order.fees, worstFeeBase(terms, 'BUY', limit_price, quantity))
  return notional(terms, limit_price, quantity) + buffer
}

/** Returns the money that a SELL reserves for its uncovered part. */
function sellReserve(order: SellTerms, uncovered: number): number {
  if (uncovered === 0) return 0
  const { limit_price, terms } = order
  const buffer = feeBuffer(order.reserve_fees, order.fees, worstFeeBase(terms, 'SELL', limit_price, uncovered))
  return notional(terms, terms.one - limit_price, uncovered) + buffer
}

/**
 * Updates each order's `reserved_amount` and the position's `requirement` after a change of an order, the net quantity or a
 * credit. With no holdings, no other order is touched.
 * @param changed the order that was added, filled or ended; null: only the position has changed
 * @param touched receives every other order whose values have changed, once per batch; the caller handles `changed`
 * @returns the rise of the requirement
 */
export function refreshRequirement(position: Position, changed: Order | null, touched: Order[]): number {
  if (position.terms.complementary) refreshLadder(position, changed, touched)
  else if (changed?.side === 'BUY') position.order_reserve += reserve(changed, buyReserve(changed))
  else refreshSells(position, changed, touched)
  const requirement = position.order_reserve + collateralOf(position)
  const rise = requirement - position.requirement
  position.requirement = requirement
  return rise
}

function refreshLadder(position: Position, changed: Order | null, touched: Order[]): void {
  if (changed !== null) cover(changed, changed.remaining_quantity)
  const exposure = exposureOf(position)
  const { covering, buys, sells } = position
  if (exposure > 0 || covering > 0) coverSide(sells, Math.max(exposure, 0), changed, touched)
  if (exposure < 0 || covering < 0) coverSide(buys, Math.max(-exposure, 0), changed, touched)
  position.covering = exposure
}

function coverSide(side: WorkingSide, held: number, changed: Order | null, touched: Order[]): void {
  let free = held
  for (let order = side.oldest; order !== null; order = order.newer) {
    const uncovered = Math.max(order.remaining_quantity - free, 0)
    free = Math.max(free - order.remaining_quantity, 0)
    if (uncovered === order.uncovered_quantity) continue
    cover(order, uncovered)
    if (order !== changed) touch(order, touched)
  }
}

/** Reserves for the part of an order that no holding covers. */
function cover(order: Order, uncovered: number): void {
  order.uncovered_quantity = uncovered
  order.position.order_reserve += reserve(order, openReserve(order, uncovered))
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

/** Covers the oldest SELLs with the holdings and recomputes only those whose uncovered part has changed. */
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

/** @returns the rise */
function reserve(order: Order, amount: number): number {
  const rise = amount - order.reserved_amount
  order.reserved_amount = amount
  return rise
}
