import type { OrderBook } from '../../../protocol/resources/order-book.ts'
import { addDecimals, compareDecimals, signOf } from '../../data/decimal-text.ts'

type Level = OrderBook['bids'][number]

/**
 * Returns the book after a message or a read. A snapshot replaces it, a read replaces an older one, and a change applies only to a book.
 * @param kind `snapshot`, `read`, or that of a change
 */
export function bookAfter(book: OrderBook | null, update: OrderBook, kind: string): OrderBook | null {
  if (kind === 'snapshot') return update
  if (kind === 'read') return book !== null && book.sequence > update.sequence ? book : update
  return book === null || update.sequence <= book.sequence ? book : withChanges(book, update)
}

/** Applies changed price levels; each change carries the whole quantity of a price, and 0 removes it. */
export function withChanges(book: OrderBook, changes: OrderBook): OrderBook {
  return {
    ...changes,
    bids: changed(book.bids, changes.bids, (a, b) => compareDecimals(b.price, a.price)),
    asks: changed(book.asks, changes.asks, (a, b) => compareDecimals(a.price, b.price)),
  }
}

function changed(
  levels: readonly Level[],
  changes: readonly Level[],
  order: (a: Level, b: Level) => number,
): OrderBook['bids'] {
  const by_price = new Map(levels.map((level) => [level.price, level]))
  for (const level of changes) {
    if (signOf(level.quantity) === 0) by_price.delete(level.price)
    else by_price.set(level.price, level)
  }
  return [...by_price.values()].sort(order)
}

/** Price level with the cumulative quantity up to it. */
export type DeepLevel = { readonly price: string; readonly quantity: string; readonly depth: string }

/** Returns the best `count` price levels of one side, best first. */
export function deepLevels(levels: readonly Level[], count: number): readonly DeepLevel[] {
  let depth = '0'
  return levels.slice(0, count).map(({ price, quantity }) => {
    depth = addDecimals(depth, quantity)
    return { price, quantity, depth }
  })
}
