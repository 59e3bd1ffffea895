import type { Order } from '../order/order.ts'
import type { OrderRow } from '../projections/rows.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'

/**
 * Finds an order of the account: a working one, one that this batch has changed or recorded, or an ended one.
 * @returns null: no such order of this account
 */
export function findOrder(
  { state, changes }: Execution,
  facts: Facts,
  account_id: string,
  order_id: string,
): Order | OrderRow | null {
  const order =
    state.orders.get(order_id) ??
    changes.order_rows.get(order_id) ??
    changes.orders.find((changed) => changed.order_id === order_id) ??
    facts.orders.get(order_id)
  if (order === undefined) return null
  const owner = 'intent' in order ? order.position.account_id : order.account_id
  return owner === account_id ? order : null
}

/** Whether the order can still execute or be canceled. */
export function isWorking({ state }: Execution, { order_id }: Order | OrderRow): boolean {
  return state.orders.has(order_id)
}
