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

/** Whether the filter covers an order. */
export function coversOrder({ market_ids, cancel_on_pause_only }: CancelFilter, order: Order): boolean {
  if (market_ids !== null && !market_ids.includes(order.position.market_id)) return false
  return !cancel_on_pause_only || isCanceledOnPause(order)
}

/** Whether a pause of its market cancels an order; otherwise the order is suspended. */
function isCanceledOnPause({ intent }: Pick<Order, 'intent'>): boolean {
  return intent.cancel_on_pause
}
