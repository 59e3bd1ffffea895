import type { CancelAllRequest } from '../../protocol/requests/order-request.ts'
import type { Order } from './order.ts'

/** Working orders that a cancel covers: those that meet both conditions. */
export type CancelFilter = {
  /** null: every market. The API has resolved an index or a venue to its markets. */
  readonly market_ids: readonly string[] | null
  readonly cancel_on_pause_only: boolean
}

export const EVERY_ORDER: CancelFilter = { market_ids: null, cancel_on_pause_only: false }

/** Makes the filter of a request. */
export function cancelFilter(market_ids: CancelFilter['market_ids'], request: Partial<CancelAllRequest>): CancelFilter {
  return { market_ids, cancel_on_pause_only: request.cancel_on_pause_only ?? false }
}

/** Returns whether an order is covered by the filter. Many orders are asked, so the markets are looked up. */
export function coveredBy({ market_ids, cancel_on_pause_only }: CancelFilter): (order: Order) => boolean {
  const markets = market_ids === null ? null : new Set(market_ids)
  return (order) =>
    (markets === null || markets.has(order.position.market_id)) && (!cancel_on_pause_only || isCanceledOnPause(order))
}

/** Whether a pause of its market cancels an order; otherwise the order is suspended. */
export function isCanceledOnPause({ intent }: Pick<Order, 'intent'>): boolean {
  return intent.cancel_on_pause
}
