import type { Micros } from '../../primitives/instants.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import type { Side } from '../../vocabulary/order.ts'
import type { OutcomePayout } from '../engine/settlement-commands.ts'
import type { FillSegment } from '../ledger/fill-segments.ts'
import type { MarketTerms } from '../market/market-terms.ts'

/** Fraction digits of a market's prices and quantities: all amounts here are whole numbers at these scales. */
export type PublicScales = Pick<MarketTerms, 'price_scale' | 'quantity_scale'>

/** One price level: the total of the orders that rest at a price. */
export type PublicLevel = {
  readonly price: number
  readonly quantity: number
  readonly order_count: number
  /** The part that rests as orders of the other outcome of a complementary market; left out: the outcome has a book of its own. */
  readonly derived_quantity?: number
  readonly derived_order_count?: number
}

/** The book of one outcome, each side best price first. */
export type PublicBook = {
  readonly bids: PublicLevel[]
  readonly asks: PublicLevel[]
  /** engine_sequence of its last event, of either outcome's in a complementary market; 0 before the first. */
  sequence: number
  /** When its last event happened; before the first, when the market was listed. */
  at: Micros
}

/** Whether a book has no price level. */
export function isEmptyBook({ bids, asks }: Pick<PublicBook, 'bids' | 'asks'>): boolean {
  return bids.length + asks.length === 0
}

/** A trade, or a correction of one. */
export type PublicTrade = {
  /** Id of this record; the trade_id for the trade itself, another id for each correction. */
  readonly record_id: string
  readonly trade_id: string
  readonly market: PublicMarket
  readonly outcome_id: string
  readonly price: number
  readonly quantity: number
  readonly aggressor_side: Side
  readonly engine_sequence: number
  readonly traded_at: Micros
  readonly at: Micros
  readonly correction: { readonly kind: 'void' | 'correction'; readonly supersedes_record_id: string } | null
  /** Sets that the match made, moved or destroyed; null: the outcome has a book of its own. */
  readonly segments: readonly FillSegment[] | null
  /** Whether it was made as a trade of the other outcome. */
  readonly derived: boolean
}

export type PublicOutcome = {
  readonly outcome_id: string
  readonly label: string
  readonly market: PublicMarket
  readonly book: PublicBook
  /** The last trade, as corrected; null before the first, and after the last one was voided until the next. */
  last_trade: PublicTrade | null
  /** engine_sequence of the last event that changed the book or the last trade; 0 before the first. */
  sequence: number
}

/** Public state of a listed market, as the engine's events have left it. */
export type PublicMarket = {
  readonly market_id: string
  readonly terms: PublicScales
  /** In the order in which the market lists them. */
  readonly outcomes: readonly PublicOutcome[]
  readonly created_at: Micros
  /** Whether the orders of both outcomes meet on one ladder, so that their books mirror each other. */
  complementary: boolean
  status: MarketStatus
  /** When its status changed last, or the payouts of an ended market were corrected. */
  revised_at: Micros
  /** Payouts of the newest final resolution; empty before the first. */
  payouts: readonly OutcomePayout[]
  /** engine_sequence of the last event of its books, trades or status. */
  sequence: number
  at: Micros
  /** engine_sequence of its last trade or correction; 0 before the first. */
  trade_sequence: number
}

/** A market as it is listed. */
export type PublicListing = Pick<PublicMarket, 'market_id' | 'terms'> & {
  readonly status: MarketStatus
  readonly outcomes: readonly { readonly outcome_id: string; readonly label: string }[]
  readonly created_at: Micros
}

/** Returns a market before its first event. */
export function newPublicMarket({ market_id, terms, status, outcomes, created_at }: PublicListing): PublicMarket {
  const listed: PublicOutcome[] = []
  const market: PublicMarket = {
    market_id,
    terms,
    outcomes: listed,
    created_at,
    complementary: false,
    status,
    revised_at: created_at,
    payouts: [],
    sequence: 0,
    at: created_at,
    trade_sequence: 0,
  }
  for (const { outcome_id, label } of outcomes) {
    const book: PublicBook = { bids: [], asks: [], sequence: 0, at: created_at }
    listed.push({ outcome_id, label, market, book, last_trade: null, sequence: 0 })
  }
  return market
}

/** Returns a copy that later events do not change, with the best price level of each side alone. */
export function topsOf(market: PublicMarket): PublicMarket {
  const outcomes: PublicOutcome[] = []
  const copy = { ...market, outcomes }
  for (const outcome of market.outcomes) {
    const { book } = outcome
    const tops = { ...book, bids: book.bids.slice(0, 1), asks: book.asks.slice(0, 1) }
    outcomes.push({ ...outcome, market: copy, book: tops })
  }
  return copy
}
