import { isStale } from '../../pipelines/market/freshness.ts'
import { qualityOf } from '../../pipelines/market/quality-label.ts'
import { confirmedAt } from '../../pipelines/market/quote.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { Trade } from '../../protocol/resources/trade.ts'
import { priceText, quantityText } from '../../trading/public-market/amounts.ts'
import { isTopDerived } from '../../trading/public-market/derived-top.ts'
import type { BookChange } from '../../trading/public-market/fold-events.ts'
import { matchKindOf } from '../../trading/public-market/match-kind.ts'
import {
  isEmptyBook,
  type PublicLevel,
  type PublicMarket,
  type PublicOutcome,
  type PublicScales,
  type PublicTrade,
} from '../../trading/public-market/public-market.ts'
import type { QualityState } from '../../vocabulary/index-level.ts'
import { LADDER_RULE, type MarketStatus } from '../../vocabulary/market.ts'
import type { Side } from '../../vocabulary/order.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Placed } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { marketPriceOf, PRICE_BOUND, type PriceView } from '../resources/market-price.ts'

/**
 * Returns the book of an outcome, at most `depth` price levels a side.
 * @param is_stale whether its market was not confirmed for longer than the bound: the label of the price view, too
 */
export function ownOrderBookOf(outcome: PublicOutcome, depth: number, is_stale: boolean): OrderBook {
  const { outcome_id, market, book } = outcome
  const shown = (levels: readonly PublicLevel[]) => levels.slice(0, depth).map((level) => priceLevelOf(market, level))
  const sides = { bids: shown(book.bids), asks: shown(book.asks) }
  const quality_state = ownQuality(market.status, isEmptyBook(book), is_stale)
  const around = { sequence: book.sequence, at: formatMicros(book.at), quality_state }
  return bookAround(market, outcome_id, sides, around)
}

/** Returns the price levels that a batch changed, in absolute sizes; "0" removes one. */
export function ownBookDeltaOf(change: BookChange, published_at: string): OrderBook {
  const { outcome, levels, seq, is_empty, status } = change
  const { market, outcome_id } = outcome
  const of_side = (side: Side) =>
    levels.filter((level) => level.side === side).map((level) => priceLevelOf(market, level))
  const sides = { bids: of_side('BUY'), asks: of_side('SELL') }
  const around = { sequence: seq, at: published_at, quality_state: ownQuality(status, is_empty, false) }
  return bookAround(market, outcome_id, sides, around)
}

function ownQuality(status: MarketStatus, is_empty: boolean, is_stale: boolean): QualityState {
  return qualityOf({ has_value: !is_empty, is_stale, status, stated: null })
}

/** Returns whether a market of ours was not confirmed for longer than the bound of a price. */
export function isOwnStale(market: PublicMarket, confirmed_at: Micros, at: Micros): boolean {
  return isStale(confirmedAt({ source_at: market.at, confirmed_at }), at, PRICE_BOUND)
}

/** Converts a trade, or a correction of one, to the resource, without accounts. Instants other than that of the trade are those of the commit. */
export function ownTradeOf(trade: PublicTrade): Trade {
  const { record_id, trade_id, market, outcome_id, price, quantity, aggressor_side, engine_sequence, correction } =
    trade
  const at = formatMicros(trade.at)
  return {
    trade_id: record_id,
    market_id: market.market_id,
    outcome_id,
    price: priceText(market.terms, price),
    quantity: quantityText(market.terms, quantity),
    aggressor_side,
    venue_id: OWN_VENUE,
    source_series_id: null,
    source_trade_id: trade_id,
    source_trade_ids: [trade_id],
    source_sequence: engine_sequence,
    source_at: formatMicros(trade.traded_at),
    received_at: at,
    published_at: at,
    correction: correction && { kind: correction.kind, supersedes_trade_id: correction.supersedes_record_id },
    derived: trade.derived,
    derivation_rule: trade.derived ? LADDER_RULE : null,
    match_kind: matchKindOf(trade),
    segments: (trade.segments ?? []).map((segment) => {
      return { ...segment, quantity: quantityText(market.terms, segment.quantity) }
    }),
  }
}

/**
 * Builds the price view of a market: the top of each outcome's own book, and its last trade. A top that rests as orders of the other
 * outcome is derived, although one can trade against it.
 * @param marks the newest marks of the market, rows of market_mark
 * @param confirmed_at instant up to which every commit is known to be applied
 * @param at the instant of the view
 */
export function ownPriceOf(market: PublicMarket, marks: readonly Row[], confirmed_at: Micros, at: Micros): PriceView {
  // Each quote has the last trade of the engine's tape already.
  const quotes = market.outcomes.map((outcome) => quoteOf(market, outcome, confirmed_at))
  const books = market.outcomes.map((outcome) => topOf(market, outcome))
  const view = marketPriceOf({ market: ownMarketRow(market), quotes, trades: [], marks, books }, at)!
  // Confirmation is of the whole market and moves every few seconds: freshness_ms shows it.
  const outcomes = view.price.outcomes.map((outcome) => ({ ...outcome, confirmed_at: null }))
  return { ...view, price: { ...view.price, outcomes } }
}

/** Returns the top of an outcome's book in the form of a stored one. */
function topOf(market: PublicMarket, { outcome_id, book }: PublicOutcome): Placed {
  const side = (levels: readonly PublicLevel[]) => {
    return levels.slice(0, 1).map(({ price, quantity }): Row => {
      return { price: priceText(market.terms, price), quantity: quantityText(market.terms, quantity) }
    })
  }
  const sides = { bids: side(book.bids), asks: side(book.asks) }
  const source_at = formatMicros(book.at)
  return { seq: book.sequence, row: { venue_id: OWN_VENUE, source_series_id: null, outcome_id, source_at, ...sides } }
}

/** Returns the fields of a market's record that the engine knows. */
function ownMarketRow({ market_id, status, outcomes }: PublicMarket): Row {
  return {
    market_id,
    status,
    outcome_type: outcomes.length === 2 ? 'binary' : 'categorical',
    outcomes: outcomes.map(({ outcome_id, label }) => ({ outcome_id, label })),
    venue_mapping: { venue_id: OWN_VENUE, source_market_id: market_id },
  }
}

function quoteOf(market: PublicMarket, { outcome_id, book, last_trade }: PublicOutcome, confirmed_at: Micros): Row {
  const [bid, ask] = [book.bids[0], book.asks[0]]
  const at = formatMicros(market.at)
  return {
    record_id: null,
    venue_id: OWN_VENUE,
    source_market_id: market.market_id,
    source_series_id: null,
    source_sequence: market.sequence,
    market_id: market.market_id,
    outcome_id,
    bid: bid === undefined ? null : priceText(market.terms, bid.price),
    bid_depth: bid === undefined ? null : quantityText(market.terms, bid.quantity),
    ask: ask === undefined ? null : priceText(market.terms, ask.price),
    ask_depth: ask === undefined ? null : quantityText(market.terms, ask.quantity),
    last_trade: last_trade === null ? null : priceText(market.terms, last_trade.price),
    last_trade_at: last_trade === null ? null : formatMicros(last_trade.traded_at),
    derivation_rule: isTopDerived(book) === true ? LADDER_RULE : null,
    source_at: at,
    received_at: at,
    published_at: at,
    confirmed_at: formatMicros(confirmed_at),
  }
}

type Sides = Pick<OrderBook, 'bids' | 'asks'>

function bookAround(
  market: PublicMarket,
  outcome_id: string,
  sides: Sides,
  { sequence, at, quality_state }: { readonly at: string } & Pick<OrderBook, 'sequence' | 'quality_state'>,
): OrderBook {
  return {
    market_id: market.market_id,
    outcome_id,
    sequence,
    ...sides,
    asks_derived: false,
    source_at: at,
    received_at: at,
    published_at: at,
    quality_state,
  }
}

type Level = OrderBook['bids'][number]

function priceLevelOf({ terms }: PublicMarket, level: PublicLevel): Level {
  const price = priceText(terms, level.price)
  if (level.quantity === 0) return { price, quantity: '0', order_count: null, derived: false, parts: [] }
  const parts = partsOf(terms, level)
  const derived = parts.some((part) => part.derived)
  return { price, quantity: quantityText(terms, level.quantity), order_count: level.order_count, derived, parts }
}

/** Returns what rests as orders of the outcome itself, then what rests as orders of the other one. */
function partsOf(terms: PublicScales, level: PublicLevel): Level['parts'] {
  const { quantity, order_count, derived_quantity = 0, derived_order_count = 0 } = level
  const partOf = (whole: number, count: number, derived: boolean): Level['parts'] => {
    if (whole === 0) return []
    const derivation_rule = derived ? LADDER_RULE : null
    return [{ quantity: quantityText(terms, whole), order_count: count, derived, derivation_rule }]
  }
  return [
    ...partOf(quantity - derived_quantity, order_count - derived_order_count, false),
    ...partOf(derived_quantity, derived_order_count, true),
  ]
}
