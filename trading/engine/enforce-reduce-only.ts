import { type Position, reduceOnlyOf, reducible, workingSide } from '../ledger/position.ts'
import { type Order, SIDES, type Side } from '../order/order.ts'
import type { Execution } from './execution.ts'
import { endOrder, takeOut } from './working-orders.ts'

/**
 * Ends resting reduce_only orders that could no longer only reduce the position, newest first (decisions 4b).
 * @param taker the order under way, which was cut to what it may do already
 */
export function enforceReduceOnly(execution: Execution, position: Position, taker: Order | null): void {
  for (const side of SIDES) {
    if (workingSide(position, side).reduce_only_remaining > 0) cutExcess(execution, position, side, taker)
  }
}

function cutExcess(execution: Execution, position: Position, side: Side, taker: Order | null): void {
  let excess = reduceOnlyOf(position, side, taker) - reducible(position, side)
  for (let order = workingSide(position, side).newest; order !== null && excess > 0; ) {
    const { older } = order
    if (order.reduce_only && order !== taker) {
      excess -= order.remaining_quantity
      takeOut(execution, order)
      // Only an adjustment can change a position while its market is paused.
      endOrder(execution, order, 'canceled', order.status === 'suspended' ? 'RISK_ACTION' : 'REDUCE_ONLY')
    }
    order = older
  }
}
