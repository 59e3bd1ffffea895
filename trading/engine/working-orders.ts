import { InvariantError } from '../../primitives/errors.ts'
import type { OrderStatus, TerminalReason } from '../../vocabulary/order.ts'
import { addRemaining, joinSide, leaveSide } from '../ledger/position.ts'
import { refreshRequirement } from '../ledger/requirement.ts'
import { NONE } from '../matching/price-bits.ts'
import { feesOf, type Order } from '../order/order.ts'
import { mayMove } from '../order/order-states.ts'
import type { Execution } from './execution.ts'
import { joinQuoteSet, leaveQuoteSet } from './quote-sets.ts'
import { accountOf, type Outcome, outcomeOf } from './state.ts'

/** Moves an order along the table of transitions and publishes it. */
export function moveOrder(
  execution: Execution,
  order: Order,
  to: OrderStatus,
  reason: TerminalReason | null = null,
): void {
  if (!mayMove(order.status, to, reason)) {
    throw new InvariantError(`order ${order.order_id} may move from ${order.status} to ${to} (${reason})`)
  }
  order.status = to
  order.terminal_reason = reason
  order.transitions[to] ??= execution.now
  publishOrder(execution, order)
}

/** Raises the version of an order and publishes it. */
export function publishOrder(execution: Execution, order: Order): void {
  const engine_sequence = execution.nextSequence()
  order.version += 1
  order.engine_sequence = engine_sequence
  order.updated_at = execution.now
  order.published_reserved_amount = order.reserved_amount
  execution.touchOrder(order)
  execution.publish({
    engine_sequence,
    at: execution.now,
    kind: 'order',
    account_id: order.position.account_id,
    order_id: order.order_id,
    status: order.status,
    version: order.version,
    terminal_reason: order.terminal_reason,
    filled_quantity: order.filled_quantity,
    remaining_quantity: order.remaining_quantity,
    canceled_quantity: order.canceled_quantity,
    filled_notional: order.filled_notional,
    fees: feesOf(order),
    reserved_amount: order.reserved_amount,
    replaced_by_order_id: order.replaced_by_order_id,
    rejection: null,
    ...(order.trimmed_quantity === 0 ? {} : { trimmed_quantity: order.trimmed_quantity }),
  })
}

/**
 * Counts a new order among its account's working ones. Nothing is booked, so that `unenroll` can undo it.
 * @returns the money that it requires
 */
export function enroll({ changes }: Execution, order: Order, working_quantity: number): number {
  joinSide(order)
  addRemaining(order, working_quantity)
  return refreshRequirement(order.position, order, changes.orders)
}

/** Undoes `enroll`. */
export function unenroll({ changes }: Execution, order: Order): void {
  leave(order)
  refreshRequirement(order.position, order, changes.orders)
}

/** A working order whose requirement is suspended, and the requirement to restore. */
export type HeldBack = {
  readonly order: Order
  readonly remaining_quantity: number
  /** Fall of the account's requirement. */
  readonly released: number
}

/** Removes an order from the account's requirement. Nothing is booked, so that `giveBack` can undo it. */
export function holdBack({ changes }: Execution, order: Order): HeldBack {
  const { position, remaining_quantity } = order
  addRemaining(order, -remaining_quantity)
  return { order, remaining_quantity, released: -refreshRequirement(position, order, changes.orders) }
}

/** Undoes `holdBack`. */
export function giveBack({ changes }: Execution, { order, remaining_quantity }: HeldBack): void {
  addRemaining(order, remaining_quantity)
  refreshRequirement(order.position, order, changes.orders)
}

/** Reserves the money that an enrolled order requires. */
export function confirmEnrolment(execution: Execution, order: Order, rise: number): void {
  bookReservation(execution, order, rise)
}

/** Records an order's slot in its outcome's book. */
export function keepResting({ resting }: Outcome, order: Order, slot: number): void {
  order.slot = slot
  resting[slot] = order
}

/** Records that an order rests in the book; from now on it can be found by its id. */
export function rest(execution: Execution, outcome: Outcome, order: Order): void {
  keepResting(outcome, order, outcome.book.rested)
  execution.state.orders.set(order.order_id, order)
  const account = accountOf(execution.state, order.position.account_id)
  account.working_by_client_id.set(order.intent.client_order_id, order)
  joinQuoteSet(account, order, order.origin.quote_set_id ?? null)
  outcome.market.orders.add(order)
  if (order.expires_at !== null) execution.state.expiries.add(order.expires_at, order.accepted_sequence, order)
}

/** Records that the book has removed an order. */
export function leaveBook(order: Order): void {
  order.slot = NONE
}

/** Removes a resting order from the book; it stays a working order. */
export function takeOut(execution: Execution, order: Order): void {
  const outcome = outcomeOf(execution.state, order.position)
  outcome.book.remove(order.slot)
  leaveBook(order)
  execution.touchLevels(outcome)
}

/** Ends an order that is not in the book: its remainder is canceled and its reservation released. */
export function endOrder(execution: Execution, order: Order, to: OrderStatus, reason: TerminalReason | null): void {
  order.canceled_quantity += order.remaining_quantity
  dismiss(execution, order)
  bookReservation(execution, order, refreshRequirement(order.position, order, execution.changes.orders))
  moveOrder(execution, order, to, reason)
}

/** Cuts `quantity`, less than all, off a resting order and releases its reservation. */
export function trimOrder(execution: Execution, order: Order, quantity: number): void {
  addRemaining(order, -quantity)
  order.canceled_quantity += quantity
  order.trimmed_quantity += quantity
  bookReservation(execution, order, refreshRequirement(order.position, order, execution.changes.orders))
  publishOrder(execution, order)
}

/** Removes an order from every list of working orders; its remainder becomes 0. */
export function dismiss(execution: Execution, order: Order): void {
  leave(order)
  execution.state.orders.delete(order.order_id)
  execution.state.expiries.remove(order)
  const account = accountOf(execution.state, order.position.account_id)
  const { working_by_client_id: working } = account
  if (working.get(order.intent.client_order_id) === order) working.delete(order.intent.client_order_id)
  leaveQuoteSet(account, order)
  outcomeOf(execution.state, order.position).market.orders.delete(order)
  finishTask(execution, order)
}

/** Stores the end of a mass cancel once all of its orders have ended. */
function finishTask({ changes }: Execution, { planned_end }: Order): void {
  const task = planned_end?.task ?? null
  if (task === null) return
  task.left -= 1
  if (task.left === 0) changes.mass_cancels.set(task.row.cancel_id, { ...task.row, is_done: true })
}

/** Moves money between available and reserved after a change of a requirement: two lines of the current transaction. */
export function moveReserved(
  execution: Execution,
  { position: { money } }: Pick<Order, 'position'>,
  rise: number,
): void {
  execution.money(money, 'available', -rise)
  execution.money(money, 'reserved', rise)
}

function leave(order: Order): void {
  leaveSide(order)
  addRemaining(order, -order.remaining_quantity)
}

function bookReservation(execution: Execution, order: Order, rise: number): void {
  execution.touchOrder(order)
  execution.touchPosition(order.position)
  if (rise === 0) return
  execution.begin('reservation', order.order_id)
  moveReserved(execution, order, rise)
}
