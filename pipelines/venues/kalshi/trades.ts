import type { Micros } from '../../../primitives/instants.ts'
import { BINARY_OUTCOMES } from '../../../vocabulary/market.ts'
import type { Side } from '../../../vocabulary/order.ts'
import { required } from '../../text/fields.ts'
import { idField, optionalText, textOrNull } from '../../text/json-fields.ts'
import type { JsonText, JsonTextObject } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import type { PayloadOrigin } from '../read-payload.ts'
import type { TradeRecord } from '../record.ts'
import { isZero } from '../zero-values.ts'
import { isCombo } from './combos.ts'
import { listField, readEach } from './lists.ts'
import type { KalshiMemory, Reading } from './memory.ts'
import { agreedPrice, complement, type Price, quotedPrice, requiredPrice, statedPrice } from './prices.ts'
import { statedQuantity } from './quantities.ts'
import { baseOf } from './quotes.ts'
import { timeField } from './times.ts'

/** Reads `GET /markets/trades`, `GET /historical/trades`: `{cursor, trades[]}`. */
export function readTrades(body: JsonTextObject, reading: Reading): void {
  readEach(reading, listField(body, 'trades'), 'trades', (trade, origin) => {
    if (isCombo(trade)) return 'COMBINATION'
    return readTrade(reading, origin, trade, idField(trade, 'ticker'), timeField(trade, 'created_time'))
  })
}

/**
 * Reads a trade as one of YES: a taker who bought NO sold YES. Pages and messages repeat trades; a repeated one gives nothing.
 * The float in `price` repeats `yes_price` and is ignored.
 */
export function readTrade(
  reading: Reading,
  origin: PayloadOrigin,
  trade: JsonTextObject,
  ticker: string,
  source_at: Micros,
): Outcome {
  const source_trade_id = idField(trade, 'trade_id')
  const price = priceOf(trade, reading, origin)
  if (price === null) return 'ZERO_PRICE'
  const base = baseOf(reading, origin, ticker, source_at)
  // Written out: building a record by spreading another takes several times as long.
  const record: TradeRecord = {
    file: base.file,
    line: base.line,
    path: base.path,
    venue_id: base.venue_id,
    source_series_id: base.source_series_id,
    source_market_id: base.source_market_id,
    source_at: base.source_at,
    received_at: base.received_at,
    outcome: BINARY_OUTCOMES[0],
    price: price.text,
    quantity: required(statedQuantity(trade.count_fp, trade.count)),
    aggressor_side: aggressorOf(trade),
    source_trade_id,
    source_sequence: null,
    correction_kind: null,
  }
  if (isRepeated(record, reading.memory)) return 'repeated'
  reading.out.trades.push(record)
  return 'taken'
}

/** Returns the price of YES; null if only zeros are stated and they mean missing. */
function priceOf(trade: JsonTextObject, { memory, out }: Reading, { file, line }: PayloadOrigin): Price | null {
  const prices = [trade.yes_price_dollars, trade.yes_price, trade.no_price_dollars, trade.no_price] as const
  if (!prices.some(isZero)) return agreedPriceOf(prices)
  const is_missing = memory.zero_means_missing
  for (const _zero of prices.filter(isZero)) out.zeros.push({ file, line, is_missing })
  if (!is_missing) return agreedPriceOf(prices)
  const stated = prices.map((price) => (isZero(price) ? undefined : price))
  const is_none = stated.every((price) => textOrNull(price) === null)
  return is_none ? null : agreedPriceOf([stated[0], stated[1], stated[2], stated[3]])
}

type StatedPrices = readonly [
  yes_dollars: JsonText | undefined,
  yes_cents: JsonText | undefined,
  no_dollars: JsonText | undefined,
  no_cents: JsonText | undefined,
]

function agreedPriceOf([yes_dollars, yes_cents, no_dollars, no_cents]: StatedPrices): Price {
  const yes = statedPrice(yes_dollars, yes_cents)
  const no = quotedPrice(statedPrice(no_dollars, no_cents))
  if (yes === null) return complement(requiredPrice(no))
  if (no === null) return requiredPrice(yes)
  return requiredPrice(agreedPrice(quotedPrice(yes), complement(no)))
}

/** Reads the aggressor. `taker_book_side` bid is `taker_outcome_side` yes; `taker_side` is the latter's old name. */
function aggressorOf(trade: JsonTextObject): TradeRecord['aggressor_side'] {
  const book_side = sideOf(trade, 'taker_book_side', ['bid', 'ask'])
  const outcome_side = sideOf(trade, 'taker_outcome_side', ['yes', 'no'])
  if (book_side !== null && outcome_side !== null && book_side !== outcome_side)
    throw new Quarantined('FIELDS_DISAGREE')
  return outcome_side ?? book_side ?? sideOf(trade, 'taker_side', ['yes', 'no'])
}

function sideOf(trade: JsonTextObject, field: string, [buy, sell]: readonly [string, string]): Side | null {
  const word = optionalText(trade, field)
  if (word !== null && word !== buy && word !== sell) throw new Quarantined('BAD_FLAG')
  return word === null ? null : word === buy ? 'BUY' : 'SELL'
}

/** Returns whether a trade repeats a known one. Its time is ignored: messages state it in seconds, pages in microseconds. */
function isRepeated(trade: TradeRecord, { trades }: KalshiMemory): boolean {
  const key = `${trade.source_market_id} ${trade.source_trade_id}`
  const values = `${trade.price} ${trade.quantity} ${trade.aggressor_side}`
  if (trades.get(key) === values) return true
  trades.set(key, values)
  return false
}
