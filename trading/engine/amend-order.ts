import type { Order } from '../order/order.ts'
import { isRejection, type Rejection } from '../order/rejection.ts'
import { findWorking } from './cancel-order.ts'
import type { AmendOrder, OrderIntent } from './commands.ts'
import type { Execution } from './execution.ts'
import { executableQuantity } from './match-order.ts'
import { type Admitted, admitOrder, executeOrder } from './place-order.ts'
import {
  confirmEnrolment,
  dismiss,
  giveBack,
  type HeldBack,
  holdBack,
  moveOrder,
  takeOut,
  unenroll,
} from './working-orders.ts'

/**
 * Replaces a working order, or refuses and leaves it as it was. What it reserves counts for the new one, which has a new place in
 * the queue.
 * @returns the refusal, or null
 */
export function amendOrder(execution: Execution, command: AmendOrder): Rejection | null {
  const { order_id, expected_order_version, intent } = command
  const old = findWorking(execution, { account_id: intent.account_id, order_id, expected_order_version })
  if (isRejection(old)) return old
  const mismatch = checkSame(old, intent)
  if (mismatch !== null) return mismatch
  const held_back = holdBack(old)
  const admitted = admitReplacement(execution, intent, held_back.released)
  if (isRejection(admitted)) {
    giveBack(held_back)
    return admitted
  }
  replace(execution, held_back, admitted)
  return null
}

/** A FOK that cannot fill would leave the caller with nothing, so it is refused here. */
function admitReplacement(execution: Execution, intent: OrderIntent, released: number): Admitted | Rejection {
  const admitted = admitOrder(execution, intent, released)
  if (isRejection(admitted) || intent.time_in_force !== 'FOK') return admitted
  const { order, outcome } = admitted
  if (executableQuantity(outcome, order) >= order.remaining_quantity) return admitted
  unenroll(order)
  return { code: 'ORDER_FOK_NOT_FILLABLE', message: 'the replacement cannot fill at once; the order is as it was' }
}

function replace(execution: Execution, { order: old, remaining_quantity }: HeldBack, admitted: Admitted): void {
  // The level counts the order with what remains of it.
  old.remaining_quantity = remaining_quantity
  takeOut(execution, old)
  old.remaining_quantity = 0
  old.canceled_quantity += remaining_quantity
  dismiss(execution, old)
  confirmEnrolment(execution, admitted.order, admitted.rise)
  moveOrder(execution, old, 'canceled', 'REPLACED')
  executeOrder(execution, admitted)
}

function checkSame(old: Order, intent: OrderIntent): Rejection | null {
  for (const field of ['market_id', 'outcome_id', 'side'] as const) {
    if (old[field] === intent[field]) continue
    const message = `${field} is ${intent[field]}; allowed in an amend: ${old[field]}, as before`
    return { code: 'ORDER_AMEND_NOT_ALLOWED', message }
  }
  return null
}
