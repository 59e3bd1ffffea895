import type { OrderBook } from '../../../protocol/resources/order-book.ts'

type Side = OrderBook['bids']

/**
 * What turns one book into the next: `after` with only those levels that are new or differ, in absolute sizes and best first,
 * then those that are gone with quantity "0".
 */
export function bookDelta(before: OrderBook, after: OrderBook): OrderBook {
  return { ...after, bids: sideDelta(before.bids, after.bids), asks: sideDelta(before.asks, after.asks) }
}

function sideDelta(before: Side, after: Side): Side {
  const known = new Map(before.map((level) => [level.price, level]))
  const present = new Set(after.map(({ price }) => price))
  const changed = after.filter((level) => {
    const old = known.get(level.price)
    return old === undefined || old.quantity !== level.quantity || old.order_count !== level.order_count
  })
  const gone = before.filter(({ price }) => !present.has(price))
  return [...changed, ...gone.map(({ price }) => ({ price, quantity: '0', order_count: null }))]
}
