import type { DecimalString } from '../../primitives/decimal.ts'
import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { PublicMarkets } from '../../trading/public-market/fold-events.ts'
import type { PublicOutcome } from '../../trading/public-market/public-market.ts'
import type { PublicMarketRead } from '../../trading/store/read/public-reads.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { StoredSizes } from './metric-row.ts'

/** Tables that our own exchange is written to, in this order: a row comes after the rows that it refers to. */
export const VENUE_TABLES = [
  'market',
  'market_eligibility',
  'market_quote',
  'order_book',
  'public_trade',
  'market_resolution',
] as const
export type VenueTable = (typeof VENUE_TABLES)[number]

/** The public state of our own exchange up to some event, and the newest rows that the warehouse has of it. */
export class VenueState {
  readonly public_markets = new PublicMarkets()
  readonly listings = new Map<string, PublicMarketRead>()
  readonly markets = new Map<string, StoredMarket>()
  readonly outcomes = new Map<string, StoredOutcome>()
  /** Newest sizes of each market. */
  readonly sizes = new Map<string, StoredSizes>()

  /** Adds markets that the exchange has listed. */
  list(listings: Iterable<PublicMarketRead>): void {
    for (const listing of listings) {
      this.listings.set(listing.market_id, listing)
      this.public_markets.list(listing)
    }
  }

  listing(market_id: string): PublicMarketRead {
    const listing = this.listings.get(market_id)
    invariant(listing !== undefined, `market ${market_id} of an event is listed`)
    return listing
  }

  /** Returns what is stored of a market; nothing yet if it is new. */
  market(market_id: string): StoredMarket {
    const known = this.markets.get(market_id)
    if (known !== undefined) return known
    const made: StoredMarket = { market_id, status: null, revision: 0, resolutions: new Map() }
    this.markets.set(market_id, made)
    return made
  }

  /** Returns what is stored of an outcome; nothing yet if it is new. */
  outcome(outcome_id: string): StoredOutcome {
    const known = this.outcomes.get(outcome_id)
    if (known !== undefined) return known
    const outcome = this.public_markets.outcome(outcome_id)
    invariant(outcome !== null, `outcome ${outcome_id} of an event is listed`)
    const made: StoredOutcome = { outcome, book_sequence: 0, quote: null }
    this.outcomes.set(outcome_id, made)
    return made
  }
}

/** The newest rows of a market. */
export type StoredMarket = {
  readonly market_id: string
  /** Status and revision of its newest row; null and 0 before the first. */
  status: MarketStatus | null
  revision: number
  /** Its resolutions, by the instant that they are about. */
  readonly resolutions: Map<Micros, StoredResolution>
}

/** The newest statement of one chain. */
export type StoredResolution = {
  readonly resolution_id: string
  readonly revision: number
  /** The engine's ids that the chain has stated: a correction continues the chain of the resolution it corrects. */
  readonly stated: ReadonlySet<string>
}

/** The newest rows of an outcome. */
export type StoredOutcome = {
  readonly outcome: PublicOutcome
  /** engine_sequence of its last stored book; 0 before the first. */
  book_sequence: number
  /** Its newest quote; null before the first. */
  quote: QuoteState | null
}

/** The values of a quote, and where it is in its chain. */
export type QuoteState = QuoteValues & {
  readonly record_id: string
  readonly revision: number
  readonly source_sequence: number
  readonly source_at: Micros
  readonly confirmed_at: Micros
  /** Record of the other outcome's quote that a derived one mirrors; null: it is not derived. */
  readonly derived_from_id: string | null
}

export type QuoteValues = {
  readonly bid: DecimalString | null
  readonly ask: DecimalString | null
  readonly bid_depth: DecimalString | null
  readonly ask_depth: DecimalString | null
  readonly last_trade: DecimalString | null
  readonly last_trade_at: Micros | null
  /** Whether the whole top of the book rests as orders of the other outcome; null: it can have none. */
  readonly derived: boolean | null
}

/** New rows, by table. */
export type VenueRows = Record<VenueTable, Row[]>
