import { createRandom } from '../../simulator/world/random.ts'
import { fairPrice } from './fair-price.ts'
import type { Quote, TradedMarket } from './quotes.ts'

/** How far from the fair price a taker goes. */
const REACH_CENTS = 5
const QUANTITY_MAX = 12

/**
 * What the taker does in one of its turns: a market, an outcome, a side and a few contracts, by the seed and the turn's number. A bot
 * of no opinion: it buys as often as it sells.
 * @param at_s seconds since 1970
 */
export function takeOf(seed: string, markets: readonly TradedMarket[], turn: number, at_s: number): Quote {
  const random = createRandom(seed, 'take', turn)
  const { market_id, outcome_ids } = markets[random.below(markets.length)]!
  const place = random.below(2)
  const fair = fairPrice(seed, market_id, at_s)
  const middle = place === 0 ? fair : 100 - fair
  const side = random.chance(500_000) ? 'BUY' : 'SELL'
  const price_cents = side === 'BUY' ? middle + REACH_CENTS : middle - REACH_CENTS
  return { market_id, outcome_id: outcome_ids[place]!, side, price_cents, quantity: random.between(1, QUANTITY_MAX) }
}
