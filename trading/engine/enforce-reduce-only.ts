import { type Position, reduceOnlyOf, reducible, workingSide } from '../ledger/position.ts'
import type { Order } from '../order/order.ts'
import type { Execution } from './execution.ts'
import { endOrder, takeOut } from './working-orders.ts'

/**
 * Ends resting reduce_only orders that could no longer only reduce the position, newest first (decisions 4b).
 * @param taker the order under way, which was cut to what it may do already
 */
export function enforceReduceOnly(execution: Execution, position: Position, taker: Order | null): void {
  for (const side of ['BUY', 'SELL'] as const) {
    let excess = reduceOnlyOf(position, side, taker) - reducible(position, side)
    if (excess <= 0) continue
    for (const order of [...workingSide(position, side).orders].reverse()) {
      if (excess <= 0) break
      if (!order.reduce_only || order === taker) continue
      excess -= order.remaining_quantity
      takeOut(execution, order)
      endOrder(execution, order, 'canceled', 'REDUCE_ONLY')
    }
  }
}
