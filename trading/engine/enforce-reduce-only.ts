import type { Position } from '../order/order.ts'
import type { Execution } from './execution.ts'
import { endByEngine } from './planned-ends.ts'
import { type Outcome, outcomeOf } from './state.ts'
import { leaveBook } from './working-orders.ts'

/** Ends resting reduce_only orders that could increase the position, newest first. */
export function enforceReduceOnly(execution: Execution, position: Position): void {
  const outcome = outcomeOf(execution.state, position)
  outcome.book.cutReduceOnly(position.holder, { reduced: (slot) => endReduced(execution, outcome, slot) })
  execution.touchLevels(outcome)
}

/** Ends a reduce_only order that the book has removed. */
export function endReduced(execution: Execution, { resting, market }: Outcome, slot: number): void {
  const order = resting[slot]!
  leaveBook(order)
  // Only an adjustment can change a position while its market is paused.
  endByEngine(execution, order, market.status === 'paused' ? 'RISK_ACTION' : 'REDUCE_ONLY')
}
