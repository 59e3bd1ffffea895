import { type DecimalString, SCALE } from '../../../primitives/decimal.ts'
import { BINARY_OUTCOMES } from '../../../vocabulary/market.ts'
import { readUnitValue } from '../../text/fields.ts'
import { optionalNumber } from '../../text/plain-number.ts'
import type { QuoteRecord } from '../record.ts'
import type { PredictitContract } from './contract.ts'

/** Fields of each outcome's best offer and best bid, from the customer's side: buying pays the ask. */
const SIDES = {
  YES: { ask: 'bestBuyYesCost', bid: 'bestSellYesCost' },
  NO: { ask: 'bestBuyNoCost', bid: 'bestSellNoCost' },
} as const

/** All of these fields. */
export const BEST_PRICES = Object.values(SIDES).flatMap(({ ask, bid }) => [ask, bid])

/**
 * Returns the best prices of YES and of NO, in USD of a contract that pays 1, as the venue states both; null means no order. An
 * outcome without any order is a quote of an empty book. lastTradePrice is ignored: it has no time, so its age is unknown.
 * @throws Quarantined BAD_VALUE, VALUE_OUT_OF_RANGE
 */
export function contractQuotes({ origin, id, fields, source_at, received_at }: PredictitContract): QuoteRecord[] {
  return BINARY_OUTCOMES.map((outcome) => ({
    file: origin.file,
    line: origin.line,
    path: origin.path,
    venue_id: 'predictit',
    source_series_id: null,
    source_market_id: id,
    outcome,
    source_at,
    received_at,
    reported_probability: null,
    raw_value: null,
    is_final: false,
    text: '',
    book: {
      bid: orderPrice(optionalNumber(fields, SIDES[outcome].bid)),
      ask: orderPrice(optionalNumber(fields, SIDES[outcome].ask)),
      bid_depth: null,
      ask_depth: null,
      last_trade: null,
      last_trade_at: null,
      source_sequence: null,
      confirmed_at: received_at,
    },
  }))
}

/** Returns an order's price. Orders cost 1 to 99 cents: 0 and 1 mean no order. */
function orderPrice(text: DecimalString | null): DecimalString | null {
  if (text === null) return null
  const price = readUnitValue(text, SCALE.observed_value)
  return /^[01]\.0+$/.test(price) ? null : price
}
