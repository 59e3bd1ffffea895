import type { Order } from '../../../protocol/resources/order.ts'
import type { OrderBook } from '../../../protocol/resources/order-book.ts'
import type { Side } from '../../../vocabulary/order.ts'
import { addDecimals, compareDecimals, subtractDecimals, trimZeros } from '../../data/decimal-text.ts'

type Level = OrderBook['bids'][number]

/** A price level of a complementary market, with the price of either outcome. */
export type PairLevel = {
  /** Price of the first outcome. */
  readonly price: string
  /** Price of the second outcome: 1 - price. */
  readonly other_price: string
  readonly quantity: string
  /** The part that rests as orders of the second outcome. */
  readonly derived_quantity: string
  readonly depth: string
}

/** Returns the best `count` price levels of one side of the first outcome's book, best first. */
export function pairLevels(levels: readonly Level[], count: number): readonly PairLevel[] {
  let depth = '0'
  return levels.slice(0, count).map(({ price, quantity, parts }) => {
    depth = addDecimals(depth, quantity)
    const derived = parts.filter((part) => part.derived)
    const derived_quantity = derived.reduce((sum, part) => addDecimals(sum, part.quantity), '0')
    return { price, other_price: mirrored(price), quantity, derived_quantity, depth }
  })
}

/** Returns 1 - price. */
export function mirrored(price: string): string {
  return trimZeros(subtractDecimals('1', price))
}

/** Sums the remaining quantity of own orders that rest at a price of the first outcome's book; null: none. */
export function ownOnLadder(own: readonly Order[], first_id: string, side: Side, price: string): string | null {
  const mine = own.filter((order) => {
    const is_first = order.outcome_id === first_id
    const on_ladder = is_first ? order.limit_price : mirrored(order.limit_price)
    return (order.side === side) === is_first && compareDecimals(on_ladder, price) === 0
  })
  return mine.length === 0 ? null : mine.reduce((sum, order) => addDecimals(sum, order.remaining_quantity), '0')
}
