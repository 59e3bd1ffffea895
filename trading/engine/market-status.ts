import type { MarketStatus } from '../../vocabulary/market.ts'
import type { Execution } from './execution.ts'
import { followMarket, isLagging } from './follow-market.ts'
import { massCancel } from './mass-cancel.ts'
import { takeSlice } from './planned-ends.ts'
import type { Market } from './state.ts'

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
const ON_ENTRY: Readonly<Partial<Record<MarketStatus, (execution: Execution, market: Market) => void>>> = {
  paused: pauseOrders,
  open: moveLagging,
  closed: closeOrders,
}

/**
 * Moves a market to a state of the table and publishes it. A pause cancels the orders that ask for it and suspends the others;
 * opening resumes these; closing cancels every resting order. All in slices.
 */
export function enterStatus(
  execution: Execution,
  market: Market,
  to: MarketStatus,
  act: { readonly actor: string; readonly reason: string },
): void {
  const { status: from } = market
  market.status = to
  market.updated_at = execution.now
  publishMarket(execution, market, act)
  const handle = ON_ENTRY[to]
  if (handle === undefined || from === 'resolving') return
  handle(execution, market)
}

/** Publishes a market's state. */
export function publishMarket(
  execution: Execution,
  market: Market,
  { actor, reason }: { readonly actor: string; readonly reason: string },
): void {
  const { market_id, status, terms } = market
  execution.changes.markets.add(market)
  execution.publish({
    engine_sequence: execution.nextSequence(),
    at: execution.now,
    kind: 'market',
    market_id,
    status,
    actor,
    reason,
    ...(terms.complementary ? { complementary: true } : {}),
  })
}

function pauseOrders(execution: Execution, market: Market): void {
  const scope = { account_id: null, market_ids: [market.market_id], cancel_on_pause_only: true }
  massCancel(execution, { ...scope, reason: 'CANCEL_ON_PAUSE', origin: null, is_deferred: true })
  moveLagging(execution, market)
}

/** Suspends or resumes orders as their market now implies: a slice at once, the others in the next batches. */
function moveLagging(execution: Execution, market: Market): void {
  const { state } = execution
  const orders = [...market.orders].filter((order) => isLagging(state, order))
  const at_once = takeSlice(execution, orders.length, 0)
  for (const order of orders.slice(0, at_once)) followMarket(execution, order)
  for (const order of orders.slice(at_once)) state.lagging.orders.push(order)
}

function closeOrders(execution: Execution, { market_id }: Market): void {
  const scope = { account_id: null, market_ids: [market_id], cancel_on_pause_only: false }
  massCancel(execution, { ...scope, reason: 'MARKET_CLOSED', origin: null })
}
