import type { Micros } from '../../../primitives/instants.ts'
import type { MarketStatus } from '../../../vocabulary/market.ts'
import type { OutcomePayout, ResolutionEvidence } from '../../engine/settlement-commands.ts'
import type { MarketListing } from '../../market/market-listing.ts'
import type { ListedTerms, MarketTerms } from '../../market/market-terms.ts'
import type { Pool } from '../create-pool.ts'
import { readLease } from '../lease.ts'
import { createPublicReads, type PublicMarketRead } from '../read/public-reads.ts'
import { readSql } from '../read-sql.ts'
import type { TailedEvent } from '../tailed-event.ts'

const FOLDER = new URL('./sql/', import.meta.url)

/** Reads for the publisher of our own markets: no account, no order. */
export type VenueReads = {
  /** null: nothing is committed yet. */
  head(): Promise<VenueHead | null>
  /** Returns moves, books, trades and resolutions after one cursor up to another, in order. */
  events(after: number, through: number, limit: number): Promise<readonly TailedEvent[]>
  listings(market_ids: readonly string[]): Promise<readonly PublicMarketRead[]>
  /** The newest public events up to an engine_sequence, inclusive: those that restore a PublicMarkets without its books. */
  newestThrough(through: number): Promise<readonly TailedEvent[]>
  resolutions(resolution_ids: readonly string[]): Promise<readonly ResolutionFacts[]>
  markets(): Promise<readonly ListedMarket[]>
  marks(): Promise<readonly EngineMark[]>
  /** Sizes of the markets that have not ended, and of those named, at the last batch. */
  sizes(market_ids: readonly string[]): Promise<readonly MarketSizes[]>
  /** Whether an engine leads, so that the books are current and not a leftover. */
  isLed(): Promise<boolean>
}

type VenueHead = { readonly engine_sequence: number; readonly at: Micros }

/** Facts of one resolution revision that never change. */
export type ResolutionFacts = {
  readonly resolution_id: string
  readonly market_id: string
  readonly revision: number
  readonly supersedes_id: string | null
  readonly correction_reason: string | null
  readonly verdict: 'resolved' | 'voided'
  readonly payouts: readonly OutcomePayout[]
  readonly evidence: readonly ResolutionEvidence[]
  readonly resolver_kind: string
  readonly resolver_id: string | null
  readonly proposed_at: Micros
  readonly dispute_window_ends_at: Micros
}

/** A market with its last move. */
export type ListedMarket = {
  readonly market_id: string
  readonly status: MarketStatus
  readonly listed: { readonly terms: ListedTerms; readonly listing: MarketListing | null }
  readonly outcomes: readonly { readonly outcome_id: string; readonly label: string }[]
  /** Actor and event of the last move. */
  readonly actor: string
  readonly moved_sequence: number
  /** Oldest first. */
  readonly resolutions: readonly ListedResolution[]
}

/** One revision of a listed market's resolution; `dispute_id` of the last dispute, null: none was filed. */
type ListedResolution = {
  readonly resolution_id: string
  readonly finality: string
  readonly payouts: readonly OutcomePayout[]
  readonly dispute_id: string | null
}

/** Sizes of a market as whole numbers, at the scales of its quantities, and of price x quantity for `liquidity`. */
export type MarketSizes = {
  readonly market_id: string
  readonly terms: Pick<MarketTerms, 'price_scale' | 'quantity_scale'>
  /** Stamp of the batch. */
  readonly at: Micros
  readonly volume: string
  readonly open_interest: string
  readonly liquidity: string
}

/** `mark` at scale 8; null: none. */
export type EngineMark = {
  readonly market_id: string
  readonly outcome_id: string
  readonly mark: number | null
  readonly mark_observation_id: string | null
}

/** Creates the reads over a pool of the trading database. Each throws the database's error if it cannot be reached. */
export function createVenueReads(pool: Pool): VenueReads {
  const rows = async <T>(name: string, ...values: readonly unknown[]): Promise<readonly T[]> =>
    (await pool.query({ name, text: readSql(name, FOLDER), values: [...values] })).rows as T[]
  return {
    head: async () => (await rows<VenueHead>('venue_head'))[0] ?? null,
    events: (after, through, limit) => rows('venue_events', after, through, limit),
    listings: (market_ids) => createPublicReads(pool).markets(market_ids),
    newestThrough: (through) => createPublicReads(pool).places(through),
    resolutions: (resolution_ids) => rows('venue_resolutions', resolution_ids),
    markets: () => rows('venue_markets'),
    marks: () => rows('venue_marks'),
    sizes: (market_ids) => rows('venue_sizes', market_ids),
    isLed: async () => (await readLease(pool))?.is_free === false,
  }
}
