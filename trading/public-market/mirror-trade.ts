import { ladderPrice, ladderSide } from '../market/ladder.ts'
import type { PublicOutcome, PublicTrade } from './public-market.ts'

/**
 * Returns a trade as the tape of an outcome shows it. One of the other outcome of a complementary market has the price and the
 * aggressor that it had on the ladder of this one.
 */
export function tradeOn(trade: PublicTrade, { outcome_id }: Pick<PublicOutcome, 'outcome_id'>): PublicTrade {
  if (trade.outcome_id === outcome_id) return trade
  const { market, price, aggressor_side } = trade
  return {
    ...trade,
    outcome_id,
    price: ladderPrice({ one: 10 ** market.terms.price_scale }, price, true),
    aggressor_side: ladderSide(aggressor_side, true),
    derived: true,
  }
}
