import { formatMicros, MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import type { WorldEvent } from '../../world/events.ts'
import { priceOfNo } from '../../world/grid.ts'
import type { BookMarket } from '../../world/market-state.ts'
import { fixedPrice, fixedSize } from '../decimal-text.ts'
import { wireJson } from '../wire-json.ts'
import { openInterest, resultOf } from './market.ts'
import type { MarketNames } from './names.ts'
import { bidLists, touchFields } from './touch.ts'
import { tradeFields } from './trade.ts'

/** Messages of the websocket. `sid` names the subscription; only the book's has a sequence. */

/** Subscription ids of a connection, one per channel. */
export const SID = { orderbook_delta: 1, ticker: 2, trade: 3, market_lifecycle_v2: 4 } as const

/** Acknowledges a subscription. */
export function subscribedFrame(channel: keyof typeof SID): string {
  return wireJson({ id: SID[channel], type: 'subscribed', msg: { channel, sid: SID[channel] } })
}

/** Acknowledges markets added to the books' subscription, with a number of its sequence. */
export function addedFrame(seq: number): string {
  return wireJson({ id: SID.orderbook_delta, type: 'ok', sid: SID.orderbook_delta, seq })
}

/** Returns a whole book. */
export function snapshotFrame(market: BookMarket, { ticker, market_id }: MarketNames, seq: number): string {
  const { yes, no } = bidLists(market)
  return (
    `{"type":"orderbook_snapshot","sid":${SID.orderbook_delta},"seq":${seq},"msg":{"market_ticker":"${ticker}",` +
    `"market_id":"${market_id}","yes_dollars_fp":${yes},"no_dollars_fp":${no}}}`
  )
}

type BookChanged = Extract<WorldEvent, { type: 'book_changed' }>

/** Returns a signed change of one level, not its total. */
export function deltaFrame({ change, at }: BookChanged, { ticker, market_id }: MarketNames, seq: number): string {
  const [side, price] = change.side === 'bid' ? ['yes', change.price] : ['no', priceOfNo(change.price)]
  return (
    `{"type":"orderbook_delta","sid":${SID.orderbook_delta},"seq":${seq},"msg":{"market_ticker":"${ticker}",` +
    `"market_id":"${market_id}","price_dollars":"${fixedPrice(+price)}","delta_fp":"${fixedSize(change.delta)}",` +
    `"side":"${side}","ts":"${formatMicros(at)}"}}`
  )
}

/** Returns price, touch and volume after a trade. */
export function tickerFrame(market: BookMarket, at: Micros, names: MarketNames): string {
  const { yes_bid_dollars, yes_ask_dollars, yes_bid_size_fp, yes_ask_size_fp } = touchFields(market)
  return wireJson({
    type: 'ticker',
    sid: SID.ticker,
    msg: {
      market_ticker: names.ticker,
      market_id: names.market_id,
      price_dollars: fixedPrice(market.last_trade?.price ?? 0),
      yes_bid_dollars,
      yes_ask_dollars,
      yes_bid_size_fp,
      yes_ask_size_fp,
      volume_fp: fixedSize(market.volume),
      open_interest_fp: fixedSize(openInterest(market)),
      ts: seconds(at),
      ts_ms: Math.floor(at / 1000),
    },
  })
}

/** Returns a trade as it was made: only pages show later corrections. */
export function tradeFrame({ trade, at }: Extract<WorldEvent, { type: 'traded' }>, names: MarketNames): string {
  return wireJson({
    type: 'trade',
    sid: SID.trade,
    msg: { market_ticker: names.ticker, ...tradeFields(trade, trade.size, names), ts: seconds(at) },
  })
}

/** Announces a market that begins to trade. */
export function activatedFrame({ plan }: BookMarket, names: MarketNames): string {
  return lifecycleFrame(names, {
    event_type: 'activated',
    open_ts: seconds(plan.opens_at),
    close_ts: seconds(plan.scheduled_close_at),
  })
}

/** Announces a proposed result. */
export function determinedFrame(payout: number, at: Micros, names: MarketNames): string {
  return lifecycleFrame(names, {
    event_type: 'determined',
    result: resultOf(payout),
    settlement_value: fixedPrice(payout),
    determination_ts: seconds(at),
  })
}

/** Announces a paid market. */
export function settledFrame(at: Micros, names: MarketNames): string {
  return lifecycleFrame(names, { event_type: 'settled', settled_ts: seconds(at) })
}

function lifecycleFrame({ ticker }: MarketNames, fields: Readonly<Record<string, string | number>>): string {
  return wireJson({
    type: 'market_lifecycle_v2',
    sid: SID.market_lifecycle_v2,
    msg: { market_ticker: ticker, ...fields },
  })
}

function seconds(at: Micros): number {
  return Math.floor(at / MICROS_PER_SECOND)
}
