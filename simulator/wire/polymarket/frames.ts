import type { Micros } from '../../../primitives/instants.ts'
import type { WorldEvent } from '../../world/events.ts'
import { type Grid, PRICE_ONE, priceOfNo } from '../../world/grid.ts'
import type { BookMarket } from '../../world/market-state.ts'
import { plainPrice, plainSize } from '../decimal-text.ts'
import { wireJson } from '../wire-json.ts'
import { bookHash, lastTradeText, millisText, tickText, tokenLevels } from './book.ts'
import { type MarketNames, OUTCOMES } from './names.ts'

/** Messages of the market channel. The two tokens of a market change together. */

const TOKENS = [0, 1] as const

/** Returns a whole book of each token. @param at when it is sent; the book itself may be older */
export function bookFrames(market: BookMarket, names: MarketNames): string[] {
  return TOKENS.map((token) => {
    const { bids, asks } = tokenLevels(market, token)
    const hash = bookHash(names, market.book_version, token)
    const last = lastTradeText(market, token)
    return (
      `{"event_type":"book","asset_id":"${names.tokens[token]}","market":"${names.condition_id}","bids":[${bids}],` +
      `"asks":[${asks}],"timestamp":"${millisText(market.book_at)}","hash":"${hash}","tick_size":"${tickText(market)}"` +
      `${last === '' ? '' : `,"last_trade_price":"${last}"`}}`
    )
  })
}

type BookChanged = Extract<WorldEvent, { type: 'book_changed' }>

/**
 * Returns one level's new total: a bid for YES is an offer of NO at one minus the price. An empty side's best price is 0 or 1.
 */
export function priceChangeFrame({ change, version, at }: BookChanged, names: MarketNames): string {
  const { side, price, size } = change
  const bid = change.best_bid ?? 0
  const ask = change.best_ask ?? PRICE_ONE
  const total = plainSize(size)
  const entry = (token: 0 | 1, of: { price: number; buys: boolean; bid: number; ask: number }) =>
    `{"asset_id":"${names.tokens[token]}","price":"${plainPrice(of.price)}","size":"${total}",` +
    `"side":"${of.buys ? 'BUY' : 'SELL'}","hash":"${bookHash(names, version, token)}",` +
    `"best_bid":"${plainPrice(of.bid)}","best_ask":"${plainPrice(of.ask)}"}`
  const yes = entry(0, { price, buys: side === 'bid', bid, ask })
  const no = entry(1, { price: priceOfNo(price), buys: side === 'ask', bid: priceOfNo(ask), ask: priceOfNo(bid) })
  // The venue does not promise the order of the two within a message.
  const entries = version % 3 === 0 ? `${no},${yes}` : `${yes},${no}`
  return (
    `{"market":"${names.condition_id}","price_changes":[${entries}],"timestamp":"${millisText(at)}",` +
    `"event_type":"price_change"}`
  )
}

/** Returns a fill, which has no id of its own. */
export function lastTradeFrame({ trade, at }: Extract<WorldEvent, { type: 'traded' }>, names: MarketNames): string {
  const token = trade.on_no ? 1 : 0
  const price = trade.on_no ? priceOfNo(trade.price) : trade.price
  const side = (trade.taker === 'buy') === trade.on_no ? 'SELL' : 'BUY'
  return (
    `{"asset_id":"${names.tokens[token]}","event_type":"last_trade_price","fee_rate_bps":"0",` +
    `"market":"${names.condition_id}","price":"${plainPrice(price)}","side":"${side}",` +
    `"size":"${plainSize(trade.size)}","timestamp":"${millisText(at)}"}`
  )
}

/** Returns the new tick of each token. */
export function tickSizeFrames(from: Grid, to: Grid, at: Micros, names: MarketNames): string[] {
  const [old_tick_size, new_tick_size] = [tickText({ grid: from }), tickText({ grid: to })]
  return TOKENS.map((token) =>
    wireJson({
      event_type: 'tick_size_change',
      asset_id: names.tokens[token],
      market: names.condition_id,
      old_tick_size,
      new_tick_size,
      timestamp: millisText(at),
    }),
  )
}

/** Announces a new market. */
export function newMarketFrame({ plan }: BookMarket, at: Micros, names: MarketNames): string {
  return wireJson({
    event_type: 'new_market',
    id: names.id,
    question: plan.question,
    market: names.condition_id,
    slug: names.slug,
    description: `Resolves to Yes if so. ${plan.question}`,
    assets_ids: names.tokens,
    outcomes: OUTCOMES,
    timestamp: millisText(at),
  })
}

/** Announces a market's payout; without a single winner there is no message. */
export function marketResolvedFrame({ plan, final_payout }: BookMarket, at: Micros, names: MarketNames): string | null {
  if (final_payout !== 0 && final_payout !== PRICE_ONE) return null
  const winner = final_payout === PRICE_ONE ? 0 : 1
  return wireJson({
    event_type: 'market_resolved',
    id: names.id,
    question: plan.question,
    market: names.condition_id,
    slug: names.slug,
    assets_ids: names.tokens,
    outcomes: OUTCOMES,
    winning_asset_id: names.tokens[winner],
    winning_outcome: OUTCOMES[winner],
    timestamp: millisText(at),
  })
}
