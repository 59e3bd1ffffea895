import type { DecimalString } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { QuarantineReason } from './quarantine.ts'

/** Where a record stood in its archive. */
export type Origin = {
  readonly file: string
  /** Line in the uncompressed file, from 1. */
  readonly line: number
}

/**
 * What one venue showed for one outcome at one source instant, before it has a place in its correction chain.
 * Prices and probabilities in [0, 1] with 9 fraction digits, depths in contracts with 6; null = the source gives none.
 */
export type QuoteRecord = Origin & {
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_market_id: string
  readonly outcome: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly reported_probability: DecimalString | null
  /** The probability as the source wrote it. */
  readonly raw_value: string | null
  /** True: the value is a final payout. */
  readonly is_final: boolean
  /** The line of the file, for evidence. */
  readonly text: string
  /** null: the source publishes a probability only. */
  readonly book: QuoteBook | null
}

/** The parts of a quote that an archive of plain probabilities does not have. */
export type QuoteBook = {
  readonly bid: DecimalString | null
  readonly ask: DecimalString | null
  readonly bid_depth: DecimalString | null
  readonly ask_depth: DecimalString | null
  readonly last_trade: DecimalString | null
  readonly last_trade_at: Micros | null
  readonly source_sequence: number | null
  readonly confirmed_at: Micros | null
}

export const AGGRESSOR_SIDES = ['BUY', 'SELL'] as const
export const TRADE_CORRECTIONS = ['void', 'correction'] as const

/** A public trade. Price in [0, 1] with 9 fraction digits, quantity in contracts with 6. */
export type TradeRecord = Origin & {
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_market_id: string
  readonly outcome: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly price: DecimalString
  readonly quantity: DecimalString
  readonly aggressor_side: (typeof AGGRESSOR_SIDES)[number] | null
  readonly source_trade_id: string
  readonly source_sequence: number | null
  readonly correction_kind: (typeof TRADE_CORRECTIONS)[number] | null
}

export type Payout = { readonly outcome: string; readonly payout: DecimalString }

/** How a market resolved, as one record states it. Payouts in [0, 1] with 9 fraction digits, one per outcome. */
export type ResolutionRecord = Origin & {
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_market_id: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly finality: 'proposed' | 'disputed' | 'final' | 'withdrawn'
  /** Empty where the record states none. */
  readonly payouts: readonly Payout[]
  readonly dispute_window_ends_at: Micros | null
  readonly evidence: Evidence
}

/** What a resolution rests on: a row of the archive. content_hash null: the row is known from the warehouse only. */
export type Evidence = {
  readonly evidence_id: string
  readonly kind: 'archive_row'
  readonly source_uri: string | null
  readonly content_hash: string | null
}

export const MARKET_STATUSES = [
  'scheduled',
  'open',
  'paused',
  'closed',
  'resolving',
  'resolved',
  'voided',
  'archived',
] as const

/** A market and its event as one line of an archive states them. Texts as the source wrote them; null = none given. */
export type ReferenceRecord = Origin & {
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_event_id: string
  readonly source_market_id: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly title: string
  readonly event_title: string
  readonly description: string | null
  readonly category: string | null
  readonly status: (typeof MARKET_STATUSES)[number] | null
  readonly outcome_type: 'binary' | 'categorical'
  readonly outcomes: readonly string[]
  readonly resolution_question: string | null
  readonly resolution_criteria: string | null
  readonly source_url: string | null
  readonly opens_at: Micros | null
  readonly closes_at: Micros | null
  readonly expected_resolution_at: Micros | null
}

/** Everything that an archive holds, parsed, before anything is compared with the warehouse. */
export type ArchiveContent = {
  /** Names of the files read. */
  readonly files: readonly string[]
  readonly quotes: readonly QuoteRecord[]
  readonly trades: readonly TradeRecord[]
  readonly resolutions: readonly ResolutionRecord[]
  readonly references: readonly ReferenceRecord[]
  readonly quarantine: readonly (Origin & { readonly reason: QuarantineReason })[]
}
