import { HOUSE } from '../ledger/entries.ts'
import type { Position } from '../order/order.ts'
import type { Market, UnpaidPositions } from './state.ts'

/** Returns the unpaid positions of an ended market, collecting them on the first call. */
export function unpaidPositions(market: Market): UnpaidPositions {
  if (market.unpaid !== null) return market.unpaid
  const unpaid = { ready: new Set<Position>(), waiting: new Set<Position>() }
  market.unpaid = unpaid
  for (const { positions } of market.outcomes.values()) for (const position of positions) place(unpaid, position)
  return unpaid
}

/**
 * Records a change of a position, or of a settlement of its trades, in an ended market. Has no effect while the market trades.
 */
export function noteUnpaid({ unpaid }: Market, position: Position): void {
  if (unpaid !== null) place(unpaid, position)
}

function place({ ready, waiting }: UnpaidPositions, position: Position): void {
  const { account_id, net_quantity, open_settlements, terms } = position
  // The house is the other side of each payout; in a complementary market the pool is, which alone owes outcomes.
  if (account_id === HOUSE.receivable && !terms.complementary) return
  const is_paid = terms.complementary ? net_quantity > 0 : net_quantity !== 0
  waiting.delete(position)
  ready.delete(position)
  if (open_settlements > 0) waiting.add(position)
  else if (is_paid) ready.add(position)
}
