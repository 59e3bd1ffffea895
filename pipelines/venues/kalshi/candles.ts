import { idField } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { missingField } from '../quarantine.ts'
import { readGroup } from '../read-payload.ts'
import { isComboTicker } from './combos.ts'
import { countEach, listField, readEach, readEachGroup } from './lists.ts'
import type { Base, KalshiMemory, Reading, Touch } from './memory.ts'
import { complement, type Price, quotedPrice, statedPrice } from './prices.ts'
import { baseOf, pushCandleQuotes, textOf } from './quotes.ts'
import { timeField } from './times.ts'

/** Name of a candle's close: beside cents in the live form; the historical form has dollars under the plain name. */
type CloseForm = 'live' | 'historical'

/** Reads `GET /series/{series_ticker}/markets/{ticker}/candlesticks`: `{ticker, candlesticks[]}`. */
export function readMarketCandles(body: JsonTextObject, reading: Reading): void {
  readCandles(idField(body, 'ticker'), listField(body, 'candlesticks'), 'candlesticks', reading, 'live')
}

/** Reads `GET /historical/markets/{ticker}/candlesticks`: decimal dollars in `close` and its siblings. */
export function readHistoricalCandles(body: JsonTextObject, reading: Reading): void {
  readCandles(idField(body, 'ticker'), listField(body, 'candlesticks'), 'candlesticks', reading, 'historical')
}

/** Reads `GET /markets/candlesticks`: `{markets[{market_ticker, candlesticks[]}]}`. */
export function readMarketsCandles(body: JsonTextObject, reading: Reading): void {
  readEachGroup(reading, listField(body, 'markets'), 'markets', 'NO_RECORDS', (market, path) => {
    const candles = listField(market, 'candlesticks')
    readCandles(idField(market, 'market_ticker'), candles, `${path}.candlesticks`, reading, 'live')
  })
}

/** Reads `GET /series/{series_ticker}/events/{ticker}/candlesticks`: `{market_tickers[], market_candlesticks[][]}`. */
export function readEventCandles(body: JsonTextObject, reading: Reading): void {
  const tickers = listField(body, 'market_tickers')
  listField(body, 'market_candlesticks').forEach((candles, n) => {
    const path = `market_candlesticks[${n}]`
    readGroup(reading.out, reading.payload.file, path, 'NO_RECORDS', () =>
      readCandles(idField({ ticker: tickers[n] }, 'ticker'), listOf(candles), path, reading, 'live'),
    )
  })
}

function readCandles(
  ticker: string,
  candles: readonly JsonText[],
  path: string,
  reading: Reading,
  form: CloseForm,
): void {
  if (isComboTicker(ticker)) {
    countEach(reading, candles, 'COMBINATION')
    return
  }
  readEach(reading, candles, path, (candle, origin) => {
    const base = baseOf(reading, origin, ticker, timeField(candle, 'end_period_ts'))
    pushCandleQuotes(reading.out, base, withKnownTrade(base, touchAtEnd(candle, form), reading.memory))
    return 'taken'
  })
}

/**
 * Adds the trade of another candle with the same end, if this one has none: nobody may trade in the last hour of a day, which
 * does not undo the day's last trade.
 */
function withKnownTrade({ source_market_id, source_at }: Base, touch: Touch, { candle_trades }: KalshiMemory): Touch {
  const end = `${source_market_id}\u001f${source_at}`
  if (touch.last === null) return { ...touch, last: candle_trades.get(end) ?? null }
  candle_trades.set(end, touch.last)
  return touch
}

/**
 * Reads the market's state at the END of a candle's period (`end_period_ts`): the closes of bid and ask, and of the trades if
 * any was made in it; `previous` is an older period's. Days end about midnight in New York (04:00Z or 05:00Z; in 2025 the step
 * of 90,000 s came a day after the clocks changed), so a day's candle is neither a UTC day nor a candle of ours: its end is
 * taken as stated, never computed.
 */
function touchAtEnd(candle: JsonTextObject, form: CloseForm): Touch {
  const has_sides = [candle.yes_bid, candle.yes_ask].some((side) => side !== undefined && side !== null)
  if (!has_sides) throw missingField('yes_bid or yes_ask')
  const yes_ask = closeOf(candle, 'yes_ask', form)
  return {
    yes_bid: textOf(closeOf(candle, 'yes_bid', form)),
    no_bid: textOf(yes_ask === null ? null : complement(yes_ask)),
    yes_depth: null,
    no_depth: null,
    last: textOf(closeOf(candle, 'price', form)),
  }
}

function closeOf(candle: JsonTextObject, series: string, form: CloseForm): Price | null {
  const value = candle[series]
  if (value === undefined || value === null) return null
  const { close_dollars, close } = objectOf(value)
  return quotedPrice(
    form === 'live' ? statedPrice(close_dollars, close) : statedPrice(close_dollars ?? close, undefined),
  )
}
