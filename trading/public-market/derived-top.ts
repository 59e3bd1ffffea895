import type { PublicBook } from './public-market.ts'

/**
 * Whether the whole top of a book rests as orders of the other outcome of a complementary market; null: the outcome has a book of its own,
 * or an empty one.
 */
export function isTopDerived({ bids, asks }: Pick<PublicBook, 'bids' | 'asks'>): boolean | null {
  const tops = [bids[0], asks[0]].filter((level) => level !== undefined)
  if (tops.length === 0 || tops.some(({ derived_quantity }) => derived_quantity === undefined)) return null
  return tops.every(({ quantity, derived_quantity }) => derived_quantity === quantity)
}
