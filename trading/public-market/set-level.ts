import type { Side } from '../../vocabulary/order.ts'
import type { PublicBook, PublicLevel } from './public-market.ts'

/** Replaces the level of a price, or inserts it where its price belongs; quantity 0 removes it. */
export function setLevel(book: Pick<PublicBook, 'bids' | 'asks'>, side: Side, level: PublicLevel): void {
  const levels = side === 'BUY' ? book.bids : book.asks
  const ordinal = ordinalOf(levels, side, level.price)
  const replaced = levels[ordinal]?.price === level.price ? 1 : 0
  if (level.quantity > 0) levels.splice(ordinal, replaced, level)
  else levels.splice(ordinal, replaced)
}

/** Ordinal that a price has, or belongs at: bids fall, asks rise. */
function ordinalOf(levels: readonly PublicLevel[], side: Side, price: number): number {
  let [from, to] = [0, levels.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    const before = side === 'BUY' ? levels[middle]!.price > price : levels[middle]!.price < price
    if (before) from = middle + 1
    else to = middle
  }
  return from
}
