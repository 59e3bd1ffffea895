import type { Side } from '../../vocabulary/order.ts'
import type { MarketTerms } from './market-terms.ts'

/**
 * Returns the side on the ladder of a complementary market: that of the first outcome. To buy the second outcome is to sell the first,
 * and the reverse. The same function leads back.
 * @param is_mirrored whether `side` is of the second outcome
 */
export function ladderSide(side: Side, is_mirrored: boolean): Side {
  if (!is_mirrored) return side
  return side === 'BUY' ? 'SELL' : 'BUY'
}

/** Returns the price on the ladder: 1 - price for the second outcome. The same function leads back. */
export function ladderPrice({ one }: Pick<MarketTerms, 'one'>, price: number, is_mirrored: boolean): number {
  return is_mirrored ? one - price : price
}

/** The part of a position that decides how orders change it. */
export type Exposed = {
  readonly net_quantity: number
  /** The position in the other outcome of a complementary market. */
  readonly complement?: { readonly net_quantity: number } | null
}

/**
 * Returns an account's exposure on the book of a position's outcome, as one signed number: in a complementary market, what it holds of
 * the first outcome less what it holds of the second; one of the two is 0.
 */
export function exposureOf({ net_quantity, complement }: Exposed): number {
  return complement === null || complement === undefined ? net_quantity : net_quantity - complement.net_quantity
}

/**
 * Whether an order may only reduce the exposure: signed so, or, in a complementary market without short sales, a sale.
 * @param side of the outcome that it is signed for
 */
export function isReduceOnly(
  { complementary, shorting_permitted }: MarketTerms,
  { reduce_only, side }: { readonly reduce_only: boolean; readonly side: Side },
): boolean {
  return reduce_only || (complementary && !shorting_permitted && side === 'SELL')
}
