import type { Order } from '../order/order.ts'
import type { Account } from './state.ts'

/** Adds a resting order to its account's set. @param quote_set_id null: no mass quote placed it */
export function joinQuoteSet({ quote_sets }: Account, order: Order, quote_set_id: string | null): void {
  if (quote_set_id === null) return
  const key = quoteSetKey(order.position.market_id, quote_set_id)
  const orders = quote_sets.get(key) ?? new Set()
  quote_sets.set(key, orders.add(order))
}

/** Removes an order that ends from its account's set. */
export function leaveQuoteSet({ quote_sets }: Account, order: Order): void {
  if (quote_sets.size === 0) return
  const key = quoteSetKey(order.position.market_id, order.origin.quote_set_id ?? '')
  const orders = quote_sets.get(key)
  if (orders?.delete(order) === true && orders.size === 0) quote_sets.delete(key)
}

/** Returns the resting orders of a set, oldest first. */
export function quoteSetOf({ quote_sets }: Account, market_id: string, quote_set_id: string): readonly Order[] {
  return [...(quote_sets.get(quoteSetKey(market_id, quote_set_id)) ?? [])]
}

function quoteSetKey(market_id: string, quote_set_id: string): string {
  return `${market_id} ${quote_set_id}`
}
