import { formatMicros } from '../../../primitives/instants.ts'
import { PRICE_ONE, priceOfNo } from '../../world/grid.ts'
import { bestAsk, bestBid } from '../../world/ladder.ts'
import type { BookMarket } from '../../world/market-state.ts'
import { plainPrice, plainScaled } from '../decimal-text.ts'
import { jsonNumber, wireJson } from '../wire-json.ts'
import { tickText } from './book.ts'
import { type MarketNames, OUTCOMES } from './names.ts'

/** Returns the body of `GET /markets/{condition_id}` of the CLOB, which names the winner. */
export function clobMarketBody(market: BookMarket, names: MarketNames): string {
  const { plan, stage, final_payout } = market
  const final = stage === 'final'
  return wireJson({
    enable_order_book: true,
    active: true,
    closed: final,
    archived: false,
    accepting_orders: stage === 'open',
    minimum_order_size: 5,
    minimum_tick_size: jsonNumber(tickText(market)),
    condition_id: names.condition_id,
    question_id: names.question_id,
    question: plan.question,
    description: plan.question,
    market_slug: names.slug,
    end_date_iso: formatMicros(plan.scheduled_close_at),
    seconds_delay: 0,
    neg_risk: names.event.neg_risk_id !== null,
    neg_risk_market_id: names.event.neg_risk_id ?? '',
    is_50_50_outcome: final && final_payout === PRICE_ONE / 2,
    tokens: OUTCOMES.map((outcome, token) => ({
      token_id: names.tokens[token]!,
      outcome,
      price: jsonNumber(tokenPrice(market, token)),
      winner: final && final_payout === (token === 0 ? PRICE_ONE : 0),
    })),
  })
}

function tokenPrice({ stage, final_payout, ladder }: BookMarket, token: number): string {
  const side = (price: number) => plainPrice(token === 0 ? price : priceOfNo(price))
  if (stage === 'final' && final_payout !== null) return side(final_payout)
  const bid = bestBid(ladder)
  const ask = bestAsk(ladder)
  if (bid === null || ask === null) return side(PRICE_ONE / 2)
  const middle = (bid + ask) * 5
  return plainScaled(token === 0 ? middle : PRICE_ONE * 10 - middle, 5)
}
