import { formatMicros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { QueuePosition } from '../../protocol/resources/queue-position.ts'
import { NONE } from '../matching/price-bits.ts'
import type { Order } from '../order/order.ts'
import type { OrderRow } from '../projections/rows.ts'
import { answered, refused, shownOrder } from './answers.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { findOrder } from './find-order.ts'
import { orderNotFound } from './named-order.ts'
import { outcomeOf } from './state.ts'
import type { Answer, AskQueuePosition } from './submission.ts'

/** Tells how much of the book would execute before an order; changes nothing. */
export function queuePosition(execution: Execution, facts: Facts, { account_id, order_id }: AskQueuePosition): Answer {
  const order = findOrder(execution, facts, account_id, order_id)
  if (order === null) return refused(orderNotFound({ order_id }))
  const { market_id, outcome_id, side, limit_price, status, remaining_quantity } = shownOrder(execution.state, order)
  const { engine_sequence } = execution.state
  const shown = { order_id, market_id, outcome_id, side, limit_price, status, remaining_quantity }
  const ahead = isInBook(order) ? aheadOf(execution, order) : { ahead_at_price: null, ahead_at_better_prices: null }
  const as_of = formatMicros(execution.now)
  return answered(200, { ...shown, ...ahead, engine_sequence, as_of } satisfies QueuePosition)
}

function isInBook(order: Order | OrderRow): order is Order {
  return 'intent' in order && order.slot !== NONE
}

/** Sums the price levels in front of an order's own, and the queue at its price. Costs one step a level and an older order. */
function aheadOf({ state }: Execution, { side, limit_price, slot, position, terms }: Order) {
  const { book } = outcomeOf(state, position)
  const [better, same] = [new Ahead(), new Ahead()]
  // The levels of the order's own side are those that the other side meets.
  for (const level of book.levelsAgainst(side === 'BUY' ? 'SELL' : 'BUY')) {
    if (level.price === limit_price) break
    better.add(level.quantity, level.order_count)
  }
  for (const older of book.queueAt({ side, price: limit_price })) {
    if (older.slot === slot) break
    same.add(older.remaining, 1)
  }
  const { quantity_scale } = terms
  return { ahead_at_price: same.shown(quantity_scale), ahead_at_better_prices: better.shown(quantity_scale) }
}

class Ahead {
  /** The sum over a book may pass 2^53, which no level does. */
  #quantity = 0n
  #order_count = 0

  add(quantity: number, order_count: number): void {
    this.#quantity += BigInt(quantity)
    this.#order_count += order_count
  }

  shown(scale: number) {
    return { quantity: fromScaled(this.#quantity, scale), order_count: this.#order_count }
  }
}
