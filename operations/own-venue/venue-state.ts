import { type DecimalString } from '../../primitives/decimal.ts'
import { type Micros } from '../../primitives/instants.ts'
import { type PublicMarketRead } from '../../trading/store/read/public-reads.ts'
import { type MarketStatus } from '../../vocabulary/market.ts'
import { type Row } from '../../warehouse/schema.ts'

/** Tables that our own exchange is written to, in this order: what is referred to first. */
export const VENUE_TABLES = [
  'market',
  'market_eligibility',
  'market_quote',
  'order_book',
  'public_trade',
  'market_resolution',
] as const
export type VenueTable = (typeof VENUE_TABLES)[number]

/** What the warehouse holds of our own exchange as far as some event, and what of it is needed to go on. */
export type VenueState = {
  readonly markets: Map<string, MarketState>
  readonly outcomes: Map<string, OutcomeState>
  readonly listings: Map<string, PublicMarketRead>
}

export type MarketState = {
  readonly market_id: string
  status: MarketStatus | null
  /** Of the market's newest row; 0: it has none. */
  revision: number
  /** By outcome_id, once a resolution is final. */
  payouts: ReadonlyMap<string, DecimalString>
  /** What its resolutions state, by the instant that they are about. */
  readonly resolutions: Map<Micros, StatedResolution>
}

/** The newest statement of one chain. */
export type StatedResolution = {
  readonly resolution_id: string
  readonly revision: number
  /** The engine's ids that have stated it: a correction goes on with the chain of what it corrects. */
  readonly stated: ReadonlySet<string>
}

export type OutcomeState = {
  readonly market_id: string
  readonly outcome_id: string
  /** Sizes by price, whole numbers at the market's scales. */
  readonly bids: Map<number, number>
  readonly asks: Map<number, number>
  /** engine_sequence and stamp of the book's last change; 0: it never had one. */
  book_sequence: number
  book_at: Micros
  /** The same of the last book that is stored. */
  stored_sequence: number
  last_trade: { readonly price: DecimalString; readonly at: Micros } | null
  /** The newest quote told; null: none. */
  quote: QuoteState | null
}

/** A quote that was told: its values, and its place in its chain. */
export type QuoteState = QuoteValues & {
  readonly record_id: string
  readonly revision: number
  readonly source_sequence: number
  readonly source_at: Micros
  readonly confirmed_at: Micros
}

export type QuoteValues = {
  readonly bid: DecimalString | null
  readonly ask: DecimalString | null
  readonly bid_depth: DecimalString | null
  readonly ask_depth: DecimalString | null
  readonly last_trade: DecimalString | null
  readonly last_trade_at: Micros | null
}

/** Rows that some events add, by table. */
export type VenueRows = Record<VenueTable, Row[]>

/** Nothing of any table. */
export function noRows(): VenueRows {
  return {
    market: [],
    market_eligibility: [],
    market_quote: [],
    order_book: [],
    public_trade: [],
    market_resolution: [],
  }
}

/** The state of a market, made where there is none yet. */
export function marketOf(state: VenueState, market_id: string): MarketState {
  const known = state.markets.get(market_id)
  if (known !== undefined) return known
  const made: MarketState = { market_id, status: null, revision: 0, payouts: new Map(), resolutions: new Map() }
  state.markets.set(market_id, made)
  return made
}

/** The state of an outcome, made where there is none yet. */
export function outcomeOf(state: VenueState, market_id: string, outcome_id: string): OutcomeState {
  const known = state.outcomes.get(outcome_id)
  if (known !== undefined) return known
  const made: OutcomeState = {
    market_id,
    outcome_id,
    bids: new Map(),
    asks: new Map(),
    book_sequence: 0,
    book_at: 0,
    stored_sequence: 0,
    last_trade: null,
    quote: null,
  }
  state.outcomes.set(outcome_id, made)
  return made
}
