import type { OrderStatus } from '../../vocabulary/order.ts'
import type { Order } from '../order/order.ts'
import { isTerminal } from '../order/order-states.ts'
import type { Execution } from './execution.ts'
import type { EngineState } from './state.ts'
import { moveOrder } from './working-orders.ts'

/** Whether the market of a working order has been paused, or opened again, and the order has yet to be suspended, or open. */
export function isLagging(state: EngineState, order: Order): boolean {
  return !isTerminal(order.status) && order.planned_end === null && stateByMarket(state, order) !== order.status
}

/** Gives a working order the state that its market implies. Done in slices, and at once for an order that something else changes. */
export function followMarket(execution: Execution, order: Order): void {
  if (isLagging(execution.state, order)) moveOrder(execution, order, stateByMarket(execution.state, order))
}

function stateByMarket({ markets }: EngineState, { position, status, filled_quantity }: Order): OrderStatus {
  const market = markets.get(position.market_id)!
  if (market.status === 'paused') return 'suspended'
  if (market.status !== 'open' || status !== 'suspended') return status
  return filled_quantity > 0 ? 'partially_filled' : 'open'
}
