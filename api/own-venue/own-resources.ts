import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { Trade } from '../../protocol/resources/trade.ts'
import { priceText, quantityText } from '../../trading/public-market/amounts.ts'
import type {
  PublicLevel,
  PublicMarket,
  PublicOutcome,
  PublicTrade,
} from '../../trading/public-market/public-market.ts'
import type { BookChange } from '../../trading/public-market/public-markets.ts'
import type { Side } from '../../vocabulary/order.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'
import { marketPriceOf, type PriceView } from '../resources/market-price.ts'

/** Returns the book of an outcome, at most `depth` price levels a side. */
export function ownOrderBookOf({ outcome_id, market, book }: PublicOutcome, depth: number): OrderBook {
  const shown = (levels: readonly PublicLevel[]) => levels.slice(0, depth).map((level) => levelOf(market, level))
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
  }
}

/**
 * Builds the price view of a market: the top of each outcome's own book, and its last trade. No side derives from the other outcome,
 * because nobody could trade against it.
 * @param marks the newest marks of the market, rows of market_mark
 * @param confirmed_at instant up to which every commit is known to be applied
 * @param at the instant of the view
 */
export function ownPriceOf(market: PublicMarket, marks: readonly Row[], confirmed_at: Micros, at: Micros): PriceView {
  const quotes = market.outcomes.map((outcome) => quoteOf(market, outcome, confirmed_at))
  return marketPriceOf({ market: ownMarketRow(market), quotes, marks }, at)!
}

/** Fields of a market's record that the engine knows. */
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
    source_at: at,
    received_at: at,
    published_at: at,
    confirmed_at: formatMicros(confirmed_at),
  }
}

type Sides = Pick<OrderBook, 'bids' | 'asks'>

function bookAround(market: PublicMarket, outcome_id: string, sequence: number, sides: Sides, at: string): OrderBook {
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

function levelOf(market: PublicMarket, { price, quantity, order_count }: PublicLevel): OrderBook['bids'][number] {
  if (quantity === 0) return { price: priceText(market.terms, price), quantity: '0', order_count: null }
  return { price: priceText(market.terms, price), quantity: quantityText(market.terms, quantity), order_count }
}
