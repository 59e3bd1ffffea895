import type { Micros } from '../../../primitives/instants.ts'
import type { BookLevel, BookRecord, QuoteBook, QuoteRecord } from '../record.ts'
import type { recordOf } from './reading.ts'

type Common = ReturnType<typeof recordOf>

/** Fields of a quote beside its best prices. */
type Beside = Pick<Prices, 'last_trade' | 'last_trade_at'> & { readonly confirmed_at: Micros | null }

/** Returns the whole book of one outcome, levels best first. The venue keeps a book per token, so no side is derived. */
export function bookRecord(
  common: Common,
  outcome: string,
  bids: readonly BookLevel[],
  asks: readonly BookLevel[],
): BookRecord {
  return {
    file: common.file,
    line: common.line,
    path: common.path,
    venue_id: common.venue_id,
    source_series_id: common.source_series_id,
    source_market_id: common.source_market_id,
    outcome,
    source_at: common.source_at,
    received_at: common.received_at,
    source_sequence: null,
    price_unit: 'probability',
    bids,
    asks,
    asks_derived: false,
    overround: null,
  }
}

/** Returns the best prices of a book with their depths; a side without a level is missing. */
export function bookQuote(
  common: Common,
  outcome: string,
  bid: BookLevel | null | undefined,
  ask: BookLevel | null | undefined,
  beside: Beside,
): QuoteRecord {
  return quoteRecord(common, outcome, {
    bid: bid?.price ?? null,
    ask: ask?.price ?? null,
    bid_depth: bid?.quantity ?? null,
    ask_depth: ask?.quantity ?? null,
    last_trade: beside.last_trade,
    last_trade_at: beside.last_trade_at,
    confirmed_at: beside.confirmed_at,
  })
}

type Prices = { readonly [K in keyof QuoteBook]?: QuoteBook[K] | undefined }

/**
 * Returns a quote of prices; absent ones are missing. Fields are written one by one because this runs once per message:
 * spreading costs three times as much.
 */
export function quoteRecord(common: Common, outcome: string, prices: Prices): QuoteRecord {
  return {
    file: common.file,
    line: common.line,
    path: common.path,
    venue_id: common.venue_id,
    source_series_id: common.source_series_id,
    source_market_id: common.source_market_id,
    outcome,
    source_at: common.source_at,
    received_at: common.received_at,
    reported_probability: null,
    raw_value: null,
    is_final: false,
    text: '',
    book: {
      bid: prices.bid ?? null,
      ask: prices.ask ?? null,
      bid_depth: prices.bid_depth ?? null,
      ask_depth: prices.ask_depth ?? null,
      last_trade: prices.last_trade ?? null,
      last_trade_at: prices.last_trade_at ?? null,
      source_sequence: null,
      confirmed_at: prices.confirmed_at ?? null,
    },
  }
}
