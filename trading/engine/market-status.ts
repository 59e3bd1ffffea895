import type { MarketStatus } from '../../vocabulary/market.ts'
import { isCanceledOnPause } from '../order/cancel-filter.ts'
import type { Order } from '../order/order.ts'
import type { Execution } from './execution.ts'
import { finishPauses, markPaused } from './pause-orders.ts'
import type { Market } from './state.ts'
import { endOrder, moveOrder, takeOut } from './working-orders.ts'

/** Allowed moves of a market (docs/state-machines/market.md). */
export const MARKET_MOVES: Readonly<Record<MarketStatus, readonly MarketStatus[]>> = {
  scheduled: ['open'],
  open: ['paused', 'closed'],
  paused: ['open', 'closed'],
  closed: ['resolving'],
  resolving: ['resolved', 'voided', 'closed'],
  resolved: ['archived'],
  voided: ['archived'],
  archived: [],
}

/** Effect of entering a state on each resting order; missing: none. */
const ON_ENTRY: Readonly<Partial<Record<MarketStatus, (execution: Execution, order: Order) => void>>> = {
  paused: pauseOrder,
  open: resumeOrder,
  closed: closeOrder,
}

/**
 * Moves a market to a state of the table and publishes it. A pause marks the orders that ask to be canceled on one, which the following
 * batches cancel, and suspends the others; opening resumes these; closing cancels every resting order.
 */
export function enterStatus(
  execution: Execution,
  market: Market,
  to: MarketStatus,
  act: { readonly actor: string; readonly reason: string },
): void {
  const { market_id, status: from } = market
  if (from === 'paused') finishPauses(execution)
  market.status = to
  market.updated_at = execution.now
  publishMarket(execution, market, act)
  const handle = ON_ENTRY[to]
  if (handle === undefined || from === 'resolving') return
  const resting = [...execution.state.orders.values()].filter(({ position }) => position.market_id === market_id)
  for (const order of resting) handle(execution, order)
}

/** Publishes a market's state. */
export function publishMarket(
  execution: Execution,
  market: Market,
  { actor, reason }: { readonly actor: string; readonly reason: string },
): void {
  const { market_id, status } = market
  execution.changes.markets.add(market)
  const engine_sequence = execution.nextSequence()
  execution.publish({ engine_sequence, at: execution.now, kind: 'market', market_id, status, actor, reason })
}

function pauseOrder(execution: Execution, order: Order): void {
  if (isCanceledOnPause(order)) markPaused(execution, order)
  else moveOrder(execution, order, 'suspended')
}

function resumeOrder(execution: Execution, order: Order): void {
  if (order.status === 'suspended') moveOrder(execution, order, order.filled_quantity > 0 ? 'partially_filled' : 'open')
}

function closeOrder(execution: Execution, order: Order): void {
  takeOut(execution, order)
  endOrder(execution, order, 'canceled', 'MARKET_CLOSED')
}
