import type { DecimalString } from '../../primitives/decimal.ts'
import { deriveId } from '../../primitives/ids.ts'
import type { DurationString } from '../../primitives/instants.ts'
import type { ListedTerms } from '../../trading/market/market-terms.ts'

/** Rules for which markets of other venues are listed for trading here, on what terms, and when they are halted. */
export type ListingPolicy = {
  readonly policy_id: string
  readonly policy_version: string
  readonly sources: readonly ListingSource[]
  readonly trading_parameters: ListedTerms
  /** The rates are those of the schedule's first version; where it is known, the version in force counts. */
  readonly fees: {
    readonly schedule_id: string
    readonly taker_rate: DecimalString
    readonly maker_rate: DecimalString
  }
  /** Age after which a reference without news is stale: its listing is paused. */
  readonly stale_after: DurationString
  /** Time in which a resolution that follows the reference may be disputed. */
  readonly dispute_window: DurationString
}

export type ListingSource = {
  readonly venue_id: string
  /** Categories of the events that are listed; null: all. */
  readonly categories: readonly string[] | null
  /** Most markets of the venue listed at the same time. */
  readonly markets_max: number
  /** A market that closes sooner is not listed any more. */
  readonly remaining_min: DurationString
}

/** The market that is listed for a reference: the same one always, so that nothing is listed twice. */
export function listedMarketId(reference_market_id: string): `mkt_${string}` {
  return deriveId('mkt', 'listing', reference_market_id)
}

/** Returns the listing's outcome for one of the reference's. */
export function listedOutcomeId(reference_outcome_id: string): `out_${string}` {
  return deriveId('out', 'listing', reference_outcome_id)
}

const REFERENCE = 'urn:tidemark:market:'

/** Returns the URN of a reference, as a listing names it among its resolution sources. */
export function referenceUrn(reference_market_id: string): string {
  return `${REFERENCE}${reference_market_id}`
}

/** The reference of a listing; null: it has none. @param rules as it was listed */
export function referenceOf(rules: unknown): string | null {
  const sources = (rules as { readonly resolution_sources?: unknown } | null)?.resolution_sources
  const urn = Array.isArray(sources) ? sources.find((source) => String(source).startsWith(REFERENCE)) : undefined
  return urn === undefined ? null : String(urn).slice(REFERENCE.length)
}
