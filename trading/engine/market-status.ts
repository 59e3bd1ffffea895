import type { MarketStatus } from '../../vocabulary/market.ts'
import type { Order } from '../order/order.ts'
import type { Execution } from './execution.ts'
import { massCancel } from './mass-cancel.ts'
import type { Market } from './state.ts'
import { moveOrder } from './working-orders.ts'

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

/** Effect of entering a state on the resting orders; missing: none. */
const ON_ENTRY: Readonly<Partial<Record<MarketStatus, (execution: Execution, market_id: string) => void>>> = {
  paused: pauseOrders,
  open: resumeOrders,
  closed: closeOrders,
}

/**
 * Moves a market to a state of the table and publishes it. A pause cancels the orders that ask for it, in slices, and suspends the
 * others; opening resumes these; closing cancels every resting order, in slices.
 */
export function enterStatus(
  execution: Execution,
  market: Market,
  to: MarketStatus,
  act: { readonly actor: string; readonly reason: string },
): void {
  const { market_id, status: from } = market
  market.status = to
  market.updated_at = execution.now
  publishMarket(execution, market, act)
  const handle = ON_ENTRY[to]
  if (handle === undefined || from === 'resolving') return
  handle(execution, market_id)
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

function pauseOrders(execution: Execution, market_id: string): void {
  const scope = { account_id: null, market_ids: [market_id], cancel_on_pause_only: true }
  massCancel(execution, { ...scope, reason: 'CANCEL_ON_PAUSE', origin: null, is_deferred: true })
  for (const order of ordersOf(execution, market_id))
    if (order.planned_end === null) moveOrder(execution, order, 'suspended')
}

function resumeOrders(execution: Execution, market_id: string): void {
  for (const order of ordersOf(execution, market_id)) {
    if (order.status !== 'suspended') continue
    moveOrder(execution, order, order.filled_quantity > 0 ? 'partially_filled' : 'open')
  }
}

function closeOrders(execution: Execution, market_id: string): void {
  const scope = { account_id: null, market_ids: [market_id], cancel_on_pause_only: false }
  massCancel(execution, { ...scope, reason: 'MARKET_CLOSED', origin: null })
}

function ordersOf({ state }: Execution, market_id: string): Order[] {
  return [...state.orders.values()].filter(({ position }) => position.market_id === market_id)
}
