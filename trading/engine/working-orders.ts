import { invariant } from '../../primitives/errors.ts'
import type { Line } from '../ledger/entries.ts'
import { addRemaining, workingSide } from '../ledger/position.ts'
import { refreshRequirement } from '../ledger/requirement.ts'
import type { Order } from '../order/order.ts'
import { mayMove, type OrderStatus, type TerminalReason } from '../order/order-states.ts'
import type { Rejection } from '../order/rejection.ts'
import type { Execution } from './execution.ts'
import { accountOf, outcomeOf } from './state.ts'

/** Moves an order along the table of transitions and tells it. */
export function moveOrder(
  execution: Execution,
  order: Order,
  to: OrderStatus,
  reason: TerminalReason | null = null,
  rejection: Rejection | null = null,
): void {
  invariant(
    mayMove(order.status, to, reason),
    `order ${order.order_id} may move from ${order.status} to ${to} (${reason})`,
  )
  order.status = to
  order.version += 1
  order.terminal_reason = reason
  execution.touchOrder(order)
  execution.tell({
    kind: 'order',
    account_id: order.account_id,
    order_id: order.order_id,
    status: to,
    version: order.version,
    terminal_reason: reason,
    filled_quantity: order.filled_quantity,
    remaining_quantity: order.remaining_quantity,
    canceled_quantity: order.canceled_quantity,
    filled_notional: order.filled_notional,
    fees: order.reserve_fees.charged + order.proceeds_fees.charged,
    reserved_amount: order.reserved_amount,
    rejection,
  })
}

/**
 * Counts a new order among the working ones of its account. Nothing is booked yet, so that `unenroll` can undo it.
 * @returns what it asks of the account's money
 */
export function enroll(order: Order, working_quantity: number): number {
  workingSide(order.position, order.side).orders.add(order)
  addRemaining(order, working_quantity)
  return refreshRequirement(order.position, order)
}

/** Undoes `enroll`. */
export function unenroll(order: Order): void {
  leave(order)
  refreshRequirement(order.position, order)
}

/** A working order that asks for nothing for the moment, and what it will ask for again. */
export type HeldBack = {
  readonly order: Order
  readonly remaining_quantity: number
  /** By how much the account's requirement fell. */
  readonly released: number
}

/** The account's requirement as if the order were not there. Nothing is booked, so that `giveBack` can undo it. */
export function holdBack(order: Order): HeldBack {
  const { position, remaining_quantity } = order
  addRemaining(order, -remaining_quantity)
  return { order, remaining_quantity, released: -refreshRequirement(position, order) }
}

/** Undoes `holdBack`. */
export function giveBack({ order, remaining_quantity }: HeldBack): void {
  addRemaining(order, remaining_quantity)
  refreshRequirement(order.position, order)
}

/** Sets aside what an enrolled order asks for. */
export function confirmEnrolment(execution: Execution, order: Order, rise: number): void {
  execution.state.orders.set(order.order_id, order)
  accountOf(execution.state, order.account_id).orders.set(order.order_id, order)
  bookReservation(execution, order, rise)
}

/** Puts what is left of an order into the book. */
export function rest(execution: Execution, order: Order): void {
  execution.touchLevel(outcomeOf(execution.state, order).book.add(order))
  if (order.expires_at !== null) execution.state.expiries.add(order)
}

/** Takes a resting order out of the book; it stays a working order. */
export function takeOut(execution: Execution, order: Order): void {
  execution.touchLevel(outcomeOf(execution.state, order).book.remove(order))
}

/** Ends an order that is not in the book: what remains is canceled, and its reservation released. */
export function endOrder(execution: Execution, order: Order, to: OrderStatus, reason: TerminalReason | null): void {
  order.canceled_quantity += order.remaining_quantity
  dismiss(execution, order)
  bookReservation(execution, order, refreshRequirement(order.position, order))
  moveOrder(execution, order, to, reason)
}

/** Takes an order off every list of working ones; nothing of it remains. */
export function dismiss(execution: Execution, order: Order): void {
  leave(order)
  execution.state.orders.delete(order.order_id)
  accountOf(execution.state, order.account_id).orders.delete(order.order_id)
}

function leave(order: Order): void {
  workingSide(order.position, order.side).orders.delete(order)
  addRemaining(order, -order.remaining_quantity)
}

/** Moves money between available and reserved. */
function bookReservation(execution: Execution, order: Order, rise: number): void {
  execution.touchOrder(order)
  execution.touchPosition(order.position)
  if (rise !== 0) execution.book('reservation', order.order_id, reservationLines(order, rise))
}

/** The lines that move money between available and reserved. @param rise of what is reserved */
export function reservationLines({ account_id, terms }: Order, rise: number): Line[] {
  const asset_id = terms.settlement_asset_id
  return [
    { account_id, asset_id, bucket: 'available', amount: -rise },
    { account_id, asset_id, bucket: 'reserved', amount: rise },
  ]
}
