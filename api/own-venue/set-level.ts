import { type OwnBook, type OwnLevel } from './own-market.ts'
import { type Side } from '../../vocabulary/order.ts'

/** Puts a level into a book in place of the one of its price; quantity 0 takes it out. */
export function setLevel(book: OwnBook, side: Side, level: OwnLevel): void {
  const levels = side === 'BUY' ? book.bids : book.asks
  const place = placeOf(levels, side, level.price)
  const replaced = levels[place]?.price === level.price ? 1 : 0
  if (level.quantity > 0) levels.splice(place, replaced, level)
  else levels.splice(place, replaced)
}

/** Where a price stands or would stand: bids fall, asks rise. */
function placeOf(levels: readonly OwnLevel[], side: Side, price: number): number {
  let [from, to] = [0, levels.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    const before = side === 'BUY' ? levels[middle]!.price > price : levels[middle]!.price < price
    if (before) from = middle + 1
    else to = middle
  }
  return from
}
