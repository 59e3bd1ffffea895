import { Decimal, type DecimalString, formatDecimal, ONE, SCALE } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { BOOK_QUANTITY_SCALE } from '../../market/order-book.ts'
import { plainDecimal } from '../../text/fields.ts'
import { type JsonText, type JsonTextObject, listOf } from '../../text/json-text.ts'
import { remembering } from '../../text/remembering.ts'
import type { Origin, QuoteRecord, TradeRecord } from '../record.ts'
import { BETFAIR } from './endpoints.ts'
import { numbersOf, readOdds, sizeOf } from './ladder-change.ts'
import type { Runner } from './ladders.ts'

/** Instant and receipt of a message about one market. */
export type Moment = {
  readonly origin: Origin
  readonly source_market_id: string
  readonly source_at: Micros
  readonly received_at: Micros
}

/** Stake traded so far at one of the odds. */
type TradedTotal = { readonly odds: DecimalString; readonly size: DecimalString }

/** Returns the price in [0, 1] of a contract that pays 1: the reciprocal of its odds, half even to 9 decimals. */
const priceOfOdds = remembering(
  (odds: string): DecimalString => formatDecimal(ONE.div(new Decimal(odds)), SCALE.observed_value),
)

/** Reads a runner's traded totals, `trd`: `[odds, size]` each. @throws Quarantined; then none may be applied */
export function readTraded(change: JsonTextObject): TradedTotal[] {
  return listOf(change.trd).map((total) => {
    const [odds, size] = numbersOf(total, 2) as [JsonText, JsonText]
    return { odds: readOdds(odds), size: sizeOf(size) }
  })
}

/**
 * Applies traded totals; returns what was traded since the totals before, one report per odds: stake that was bet at odds o buys
 * stake times o contracts for 1/o each. Stake is what the venue counts as traded. A total that is the first known one of its odds
 * tells what was traded before the recording; one that fell tells of bets that were voided. Neither is a trade.
 * @param is_whole whether odds without a total before had none
 */
export function applyTraded(
  runner: Runner,
  totals: readonly TradedTotal[],
  is_whole: boolean,
  { origin, ...moment }: Moment,
): TradeRecord[] {
  return totals.flatMap(({ odds, size }) => {
    const before = runner.traded.get(odds) ?? (is_whole ? '0' : null)
    runner.traded.set(odds, size)
    if (before === null) return []
    const stake = new Decimal(size).minus(before)
    if (stake.lte(0)) return []
    return {
      ...origin,
      venue_id: BETFAIR,
      source_series_id: null,
      ...moment,
      outcome: runner.label,
      price: priceOfOdds(odds),
      quantity: formatDecimal(stake.times(odds), BOOK_QUANTITY_SCALE),
      aggressor_side: null,
      source_trade_id: `trd ${runner.label} ${plainDecimal(odds)} ${moment.source_at} ${plainDecimal(size)}`,
      source_sequence: null,
      correction_kind: null,
    }
  })
}

/**
 * Returns the quote of a last traded price, `ltp`, in a stream without ladders. A trade is one price that two agreed on: it has no
 * overround, and the other runners' last trades are of other instants.
 * @param is_old whether it was traded at an unknown instant before the message
 */
export function lastPriceQuote(
  { label }: Runner,
  ltp: JsonText,
  is_old: boolean,
  { origin, ...moment }: Moment,
): QuoteRecord {
  return {
    ...origin,
    venue_id: BETFAIR,
    source_series_id: null,
    ...moment,
    outcome: label,
    reported_probability: null,
    raw_value: null,
    is_final: false,
    text: '',
    book: {
      bid: null,
      ask: null,
      bid_depth: null,
      ask_depth: null,
      last_trade: priceOfOdds(readOdds(ltp)),
      last_trade_at: is_old ? null : moment.source_at,
      source_sequence: null,
      confirmed_at: null,
    },
  }
}
