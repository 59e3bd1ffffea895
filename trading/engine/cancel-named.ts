import type { Order } from '../order/order.ts'
import { isRejection } from '../order/order-errors.ts'
import type { OrderRow } from '../projections/rows.ts'
import { cancelOrder } from './cancel-order.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { findNamed, orderNotFound } from './named-order.ts'
import type { CancelReason, CancelTarget, Refusal, WriteIdentity } from './submission.ts'

/** The named order as it is now; null: unknown. `error`: why it was not canceled. */
type Canceled = { readonly order: Order | OrderRow | null; readonly error: Refusal | null }

/** Cancels what remains of one order. */
export function cancelNamed(
  execution: Execution,
  facts: Facts,
  { account_id, command_id }: WriteIdentity,
  target: CancelTarget,
  { client_cancel_id, reason }: CancelReason,
): Canceled {
  const order = findNamed(execution, facts, account_id, target)
  if (order === null) return { order, error: orderNotFound(target) }
  const { order_id } = order
  const { expected_order_version } = target
  const origin = { command_id, client_cancel_id, reason }
  const result = cancelOrder(execution, { kind: 'cancel_order', account_id, order_id, expected_order_version, origin })
  return { order, error: isRejection(result) ? result : null }
}
