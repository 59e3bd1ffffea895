import type { Order } from '../order/order.ts'
import type { OrderRow } from '../projections/rows.ts'
import type { Execution } from './execution.ts'
import { clientIdKey, type Facts, isNewer } from './facts.ts'
import { findOrder } from './find-order.ts'
import type { OrderName, Refusal } from './submission.ts'
import { unknownRecord } from './unknown-record.ts'

/**
 * Finds the order of the account that a request names. A client_order_id may be used again some days after its order has ended: it
 * names the working order, or else the newest one.
 * @returns null: no such order of this account
 */
export function findNamed(
  execution: Execution,
  facts: Facts,
  account_id: string,
  name: OrderName,
): Order | OrderRow | null {
  if (name.order_id !== undefined) return findOrder(execution, facts, account_id, name.order_id)
  const { client_order_id } = name
  const working = execution.state.accounts.get(account_id)?.working_by_client_id.get(client_order_id)
  return working ?? newestOf(execution, facts, account_id, client_order_id)
}

/** Returns the newest ended order, whether this batch or an earlier one ended it. */
function newestOf({ changes }: Execution, facts: Facts, account_id: string, client_order_id: string) {
  let newest: Order | OrderRow | null =
    facts.orders.get(facts.newest_by_client_id.get(clientIdKey({ account_id, client_order_id })) ?? '') ?? null
  for (const order of [...changes.orders, ...changes.order_rows.values()]) {
    const { account_id: owner, client_order_id: id } = 'intent' in order ? order.intent : order
    if (owner === account_id && id === client_order_id && (newest === null || isNewer(order, newest))) newest = order
  }
  return newest
}

/** Builds the refusal of an order's name; the same for an unknown order and for another account's. */
export function orderNotFound({ order_id, client_order_id }: OrderName): Refusal {
  return order_id === undefined ? unknownRecord('client_order', client_order_id) : unknownRecord('order', order_id)
}
