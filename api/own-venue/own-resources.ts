import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { fromScaled, pow10 } from '../../primitives/scaled.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { Trade } from '../../protocol/resources/trade.ts'
import type { Side } from '../../vocabulary/order.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'
import { marketPriceOf, type PriceView } from '../resources/market-price.ts'
import type { OwnLevel, OwnMarket, OwnOutcome, OwnTrade } from './own-market.ts'
import type { BookChange } from './own-markets.ts'

/** Fraction digits of prices and quantities in the warehouse: a value has the same text everywhere. */
const PRICE_DIGITS = 9
const QUANTITY_DIGITS = 6

/** Returns the book of an outcome, at most `depth` price levels a side. */
export function ownOrderBookOf({ outcome_id, market, book }: OwnOutcome, depth: number): OrderBook {
  const shown = (levels: readonly OwnLevel[]) => levels.slice(0, depth).map((level) => levelOf(market, level))
  const sides = { bids: shown(book.bids), asks: shown(book.asks) }
  return bookAround(market, outcome_id, book.sequence, sides, formatMicros(book.at))
}

/** Returns the price levels that a batch changed, in absolute sizes; "0" removes one. */
export function ownBookDeltaOf({ outcome, levels, seq }: BookChange, published_at: string): OrderBook {
  const { market, outcome_id } = outcome
  const of_side = (side: Side) => levels.filter((level) => level.side === side).map((level) => levelOf(market, level))
  return bookAround(market, outcome_id, seq, { bids: of_side('BUY'), asks: of_side('SELL') }, published_at)
}

/** Converts a trade, or a correction of one, to the resource, without accounts. Instants other than that of the trade are those of the commit. */
export function ownTradeOf(trade: OwnTrade): Trade {
  const { record_id, trade_id, market, outcome_id, price, quantity, aggressor_side, engine_sequence, correction } =
    trade
  const at = formatMicros(trade.at)
  return {
    trade_id: record_id,
    market_id: market.market_id,
    outcome_id,
    price: priceText(market, price),
    quantity: quantityText(market, quantity),
    aggressor_side,
    venue_id: OWN_VENUE,
    source_series_id: null,
    source_trade_id: trade_id,
    source_sequence: engine_sequence,
    source_at: formatMicros(trade.traded_at),
    received_at: at,
    published_at: at,
    correction: correction && { kind: correction.kind, supersedes_trade_id: correction.supersedes_record_id },
  }
}

/**
 * Builds the price view of a market: the top of each outcome's own book, and its last trade. No side derives from the other outcome,
 * because nobody could trade against it.
 * @param marks the newest marks of the market, rows of market_mark
 * @param confirmed_at instant up to which every commit is known to be applied
 * @param at the instant of the view
 */
export function ownPriceOf(market: OwnMarket, marks: readonly Row[], confirmed_at: Micros, at: Micros): PriceView {
  const quotes = market.outcomes.map((outcome) => quoteOf(market, outcome, confirmed_at))
  return marketPriceOf({ market: ownMarketRow(market), quotes, marks }, at)!
}

/** Fields of a market's record that the engine knows. */
function ownMarketRow({ market_id, status, outcomes }: OwnMarket): Row {
  return {
    market_id,
    status,
    outcome_type: outcomes.length === 2 ? 'binary' : 'categorical',
    outcomes: outcomes.map(({ outcome_id, label }) => ({ outcome_id, label })),
    venue_mapping: { venue_id: OWN_VENUE, source_market_id: market_id },
  }
}

function quoteOf(market: OwnMarket, { outcome_id, book, last_trade }: OwnOutcome, confirmed_at: Micros): Row {
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
    bid: bid === undefined ? null : priceText(market, bid.price),
    bid_depth: bid === undefined ? null : quantityText(market, bid.quantity),
    ask: ask === undefined ? null : priceText(market, ask.price),
    ask_depth: ask === undefined ? null : quantityText(market, ask.quantity),
    last_trade: last_trade === null ? null : priceText(market, last_trade.price),
    source_at: at,
    received_at: at,
    published_at: at,
    confirmed_at: formatMicros(confirmed_at),
  }
}

type Sides = Pick<OrderBook, 'bids' | 'asks'>

function bookAround(market: OwnMarket, outcome_id: string, sequence: number, sides: Sides, at: string): OrderBook {
  return {
    market_id: market.market_id,
    outcome_id,
    sequence,
    ...sides,
    asks_derived: false,
    source_at: at,
    received_at: at,
    published_at: at,
    // A book is valid whatever the market's status; the price view shows the status.
    quality_state: 'valid',
  }
}

function levelOf(market: OwnMarket, { price, quantity, order_count }: OwnLevel): OrderBook['bids'][number] {
  if (quantity === 0) return { price: priceText(market, price), quantity: '0', order_count: null }
  return { price: priceText(market, price), quantity: quantityText(market, quantity), order_count }
}

function priceText({ price_scale }: OwnMarket, price: number): string {
  return textAt(price, price_scale, PRICE_DIGITS)
}

function quantityText({ quantity_scale }: OwnMarket, quantity: number): string {
  return textAt(quantity, quantity_scale, QUANTITY_DIGITS)
}

/** Formats a value with the stored number of digits, or more if the market's scale is finer. */
function textAt(value: number, scale: number, digits: number): string {
  return fromScaled(BigInt(value) * pow10(Math.max(0, digits - scale)), Math.max(scale, digits))
}
