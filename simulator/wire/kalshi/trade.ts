import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { priceOfNo } from '../../world/grid.ts'
import type { Trade } from '../../world/market-state.ts'
import { fixedPrice, fixedSize } from '../decimal-text.ts'
import type { WireValue } from '../wire-json.ts'
import { type MarketNames, uuidOf } from './names.ts'

/** Returns the fields of a trade that pages and messages share. An amended one keeps its id. */
export function tradeFields(trade: Trade, size: number, { market_id }: MarketNames) {
  const side = trade.taker === 'buy' ? 'yes' : 'no'
  return {
    trade_id: uuidOf(market_id, trade.number),
    yes_price_dollars: fixedPrice(trade.price),
    no_price_dollars: fixedPrice(priceOfNo(trade.price)),
    count_fp: fixedSize(size),
    taker_side: side,
    taker_outcome_side: side,
    taker_book_side: trade.taker === 'buy' ? 'bid' : 'ask',
  }
}

/** Returns a trade of `GET /markets/trades`. */
export function kalshiTrade(trade: Trade, names: MarketNames): WireValue {
  return {
    ...tradeFields(trade, trade.size, names),
    ticker: names.ticker,
    created_time: formatMicros(trade.at),
    is_block_trade: false,
  }
}

/** Returns whether a trade is listed at `now`: not busted, not late. */
export function isListed({ state, listed_at }: Trade, now: Micros): boolean {
  return state !== 'busted' && listed_at <= now
}
