import type { Order } from '../order/order.ts'
import { isTerminal } from '../order/order-states.ts'
import { cancelWorking } from './cancel-order.ts'
import type { Execution } from './execution.ts'
import type { EngineState } from './state.ts'

/** Greatest number of marked orders that one batch cancels, so that a pause never keeps others waiting long. */
const PAUSE_PORTION = 500

/** Marks an order for cancellation by a pause. It rests until then; nothing executes in a paused market. */
export function markPaused({ state }: Execution, order: Order): void {
  state.paused_orders.orders.push(order)
}

/** Restores a mark after a restart: in a paused market, every working order that is not suspended was marked. */
export function markPausedAgain(state: EngineState, order: Order): void {
  if (order.status !== 'suspended') state.paused_orders.orders.push(order)
}

/** Cancels the next portion of marked orders, skipping those that have ended since. */
export function cancelPaused(execution: Execution, portion = PAUSE_PORTION): void {
  const waiting = execution.state.paused_orders
  const end = Math.min(waiting.done + portion, waiting.orders.length)
  while (waiting.done < end) {
    const order = waiting.orders[waiting.done]!
    waiting.done += 1
    if (!isTerminal(order.status)) cancelWorking(execution, order, 'CANCEL_ON_PAUSE')
  }
  if (waiting.done < waiting.orders.length) return
  waiting.orders = []
  waiting.done = 0
}

/** Cancels all marked orders before a paused market moves on, so that none of them trades again. */
export function finishPauses(execution: Execution): void {
  cancelPaused(execution, Number.POSITIVE_INFINITY)
}
