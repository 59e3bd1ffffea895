import type { Decimal } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Finality, MarketStatus } from '../../vocabulary/market.ts'

/** Quote of one venue for one outcome at one source instant. Missing values are null, never zero. */
export type Quote = {
  readonly record_id: string
  readonly revision: number
  readonly source_at: Micros
  readonly received_at: Micros
  /** Latest instant at which the source was known to still show it; null if nothing confirms it. */
  readonly confirmed_at: Micros | null
  readonly source_sequence: number | null
  /** Probabilities in [0, 1]. */
  readonly bid: Decimal | null
  readonly ask: Decimal | null
  /** Contracts at the touch. */
  readonly bid_depth: Decimal | null
  readonly ask_depth: Decimal | null
  readonly last_trade: Decimal | null
  readonly last_trade_at: Micros | null
  readonly reported_probability: Decimal | null
}

/**
 * Returns the latest instant at which the source was known to still show a quote (methodology index-1 §3). Every age counts
 * from it.
 * @param cutoff a later confirmation does not count; left out: every confirmation counts
 */
export function confirmedAt(
  { source_at, confirmed_at }: Pick<Quote, 'source_at' | 'confirmed_at'>,
  cutoff = Number.POSITIVE_INFINITY,
): Micros {
  return confirmed_at !== null && confirmed_at <= cutoff && confirmed_at > source_at ? confirmed_at : source_at
}

/** Returns the id of the record that an observation is a field of: observation_id = record id + "." + field. */
export function recordIdOf(observation_id: string): string {
  return observation_id.slice(0, observation_id.lastIndexOf('.'))
}

/** One revision of a market's resolution, for one outcome. known_at: when it could first be used; default received_at. */
export type Resolution = {
  readonly resolution_id: string
  /** Observation that shows the payout, if the record names one; else the resolution itself. */
  readonly evidence_id: string
  readonly revision: number
  readonly source_at: Micros
  readonly received_at: Micros
  readonly known_at?: Micros | undefined
  readonly finality: Finality
  /** Instant at which the market became final, of a final revision; null of any other, and where it is not known. */
  readonly final_at?: Micros | null
  /** Payout of the outcome in [0, 1]; null if the record names none. */
  readonly payout: Decimal | null
}

/** Status and schedule of a market in one record. status null: the source gives none. */
export type MarketState = {
  readonly source_at: Micros
  readonly received_at: Micros
  readonly known_at?: Micros | undefined
  readonly revision: number
  readonly status: MarketStatus | null
  readonly closes_at: Micros | null
  readonly expected_resolution_at: Micros | null
}

/** A public trade of one outcome. */
export type Trade = {
  readonly trade_id: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly known_at?: Micros | undefined
  readonly price: Decimal
  readonly quantity: Decimal
}

/** Admitted records of one outcome at one cutoff (methodology index-1 §3). */
export type OutcomeInput = {
  readonly quote: Quote | null
  /** Current admitted resolutions with source_at <= cutoff. */
  readonly resolution: Resolution | null
  readonly market: MarketState | null
  /** Newest quote of the other outcome of a binary market (rule M6). */
  readonly other: Quote | null
  /** Whether any record halts or contests the market; otherwise old marks need not be kept. */
  readonly can_freeze: boolean
}
