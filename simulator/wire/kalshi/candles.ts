import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import { PRICE_ONE, tickAt } from '../../world/grid.ts'
import type { HourBar, Range } from '../../world/hour-bars.ts'
import type { BookMarket } from '../../world/market-state.ts'
import { fixedPrice, fixedSize } from '../decimal-text.ts'
import { type WireValue, wireJson } from '../wire-json.ts'
import { openInterest } from './market.ts'
import type { MarketNames } from './names.ts'

/** Hourly candles whose period ended in [from, to] seconds; `end_period_ts` is the END. Other periods are not kept. */
export function candlesBody(market: BookMarket, names: MarketNames, from: number, to: number, now: Micros): string {
  const ended = market.hours.filter(({ end }) => {
    const seconds = end / MICROS_PER_SECOND
    return seconds >= from && seconds <= to && end <= now
  })
  return wireJson({ ticker: names.ticker, candlesticks: ended.map((hour) => candle(hour, market, now)) })
}

function candle(hour: HourBar, market: BookMarket, now: Micros): WireValue {
  const previous = hour.previous === null ? {} : { previous_dollars: fixedPrice(hour.previous) }
  return {
    end_period_ts: hour.end / MICROS_PER_SECOND,
    open_interest_fp: fixedSize(openInterest(market)),
    volume_fp: fixedSize(hour.volume),
    price: { ...rangeFields(hour.price), ...previous },
    yes_bid: rangeFields(hour.bid ?? flat(0)),
    yes_ask: rangeFields(correctedAsk(hour, market, now) ?? flat(PRICE_ONE)),
  }
}

/** While it is shown wrong, the close of the ask is a tick too high. */
function correctedAsk({ ask, wrong_until }: HourBar, { grid }: BookMarket, now: Micros): Range | null {
  if (ask === null || wrong_until === null || now >= wrong_until) return ask
  const close = Math.min(PRICE_ONE - 10, ask.close + tickAt(grid, ask.close))
  return { ...ask, close, high: Math.max(ask.high, close) }
}

function flat(price: number): Range {
  return { open: price, high: price, low: price, close: price }
}

/** Nulls where nothing traded: the previous price is no price of this period. */
function rangeFields(range: Range | null) {
  const text = (price: number | undefined) => (price === undefined ? null : fixedPrice(price))
  return {
    open_dollars: text(range?.open),
    high_dollars: text(range?.high),
    low_dollars: text(range?.low),
    close_dollars: text(range?.close),
  }
}
