import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import { PRICE_ONE, tickAt } from '../../world/grid.ts'
import type { HourBar, Range } from '../../world/hour-bars.ts'
import type { BookMarket } from '../../world/market-state.ts'
import { fixedPrice, fixedSize } from '../decimal-text.ts'
import { type WireValue, wireJson } from '../wire-json.ts'
import { openInterest } from './market.ts'
import type { MarketNames } from './names.ts'

/** Field names of dollars: the live form marks them beside former cents; the historical form uses the plain names. */
export type CandleForm = 'dollars' | 'plain'

type Period = { readonly from: number; readonly to: number }

/** Returns hourly candles whose period ended in [from, to] seconds; `end_period_ts` is the END. Other periods are not kept. */
export function candlesBody(
  market: BookMarket,
  names: MarketNames,
  { from, to }: Period,
  now: Micros,
  form: CandleForm = 'dollars',
): string {
  const ended = market.hours.filter(({ end }) => {
    const seconds = end / MICROS_PER_SECOND
    return seconds >= from && seconds <= to && end <= now
  })
  return wireJson({ ticker: names.ticker, candlesticks: ended.map((hour) => candle(hour, market, now, form)) })
}

function candle(hour: HourBar, market: BookMarket, now: Micros, form: CandleForm): WireValue {
  const ending = form === 'dollars' ? '_dollars' : ''
  const previous = hour.previous === null ? {} : { [`previous${ending}`]: fixedPrice(hour.previous) }
  return {
    end_period_ts: hour.end / MICROS_PER_SECOND,
    open_interest_fp: fixedSize(openInterest(market)),
    volume_fp: fixedSize(hour.volume),
    price: { ...rangeFields(hour.price, ending), ...previous },
    yes_bid: rangeFields(hour.bid ?? flat(0), ending),
    yes_ask: rangeFields(correctedAsk(hour, market, now) ?? flat(PRICE_ONE), ending),
  }
}

/** Returns the close of the ask, a tick too high while it is shown wrong. */
function correctedAsk({ ask, wrong_until }: HourBar, { grid }: BookMarket, now: Micros): Range | null {
  if (ask === null || wrong_until === null || now >= wrong_until) return ask
  const close = Math.min(PRICE_ONE - 10, ask.close + tickAt(grid, ask.close))
  return { ...ask, close, high: Math.max(ask.high, close) }
}

function flat(price: number): Range {
  return { open: price, high: price, low: price, close: price }
}

/** Returns nulls if nothing traded: the previous price does not belong to this period. */
function rangeFields(range: Range | null, ending: '_dollars' | '') {
  const text = (price: number | undefined) => (price === undefined ? null : fixedPrice(price))
  return {
    [`open${ending}`]: text(range?.open),
    [`high${ending}`]: text(range?.high),
    [`low${ending}`]: text(range?.low),
    [`close${ending}`]: text(range?.close),
  }
}
