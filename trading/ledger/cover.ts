import type { Micros } from '../../primitives/instants.ts'
import type { Order, Position } from '../order/order.ts'
import { reducible, workingOrders, workingSide } from './position.ts'

/**
 * Whether an order has to end before anything else happens to it: its end is planned, its expiry has passed, or its account's
 * dead-man's switch is due.
 */
export function isEnding({ planned_end, expires_at, position }: Order, now: Micros): boolean {
  return planned_end !== null || isDue(expires_at, now) || isDue(position.open_orders.account.cancel_after_at, now)
}

function isDue(at: Micros | null, now: Micros): boolean {
  return at !== null && at <= now
}

/**
 * Returns what a holding of a complementary market leaves for a new order: what the working orders of its side at better or equal
 * prices do not close. Orders that are ending close nothing.
 */
export function coverOf(
  position: Position,
  { side, limit_price }: Pick<Order, 'side' | 'limit_price'>,
  now: Micros,
): number {
  let free = reducible(position, side)
  if (free === 0) return 0
  for (const order of workingOrders(workingSide(position, side))) {
    const is_behind = side === 'BUY' ? order.limit_price < limit_price : order.limit_price > limit_price
    if (is_behind || free === 0) break
    if (!isEnding(order, now)) free = Math.max(free - order.remaining_quantity, 0)
  }
  return free
}

/** Yields the resting reduce_only orders of a side that remain larger than what they can close, with what is too much. */
export function* excessOf(
  position: Position,
  side: Order['side'],
  now: Micros,
): Generator<{ order: Order; excess: number }> {
  const working = workingSide(position, side)
  if (working.reduce_only_remaining === 0) return
  let free = reducible(position, side)
  for (let order = working.oldest; order !== null; ) {
    const { newer } = order
    if (!isEnding(order, now)) {
      const covered = Math.min(order.remaining_quantity, free)
      free -= covered
      if (order.reduce_only && covered < order.remaining_quantity) {
        yield { order, excess: order.remaining_quantity - covered }
      }
    }
    order = newer
  }
}
