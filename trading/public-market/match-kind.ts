import type { TradeKind } from '../../vocabulary/market.ts'
import type { PublicTrade } from './public-market.ts'

/** Returns what became of the sets in a match; null: the market is not complementary. */
export function matchKindOf({ segments }: Pick<PublicTrade, 'segments'>): TradeKind | null {
  if (segments === null) return null
  const [first, second] = segments
  return first !== undefined && second === undefined ? first.match_kind : 'mixed'
}
