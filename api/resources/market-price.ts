import { priceMarket } from '../../pipelines/market/market-price.ts'
import { quoteBeside as beside } from '../../pipelines/market/standing-prices.ts'
import type {
  PlacedBook,
  PricedMarket,
  StoredMark,
  StoredQuote,
  StoredTrade,
} from '../../pipelines/market/stored-records.ts'
import type { Micros } from '../../primitives/instants.ts'
import { MARKET_PRICE_MAX_AGE_MS } from '../../protocol/limits.ts'
import type { MarketPrice } from '../../protocol/resources/market-price.ts'
import type { Placed } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { CLOCK_FIELDS, fieldsOf } from './pick.ts'

/** Age bound of a price view and an order book, in microseconds: their meta.max_age_ms. */
export const PRICE_BOUND: Micros = MARKET_PRICE_MAX_AGE_MS * 1000

/** The newest quotes, marks, stored books and valid trades of one market. */
export type PriceRows = {
  readonly market: Row
  readonly quotes: readonly Row[]
  readonly trades: readonly Row[]
  readonly marks: readonly Row[]
  readonly books: readonly Placed[]
}

/** A market price as the resource, and what ages with the clock. */
export type PriceView = {
  readonly price: MarketPrice
  /** Latest instant at which every price shown was known to stand; before it, the oldest one was. */
  readonly confirmed_at: Micros
}

/** Rows of market_quote, public_trade and market_mark are typed by their tables, not by the compiler. */
type QuoteRow = StoredQuote & Row
type MarkRow = StoredMark & Row
type TradeRow = StoredTrade & Row

/**
 * Converts the rows of a market to its price view.
 * @param at the instant that the view is of: now, or as_of
 * @returns  null where neither a quote nor a trade of the market is known
 */
export function marketPriceOf({ market, quotes, trades, marks, books }: PriceRows, at: Micros): PriceView | null {
  const records = {
    market: market as unknown as PricedMarket,
    quotes: quotes as readonly QuoteRow[],
    trades: trades as readonly TradeRow[],
    marks: marks as readonly MarkRow[],
    books: books as unknown as readonly PlacedBook[],
  }
  const view = priceMarket(records, at, PRICE_BOUND)
  if (view === null) return null
  const { newest, mark, outcomes, quality_state, confirmed_at } = view
  const price = {
    market_id: newest.market_id,
    market_status: market.status ?? null,
    outcomes,
    ...fieldsOf(newest, ['venue_id', 'source_market_id', 'source_series_id', 'source_sequence']),
    ...fieldsOf(newest, CLOCK_FIELDS),
    quality_state,
    methodology_id: mark?.methodology_id ?? null,
    methodology_version: mark?.methodology_version ?? null,
  }
  return { price: price as unknown as MarketPrice, confirmed_at }
}

/** Returns the newest quote of an outcome in the source series that its market is priced by; null: there is none. */
export function quoteBeside(quotes: readonly Row[], outcome_id: string): Row | null {
  return beside(quotes as readonly QuoteRow[], outcome_id)
}
