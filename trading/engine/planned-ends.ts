import { NONE } from '../matching/price-bits.ts'
import type { Order } from '../order/order.ts'
import { isTerminal } from '../order/order-states.ts'
import type { Execution } from './execution.ts'
import type { Outcome } from './state.ts'
import { endOrder, moveOrder, takeOut } from './working-orders.ts'

/** Greatest number of orders that the clock and mass cancels end in one batch, so that other submissions never wait long. */
const SLICE_MAX = 200
/** Orders that every mass cancel may end at once, whatever others have used of the slice. */
const OWN_MIN = 20

/** Begins the slice of a batch. */
export function beginSlice({ state }: Execution): void {
  state.slice_left = SLICE_MAX
}

/** Takes up to `wanted` orders out of the slice. @returns how many may end in this batch */
export function takeSlice({ state }: Execution, wanted: number, own = OWN_MIN): number {
  const taken = Math.min(wanted, Math.max(state.slice_left, own))
  state.slice_left = Math.max(state.slice_left - taken, 0)
  return taken
}

/** Whether an order has to end before anything else happens to it: its end is planned, or its expiry has passed. */
export function isEnding({ planned_end, expires_at }: Order, now: number): boolean {
  return planned_end !== null || (expires_at !== null && expires_at <= now)
}

/** Ends a working order as planned, or because it has expired. */
export function endPlanned(execution: Execution, order: Order): void {
  takeOut(execution, order)
  endTakenOut(execution, order)
}

/** Ends an order that the book has removed, as planned, or because it has expired. */
export function endTakenOut(execution: Execution, order: Order): void {
  const is_expired = order.expires_at !== null && order.expires_at <= execution.now
  // A cancel decided before the expiry counts; a pause cancels later than it is decided.
  if (order.planned_end === null || (is_expired && order.planned_end.reason === 'CANCEL_ON_PAUSE')) {
    endOrder(execution, order, 'expired', 'EXPIRED')
    return
  }
  const { reason, origin } = order.planned_end
  order.cancel = origin
  if (reason !== 'MARKET_CLOSED') moveOrder(execution, order, 'cancel_pending')
  endOrder(execution, order, 'canceled', reason)
}

/** Ends orders of one side that rest in front of an order and have to end, so that it meets none of them. */
export function clearFront(execution: Execution, { book, resting }: Outcome, side: Order['side']): void {
  for (let slot = book.firstAgainst(side); slot !== NONE; slot = book.firstAgainst(side)) {
    const order = resting[slot]!
    if (!isEnding(order, execution.now)) return
    endPlanned(execution, order)
  }
}

/** Ends the next planned orders, as far as the slice allows. */
export function endNextPlanned(execution: Execution): void {
  const { planned_ends } = execution.state
  while (planned_ends.done < planned_ends.orders.length) {
    const order = planned_ends.orders[planned_ends.done]!
    if (!isTerminal(order.status)) {
      if (takeSlice(execution, 1, 0) === 0) return
      endPlanned(execution, order)
    }
    planned_ends.done += 1
  }
  planned_ends.orders = []
  planned_ends.done = 0
}
