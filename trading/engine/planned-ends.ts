import type { TerminalReason } from '../../vocabulary/order.ts'
import { isEnding } from '../ledger/cover.ts'
import { NONE } from '../matching/price-bits.ts'
import type { Order, PlannedEnd } from '../order/order.ts'
import { isTerminal } from '../order/order-states.ts'
import type { Execution } from './execution.ts'
import { followMarket, isLagging } from './follow-market.ts'
import type { Backlog, Outcome } from './state.ts'
import { endOrder, moveOrder, takeOut } from './working-orders.ts'

/** Part of the slice that every mass cancel may use, whatever others have used of it. */
const OWN_PART = 10

/** Begins the slice of a batch. */
export function beginSlice({ state }: Execution): void {
  state.slice_left = state.slice_max
}

/** Takes up to `wanted` orders out of the slice. @returns how many may end in this batch */
export function takeSlice({ state }: Execution, wanted: number, own = Math.ceil(state.slice_max / OWN_PART)): number {
  const taken = Math.min(wanted, Math.max(state.slice_left, own))
  state.slice_left = Math.max(state.slice_left - taken, 0)
  return taken
}

/**
 * Ends an order that the book has removed, for a reason of the engine's own. One that has to end anyway ends as it would have, and one
 * that lags behind its market first gets the state of the market.
 */
export function endByEngine(execution: Execution, order: Order, reason: TerminalReason): void {
  if (isEnding(order, execution.now)) {
    endTakenOut(execution, order)
    return
  }
  followMarket(execution, order)
  endOrder(execution, order, 'canceled', reason)
}

/** Ends a working order as planned, or because it has expired. */
export function endPlanned(execution: Execution, order: Order): void {
  takeOut(execution, order)
  endTakenOut(execution, order)
}

/** Ends an order that the book has removed, as planned, or because it has expired. */
function endTakenOut(execution: Execution, order: Order): void {
  // A decision counts before an expiry, however late its slice is.
  const planned = order.planned_end ?? endBySwitch(order)
  if (planned === null) {
    endOrder(execution, order, 'expired', 'EXPIRED')
    return
  }
  const { reason, origin } = planned
  order.cancel = origin
  if (reason !== 'MARKET_CLOSED') moveOrder(execution, order, 'cancel_pending')
  endOrder(execution, order, 'canceled', reason)
}

/** Returns the end by a due switch that has not fired yet; null: the order has expired before. */
function endBySwitch({ expires_at, position }: Order): Pick<PlannedEnd, 'reason' | 'origin'> | null {
  const { cancel_after_at } = position.open_orders.account
  if (cancel_after_at === null || (expires_at !== null && expires_at <= cancel_after_at)) return null
  return { reason: 'CANCEL_AFTER', origin: null }
}

/** Ends orders of one side that rest in front of an order and have to end, so that it meets none of them. */
export function clearFront(execution: Execution, { book, resting }: Outcome, side: Order['side']): void {
  for (let slot = book.firstAgainst(side); slot !== NONE; slot = book.firstAgainst(side)) {
    const order = resting[slot]!
    if (!isEnding(order, execution.now)) return
    endPlanned(execution, order)
  }
}

/** Ends the next planned orders, then moves those that lag behind their markets, as far as the slice allows. */
export function continueBacklogs(execution: Execution): void {
  const { state } = execution
  const isOpen = (order: Order) => !isTerminal(order.status)
  workOff(execution, state.planned_ends, isOpen, endPlanned)
  workOff(execution, state.lagging, (order) => isLagging(state, order), followMarket)
}

function workOff(
  execution: Execution,
  backlog: Backlog,
  isLeft: (order: Order) => boolean,
  change: (execution: Execution, order: Order) => void,
): void {
  while (backlog.done < backlog.orders.length) {
    const order = backlog.orders[backlog.done]!
    if (isLeft(order)) {
      if (takeSlice(execution, 1, 0) === 0) return
      change(execution, order)
    }
    backlog.done += 1
  }
  backlog.orders = []
  backlog.done = 0
}
