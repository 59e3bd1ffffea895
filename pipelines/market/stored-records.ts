import type { DecimalString } from '../../primitives/decimal.ts'
import type { Instant } from '../../primitives/instants.ts'
import type { OutcomeType } from '../../vocabulary/market.ts'

/**
 * Stored records of one market, with the columns that a price view reads. A column that is left out is null, which is missing.
 */

/** Source series of a record: one feed of a venue. */
export type SourceSeries = { readonly venue_id: string; readonly source_series_id?: string | null }

/** Quote of one outcome. One without a record_id is not stored: no observation is named for it. */
export type StoredQuote = SourceSeries & {
  readonly record_id?: string | null
  readonly outcome_id: string
  readonly source_at: Instant
  readonly received_at: Instant
  readonly confirmed_at?: Instant | null
  readonly bid?: DecimalString | null
  readonly ask?: DecimalString | null
  readonly bid_depth?: DecimalString | null
  readonly ask_depth?: DecimalString | null
  readonly last_trade?: DecimalString | null
  readonly last_trade_at?: Instant | null
  /** The trade that `last_trade` is, if it is the newest of the tape; null: the quote states it. */
  readonly last_trade_id?: string | null
  readonly reported_probability?: DecimalString | null
  /** Rule by which the whole top of the book is derived from the other outcome; null: it is observed. */
  readonly derivation_rule?: string | null
  /** Record of the other outcome that it derives from; null: none is stored. */
  readonly derived_from_id?: string | null
  readonly quality_state?: string | null
}

/** Newest valid trade of one outcome. */
export type StoredTrade = SourceSeries & {
  readonly trade_id: string
  readonly outcome_id: string
  /** The other outcome of a complementary market, whose trade it is as well. */
  readonly complementary_outcome_id?: string | null
  readonly price: DecimalString
  readonly source_at: Instant
  readonly received_at: Instant
}

type StoredLevel = { readonly price: DecimalString; readonly quantity: DecimalString }

/** Order book of one outcome, best price levels first. */
export type StoredBook = SourceSeries & {
  readonly order_book_id?: string | null
  readonly outcome_id: string
  readonly source_at: Instant
  /** Unit of its prices; null: probability. */
  readonly price_unit?: string | null
  /** Null: none is stated. */
  readonly bids: readonly StoredLevel[] | null
  readonly asks: readonly StoredLevel[] | null
  readonly quality_state?: string | null
}

/** A book with its version in the table. */
export type PlacedBook = { readonly row: StoredBook; readonly seq: number }

/** Mark of one outcome. */
export type StoredMark = SourceSeries & {
  readonly mark_id: string
  readonly outcome_id: string
  readonly mark?: DecimalString | null
  readonly mark_rule?: string | null
  readonly origin_rule?: string | null
  readonly derivation_rule?: string | null
  readonly source_observation_ids?: readonly string[] | null
  readonly implied_probability?: DecimalString | null
  readonly tick_at: Instant
  readonly confirmed_at?: Instant | null
  readonly quality_state?: string | null
  readonly methodology_id?: string | null
  readonly methodology_version?: string | null
}

/** Market whose prices are viewed. */
export type PricedMarket = {
  readonly outcome_type?: OutcomeType | null
  readonly status?: string | null
  /** Null: its venue has described none of them yet. */
  readonly outcomes: readonly { readonly outcome_id: string }[] | null
}
