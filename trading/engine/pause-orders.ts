import type { Order } from '../order/order.ts'
import { isTerminal } from '../order/order-states.ts'
import { cancelWorking } from './cancel-order.ts'
import type { Execution } from './execution.ts'
import type { EngineState } from './state.ts'

/** Orders that one batch cancels of those a pause has marked: so many that a pause never keeps others waiting long. */
const PAUSE_PORTION = 500

/** Marks an order for cancellation by a pause. It rests until its turn comes; nothing executes in a paused market meanwhile. */
export function markPaused({ state }: Execution, order: Order): void {
  state.paused_orders.orders.push(order)
}

/** Marks what was marked before a restart: of a paused market's working orders, those that are not suspended. */
export function markPausedAgain(state: EngineState, order: Order): void {
  if (order.status !== 'suspended') state.paused_orders.orders.push(order)
}

/** Cancels the next portion of what pauses have marked. What ended otherwise since is passed over. */
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

/** All of it, before a market that was paused moves on: what asked to be canceled does not trade again. */
export function finishPauses(execution: Execution): void {
  cancelPaused(execution, Number.POSITIVE_INFINITY)
}
