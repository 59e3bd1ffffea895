import type { Order } from '../order/order.ts'
import { isRejection, orderErrors, type Rejection } from '../order/order-errors.ts'
import type { IncomingOrder, OrderIntent } from '../order/order-intent.ts'
import { findWorking } from './cancel-order.ts'
import type { AmendOrder } from './commands.ts'
import { executeOrder } from './execute-order.ts'
import type { Execution } from './execution.ts'
import { TriedMatches } from './permit-match.ts'
import { type Admitted, admitOrder } from './place-order.ts'
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

/** Both orders after an amend. */
export type Replaced = { readonly old: Order; readonly replacement: Order }

/**
 * Replaces a working order, or refuses and changes nothing. The old order's reservation counts for the new one, which joins the
 * end of its queue and the ladder of the old one.
 */
export function amendOrder(execution: Execution, command: AmendOrder): Replaced | Rejection {
  const { order_id, expected_order_version, intent } = command
  const old = findWorking(execution, { account_id: intent.account_id, order_id, expected_order_version })
  if (isRejection(old)) return old
  const mismatch = checkSame(old, intent)
  if (mismatch !== null) return mismatch
  const held_back = holdBack(execution, old)
  const origin = { ...command.origin, quote_set_id: old.origin.quote_set_id ?? null }
  const admitted = admitReplacement(execution, { ...command, origin }, held_back.released)
  if (isRejection(admitted)) {
    giveBack(execution, held_back)
    return admitted
  }
  replace(execution, held_back, admitted)
  return { old, replacement: admitted.order }
}

/**
 * Admits the replacement. A FOK that cannot fill is refused here, and a FAK that would execute nothing, because accepting it
 * would leave the caller without any order.
 */
function admitReplacement(execution: Execution, request: IncomingOrder, released: number): Admitted | Rejection {
  const admitted = admitOrder(execution, request, released, 1)
  if (isRejection(admitted)) return admitted
  const { time_in_force } = request.intent
  if (time_in_force !== 'FOK' && time_in_force !== 'FAK') return admitted
  const { order, outcome, rise } = admitted
  const { quantity } = outcome.book.executable(order, new TriedMatches(execution, outcome, order, rise))
  const is_refused = time_in_force === 'FOK' ? quantity < order.remaining_quantity : quantity === 0
  if (!is_refused) return admitted
  unenroll(execution, order)
  return orderErrors.replacement_not_fillable(time_in_force)
}

function replace(execution: Execution, { order: old, remaining_quantity }: HeldBack, admitted: Admitted): void {
  takeOut(execution, old)
  old.canceled_quantity += remaining_quantity
  old.replaced_by_order_id = admitted.order.order_id
  dismiss(execution, old)
  confirmEnrolment(execution, admitted.order, admitted.rise)
  moveOrder(execution, old, 'canceled', 'REPLACED')
  executeOrder(execution, admitted)
}

function checkSame({ intent: old }: Order, intent: OrderIntent): Rejection | null {
  for (const field of ['market_id', 'outcome_id', 'side'] as const) {
    if (old[field] !== intent[field]) return orderErrors.amend_not_allowed(field, intent[field], old[field])
  }
  return null
}
