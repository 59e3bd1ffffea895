import type { DecimalString } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { BINARY_OUTCOMES } from '../../../vocabulary/market.ts'
import type { JsonText, JsonTextObject } from '../../text/json-text.ts'
import { remembering } from '../../text/remembering.ts'
import { missingField } from '../quarantine.ts'
import type { PayloadOrigin, PayloadRecords } from '../read-payload.ts'
import type { QuoteRecord } from '../record.ts'
import { CLOCK_AHEAD_MAX, sourceTime } from '../source-times.ts'
import type { Base, Reading, Touch } from './memory.ts'
import {
  agreedPrice,
  complement,
  complementText,
  type Price,
  type PriceUnits,
  quotedPrice,
  statedPrice,
} from './prices.ts'
import { statedQuantity } from './quantities.ts'

/**
 * Returns one text per ticker: a slice would keep its whole payload in memory, and equal texts are looked up by one address.
 */
export const tickerText = remembering((ticker: string) => ticker)

/** Returns the base of a market's records. @throws Quarantined SOURCE_AFTER_RECEIVED */
export function baseOf(reading: Reading, origin: PayloadOrigin, ticker: string, at: Micros): Base {
  const { received_at } = reading.payload
  const source_market_id = tickerText(ticker)
  const source_at = sourceTime(at, received_at, CLOCK_AHEAD_MAX.kalshi)
  const { file, line, path } = origin
  return { file, line, path, venue_id: 'kalshi', source_series_id: null, source_market_id, source_at, received_at }
}

/**
 * Reads the touch of a market or ticker object. `yes_ask` is one minus the best bid for NO and `no_ask` one minus the best for
 * YES; if both forms are present they must agree.
 * @param last the last trade's price in dollars and in cents, whose names vary
 * @throws Quarantined MISSING_FIELD if no side is stated: an object without quotes does not say that there are none
 */
export function readTouch(
  object: JsonTextObject,
  [last_dollars, last_cents]: readonly [JsonText | undefined, JsonText | undefined],
  units: PriceUnits,
): Touch {
  const stated_yes = statedPrice(object.yes_bid_dollars, object.yes_bid, units)
  const yes_ask = statedPrice(object.yes_ask_dollars, object.yes_ask, units)
  const stated_no = statedPrice(object.no_bid_dollars, object.no_bid, units)
  const no_ask = statedPrice(object.no_ask_dollars, object.no_ask, units)
  if ((stated_yes ?? yes_ask ?? stated_no ?? no_ask) === null)
    throw missingField('one of yes_bid, yes_ask, no_bid, no_ask')
  const yes_bid = bidOf(stated_yes, no_ask)
  const no_bid = bidOf(stated_no, yes_ask)
  return {
    yes_bid,
    no_bid,
    yes_depth: yes_bid === null ? null : statedQuantity(object.yes_bid_size_fp, object.yes_bid_size),
    no_depth: no_bid === null ? null : statedQuantity(object.yes_ask_size_fp, object.yes_ask_size),
    last: textOf(quotedPrice(statedPrice(last_dollars, last_cents, units))),
  }
}

/** The venue's number of a quote's message, and the time until which the quote was confirmed. */
export type QuoteClock = { readonly source_sequence: number | null; readonly confirmed_at: Micros | null }

/** Records the quotes at the end of a candle; one without a trade says nothing about earlier trades. */
export function pushCandleQuotes(out: PayloadRecords, base: Base, touch: Touch): void {
  const [yes, no] = BINARY_OUTCOMES
  const clock = { source_sequence: null, confirmed_at: null }
  const quotes = [quoteOf(base, yes, touch, clock), quoteOf(base, no, mirrored(touch), clock)]
  for (const quote of quotes) out.quotes.push(touch.last === null ? { ...quote, is_trade_unstated: true } : quote)
}

/** Records the quotes of YES and NO. An ask is one minus a real bid of the other outcome and has that bid's depth. */
export function pushQuotes({ out, memory }: Reading, base: Base, touch: Touch, clock: QuoteClock): void {
  const [yes, no] = BINARY_OUTCOMES
  out.quotes.push(quoteOf(base, yes, touch, clock), quoteOf(base, no, mirrored(touch), clock))
  const known = memory.newest_quotes.get(base.source_market_id)
  if (known !== undefined && known.base.source_at > base.source_at) return
  const { source_sequence, confirmed_at } = clock
  const seen_at = confirmed_at ?? base.source_at
  memory.newest_quotes.set(base.source_market_id, { base, touch, source_sequence, seen_at })
}

function mirrored({ yes_bid, no_bid, yes_depth, no_depth, last }: Touch): Touch {
  return { yes_bid: no_bid, no_bid: yes_bid, yes_depth: no_depth, no_depth: yes_depth, last: complementOf(last) }
}

// Every field is written out: archives hold millions of quotes, and spreading objects would take most of their time.
function quoteOf(base: Base, outcome: string, touch: Touch, clock: QuoteClock): QuoteRecord {
  return {
    file: base.file,
    line: base.line,
    path: base.path,
    venue_id: base.venue_id,
    source_series_id: base.source_series_id,
    source_market_id: base.source_market_id,
    outcome,
    source_at: base.source_at,
    received_at: base.received_at,
    reported_probability: null,
    raw_value: null,
    is_final: false,
    text: '',
    book: {
      bid: touch.yes_bid,
      ask: complementOf(touch.no_bid),
      bid_depth: touch.yes_depth,
      ask_depth: touch.no_depth,
      last_trade: touch.last,
      last_trade_at: null,
      source_sequence: clock.source_sequence,
      confirmed_at: clock.confirmed_at,
    },
  }
}

/** Returns the best bid of an outcome, stated itself or as the other's ask. */
function bidOf(stated: Price | null, stated_ask: Price | null): DecimalString | null {
  const quoted_ask = quotedPrice(stated_ask)
  const restated = quoted_ask === null ? null : complement(quoted_ask)
  if (stated === null) return textOf(restated)
  return textOf(stated_ask === null ? quotedPrice(stated) : agreedPrice(quotedPrice(stated), restated))
}

/** Returns the text of a price that may be missing. */
export function textOf(price: Price | null): DecimalString | null {
  return price === null ? null : price.text
}

function complementOf(price: DecimalString | null): DecimalString | null {
  return price === null ? null : complementText(price)
}
