import { type Decimal, ONE, ZERO } from '../../primitives/decimal.ts'
import type { DepthReason } from '../../vocabulary/robustness.ts'

/** Price in [0, 1], 9 decimals; contracts that rest there, 6 decimals. */
export type PriceLevel = { readonly price: Decimal; readonly quantity: Decimal }

/** Resting orders for one contract, best first on each side. */
export type Depth = { readonly bids: readonly PriceLevel[]; readonly asks: readonly PriceLevel[] }

/** Depth of a constituent, in terms of its normalized value: who buys at `asks` gets contracts that pay x. */
export type ConstituentDepth =
  | { readonly depth: Depth; readonly reason: null }
  | { readonly depth: null; readonly reason: DepthReason }

/** Depth of each constituent by id; one that is not named has none stored. */
export type Depths = ReadonlyMap<string, ConstituentDepth>

const NOT_STORED: ConstituentDepth = { depth: null, reason: 'DEPTH_NOT_STORED' }

/** Returns the depth of a constituent. */
export function depthOf(depths: Depths, constituent_id: string): ConstituentDepth {
  return depths.get(constituent_id) ?? NOT_STORED
}

/** Returns the depth of 1 - p from that of p: a bid at p is an ask at 1 - p. */
export function mirrorDepth({ bids, asks }: Depth): Depth {
  const mirror = (side: readonly PriceLevel[]) =>
    side.map(({ price, quantity }) => ({ price: ONE.minus(price), quantity }))
  return { bids: mirror(asks), asks: mirror(bids) }
}

/** Returns whether the best bid is at or above the best ask; such a book is absent (methodology index-2 §4). */
export function isCrossed({ bids, asks }: Depth): boolean {
  return bids[0] !== undefined && asks[0] !== undefined && bids[0].price.gte(asks[0].price)
}

/** Quantity of a side that can be traded, and its value at the resting prices. */
type Walked = { readonly quantity: Decimal; readonly value: Decimal }

/** Walks a side, best first, for a quantity; `quantity` of the result is less where the side ends before. */
export function walkSide(side: readonly PriceLevel[], quantity: Decimal): Walked {
  let [left, value] = [quantity, ZERO]
  for (const level of side) {
    if (left.isZero()) break
    const taken = level.quantity.lt(left) ? level.quantity : left
    value = value.plus(level.price.times(taken))
    left = left.minus(taken)
  }
  return { quantity: quantity.minus(left), value }
}
