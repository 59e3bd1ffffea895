import { excessOf } from '../ledger/cover.ts'
import { NONE } from '../matching/price-bits.ts'
import type { Position } from '../order/order.ts'
import type { Execution } from './execution.ts'
import { endByEngine } from './planned-ends.ts'
import { type Outcome, outcomeOf } from './state.ts'
import { leaveBook, trimOrder } from './working-orders.ts'

/**
 * Ends resting reduce_only orders that could increase the position, newest first; in a complementary market, trims them to what they
 * close.
 */
export function enforceReduceOnly(execution: Execution, position: Position): void {
  const outcome = outcomeOf(execution.state, position)
  if (position.terms.complementary) trimReduceOnly(execution, outcome, position)
  outcome.book.cutReduceOnly(position.holder, { reduced: (slot) => endReduced(execution, outcome, slot) })
  execution.touchLevels(outcome)
}

/**
 * Trims an account's resting reduce_only orders of a complementary market to what they close, in the order in which the holding covers
 * them. An order with nothing left ends.
 * @param position in the outcome of the book
 */
export function trimReduceOnly(execution: Execution, outcome: Outcome, position: Position): void {
  for (const side of ['BUY', 'SELL'] as const) {
    for (const { order, excess } of excessOf(position, side, execution.now)) {
      if (order.slot === NONE) continue
      if (excess < order.remaining_quantity) {
        outcome.book.trim(order.slot, excess)
        trimOrder(execution, order, excess)
      } else {
        outcome.book.remove(order.slot)
        order.trimmed_quantity += excess
        endReduced(execution, outcome, order.slot)
      }
    }
  }
}

/** Ends a reduce_only order that the book has removed. */
export function endReduced(execution: Execution, { resting, market }: Outcome, slot: number): void {
  const order = resting[slot]!
  leaveBook(order)
  // Only an adjustment can change a position while its market is paused.
  endByEngine(execution, order, market.status === 'paused' ? 'RISK_ACTION' : 'REDUCE_ONLY')
}
