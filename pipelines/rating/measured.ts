import type { DecimalString } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { MarketRules, ScoredItem } from './clarity-rubric.ts'

/** Measurements of one market up to a cutoff; null: nothing to measure. Money in the venue's own asset. */
export type MeasuredMarket = {
  readonly market_id: string
  readonly market_revision: number
  readonly market_received_at: Micros
  readonly venue_id: string | null
  readonly settlement_asset_id: string | null
  readonly series: string
  readonly rules: MarketRules | null
  /** Number of different rules received in the window. */
  readonly rules_versions: number
  readonly quotes: MeasuredQuotes | null
  readonly books: MeasuredBooks | null
  readonly volume: MeasuredVolume | null
}

export type MeasuredQuotes = {
  readonly two_sided_ms: number
  readonly crossed_ms: number
  /** Sum of spread x ms over valid books; null: there was none. */
  readonly spread_ms: DecimalString | null
  readonly days: number
  readonly first_at: Micros
  readonly last_at: Micros
  readonly latency_p95_ms: number
}

export type MeasuredBooks = {
  readonly depth: DecimalString
  readonly cost: DecimalString
  readonly books: number
  readonly cost_days: number
  readonly last_at: Micros
}

export type MeasuredVolume = {
  readonly origin: 'venue' | 'tape'
  readonly volume: DecimalString
  readonly days: number
  readonly last_at: Micros
}

/** Measurements of a venue. */
export type MeasuredVenue = {
  readonly venue_id: string
  readonly health: MeasuredHealth | null
  /** Median time from close to final resolution, over the year; null: no market of it was seen to close and resolve. */
  readonly settlement_delay_ms: number | null
  readonly settled_markets: number
}

export type MeasuredHealth = {
  readonly first_at: Micros
  readonly known_ms: number
  readonly down_ms: number
  readonly gaps: number
  readonly records: number
  readonly incidents: number
}

/** Disputed and resolved markets of a series in a year. */
export type SeriesRecord = { readonly disputed: number; readonly resolved: number }

/** Scored rules, once per text: markets of a series often share it. */
export type ScoredRules = {
  readonly rubric_id: string
  readonly version: string
  readonly items: readonly ScoredItem[]
  readonly text_hash: string
}
