import { invariant } from '../../primitives/errors.ts'

/** One price level of a book. Price in ten-thousandths, size in hundredths of a contract, positive. */
export type Level = { readonly price: number; size: number }

/** Orders to buy and to sell YES, best first. The best bid is always below the best ask. */
export type Ladder = { readonly bids: Level[]; readonly asks: Level[] }

export type Side = 'bid' | 'ask'

/** A level after a change, with the best prices after it; null = that side is empty. */
export type LevelChange = {
  readonly side: Side
  readonly price: number
  /** New total; 0 = the level is gone. */
  readonly size: number
  readonly delta: number
  readonly best_bid: number | null
  readonly best_ask: number | null
}

/** Creates a book without orders. */
export function emptyLadder(): Ladder {
  return { bids: [], asks: [] }
}

/** Adds `delta` (negative: removes) to a level; a new level is inserted in order, an empty one removed. */
export function changeLevel(ladder: Ladder, side: Side, price: number, delta: number): LevelChange {
  const levels = side === 'bid' ? ladder.bids : ladder.asks
  let index = 0
  while (index < levels.length && isBetter(side, levels[index]!.price, price)) index += 1
  const found = levels[index]?.price === price ? levels[index]! : null
  const size = (found?.size ?? 0) + delta
  invariant(size >= 0, `changeLevel: ${delta} at ${price} leaves ${size}`)
  if (found === null) levels.splice(index, 0, { price, size })
  else if (size === 0) levels.splice(index, 1)
  else found.size = size
  const best_bid = bestBid(ladder)
  const best_ask = bestAsk(ladder)
  invariant(best_bid === null || best_ask === null || best_bid < best_ask, `changeLevel: ${best_bid} meets ${best_ask}`)
  return { side, price, size, delta, best_bid, best_ask }
}

/** Returns the highest bid price; null = none. */
export function bestBid({ bids }: Ladder): number | null {
  return bids.length === 0 ? null : bids[0]!.price
}

/** Returns the lowest ask price; null = none. */
export function bestAsk({ asks }: Ladder): number | null {
  return asks.length === 0 ? null : asks[0]!.price
}

function isBetter(side: Side, price: number, than: number): boolean {
  return side === 'bid' ? price > than : price < than
}
