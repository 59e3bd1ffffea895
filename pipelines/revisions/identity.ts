import type { ResolutionId, TradeId } from '../../primitives/ids.ts'
import { deriveId, type EventId, type MarketId, type OutcomeId, type RecordId } from '../../primitives/ids.ts'
import type { Instant } from '../../primitives/instants.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'

/**
 * Ids derived from what a venue itself calls a thing, so that the same thing has the same id in every warehouse and a
 * repeated import cannot store it twice. Instants in canonical text. No part may contain U+001F (the parsers quarantine control characters).
 */

/** Labels of the outcomes of a binary market, in the order in which a market lists them. */

/** The market that a venue calls `source_market_id`; series (question sets) of one venue share it. Ours keep their ids. */
export function marketIdOf(venue_id: string, source_market_id: string): MarketId {
  if (venue_id === OWN_VENUE) return source_market_id as MarketId
  return deriveId('mkt', venue_id, source_market_id)
}

/** The outcome `label` of a market, the label exactly as the market spells it (`YES` and `NO` of a binary one). */
export function outcomeIdOf(market_id: string, label: string): OutcomeId {
  return deriveId('out', market_id, label)
}

/** The real-world event that a venue calls `source_event_id`; a market without an event of its own name is its own event. */
export function eventIdOf(venue_id: string, source_event_id: string): EventId {
  return deriveId('evt', venue_id, source_event_id)
}

/** What names one instrument of a venue: a market's outcome as one series shows it. */
export type Instrument = {
  readonly venue_id: string
  /** null: the venue has no series. */
  readonly source_series_id: string | null
  readonly source_market_id: string
  /** Label of the outcome. */
  readonly outcome: string
}

/** The quote of an instrument about `source_at`, as it was had at `received_at`. */
export function quoteIdOf(instrument: Instrument, source_at: Instant, received_at: Instant): RecordId {
  const { venue_id, source_series_id, source_market_id, outcome } = instrument
  return deriveId('obs', venue_id, source_series_id, source_market_id, outcome, source_at, received_at)
}

/** The report of a venue's trade `source_trade_id` that was had at `received_at`. */
export function tradeIdOf(
  venue_id: string,
  source_market_id: string,
  source_trade_id: string,
  received_at: Instant,
): TradeId {
  return deriveId('trd', venue_id, source_market_id, source_trade_id, received_at)
}

/** The statement about how a market resolved at `source_at`, as it was had at `received_at`. */
export function resolutionIdOf(
  chain: Omit<Instrument, 'outcome'>,
  source_at: Instant,
  received_at: Instant,
): ResolutionId {
  return deriveId('res', chain.venue_id, chain.source_series_id, chain.source_market_id, source_at, received_at)
}
