import type { TerminalReason } from '../../vocabulary/order.ts'
import { coversOrder } from '../order/cancel-filter.ts'
import type { Order } from '../order/order.ts'
import { isRejection, orderErrors, type Rejection } from '../order/order-errors.ts'
import { isTerminal } from '../order/order-states.ts'
import type { CancelAll, CancelOrder } from './commands.ts'
import type { Execution } from './execution.ts'
import { workingOrdersOf } from './state.ts'
import { endOrder, moveOrder, takeOut } from './working-orders.ts'

/** Cancels a resting order at once; fills sequenced before stay valid. */
export function cancelWorking(execution: Execution, order: Order, reason: TerminalReason): void {
  moveOrder(execution, order, 'cancel_pending')
  takeOut(execution, order)
  endOrder(execution, order, 'canceled', reason)
}

/** Cancels one order for its user. An order that has ended is unknown here; the caller holds its record. */
export function cancelOrder(execution: Execution, command: CancelOrder): Order | Rejection {
  const order = findWorking(execution, command)
  if (!isRejection(order)) cancelWorking(execution, order, 'USER_CANCELED')
  return order
}

/** Finds a working order of the account at the version that the caller has seen. */
export function findWorking(
  { state }: Execution,
  { account_id, order_id, expected_order_version }: Omit<CancelOrder, 'kind'>,
): Order | Rejection {
  const order = state.orders.get(order_id)
  if (order === undefined || order.position.account_id !== account_id) return orderErrors.not_cancelable(order_id)
  if (expected_order_version === null || expected_order_version === order.version) return order
  return orderErrors.version_conflict(expected_order_version, order.version)
}

/** Cancels every working order of the account that the command covers, oldest first. */
export function cancelAll(execution: Execution, command: Omit<CancelAll, 'kind'>): readonly Order[] {
  const account = execution.state.accounts.get(command.account_id)
  const working = account === undefined ? [] : workingOrdersOf(account)
  const chosen = working.filter((order) => coversOrder(command, order))
  for (const order of chosen) cancelWorking(execution, order, command.reason)
  return chosen
}

/** Expires every order whose expiry the clock has reached, before anything else at that instant. */
export function expireOrders(execution: Execution): void {
  const { expiries } = execution.state
  for (let due = expiries.takeDue(execution.now); due !== null; due = expiries.takeDue(execution.now)) {
    const order = due.item
    if (isTerminal(order.status)) continue
    takeOut(execution, order)
    endOrder(execution, order, 'expired', 'EXPIRED')
  }
}
