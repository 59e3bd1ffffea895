import type { TerminalReason } from '../../vocabulary/order.ts'
import { isEnding } from '../ledger/cover.ts'
import type { CancelOrigin, Order } from '../order/order.ts'
import { isRejection, orderErrors, type Rejection } from '../order/order-errors.ts'
import type { CancelOrder } from './commands.ts'
import type { Execution } from './execution.ts'
import { followMarket } from './follow-market.ts'
import { endPlanned, takeSlice } from './planned-ends.ts'
import { endOrder, moveOrder, takeOut } from './working-orders.ts'

/** Cancels a resting order at once; fills sequenced before stay valid. */
function cancelWorking(execution: Execution, order: Order, reason: TerminalReason, origin: CancelOrigin | null): void {
  order.cancel = origin
  moveOrder(execution, order, 'cancel_pending')
  takeOut(execution, order)
  endOrder(execution, order, 'canceled', reason)
}

/** Cancels one order for its user. An order that has ended is unknown here; the caller holds its record. */
export function cancelOrder(execution: Execution, command: CancelOrder): Order | Rejection {
  const order = findWorking(execution, command)
  if (!isRejection(order)) cancelWorking(execution, order, 'USER_CANCELED', command.origin ?? null)
  return order
}

/** Finds a working order of the account at the version that the caller has seen. */
export function findWorking(
  execution: Execution,
  { account_id, order_id, expected_order_version }: Omit<CancelOrder, 'kind'>,
): Order | Rejection {
  const order = execution.state.orders.get(order_id)
  if (order === undefined || order.position.account_id !== account_id) return orderErrors.not_cancelable(order_id)
  if (isEnding(order, execution.now)) {
    endPlanned(execution, order)
    return orderErrors.not_cancelable(order_id)
  }
  followMarket(execution, order)
  if (expected_order_version === null || expected_order_version === order.version) return order
  return orderErrors.version_conflict(expected_order_version, order.version)
}

/** Expires orders whose expiry the clock has reached, as far as the slice allows; later ones execute no more. */
export function expireOrders(execution: Execution): void {
  const { expiries } = execution.state
  while (execution.state.slice_left > 0) {
    const order = expiries.takeDue(execution.now)
    if (order === null) return
    takeSlice(execution, 1)
    endPlanned(execution, order)
  }
}
