import type { ResolutionId, TradeId } from '../../primitives/ids.ts'
import { deriveId, type EventId, type MarketId, type OutcomeId, type RecordId } from '../../primitives/ids.ts'
import type { Instant } from '../../primitives/instants.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'

/**
 * Ids derived from a venue's own names, so that one thing has one id in every warehouse and a repeated import cannot store it
 * twice. Instants are canonical text. No part may contain U+001F (the parsers quarantine control characters).
 */

/** Labels of the outcomes of a binary market, in the order in which a market lists them. */

/**
 * Derives the id of a venue's market `source_market_id`; series (question sets) of one venue share it. Our own markets keep
 * their ids.
 */
export function marketIdOf(venue_id: string, source_market_id: string): MarketId {
  if (venue_id === OWN_VENUE) return source_market_id as MarketId
  return deriveId('mkt', venue_id, source_market_id)
}

/** Derives the id of a market's outcome by its label, exactly as the market spells it (`YES` and `NO` of a binary one). */
export function outcomeIdOf(market_id: string, label: string): OutcomeId {
  return deriveId('out', market_id, label)
}

/** Derives the id of a venue's event `source_event_id`; a market without an event is its own event. */
export function eventIdOf(venue_id: string, source_event_id: string): EventId {
  return deriveId('evt', venue_id, source_event_id)
}

/** Identity of one instrument of a venue: a market's outcome as one series shows it. */
export type Instrument = {
  readonly venue_id: string
  /** null: the venue has no series. */
  readonly source_series_id: string | null
  readonly source_market_id: string
  /** Label of the outcome. */
  readonly outcome: string
}

/**
 * Derives the id of an instrument's quote about `source_at`, received at `received_at`.
 * @param completion the revision of a quote that completes another one of these instants
 */
export function quoteIdOf(
  instrument: Instrument,
  source_at: Instant,
  received_at: Instant,
  ...completion: readonly number[]
): RecordId {
  const { venue_id, source_series_id, source_market_id, outcome } = instrument
  return deriveId('obs', venue_id, source_series_id, source_market_id, outcome, source_at, received_at, ...completion)
}

/** Derives the id of a report of the venue's trade `source_trade_id`, received at `received_at`. */
export function tradeIdOf(
  venue_id: string,
  source_market_id: string,
  source_trade_id: string,
  received_at: Instant,
): TradeId {
  return deriveId('trd', venue_id, source_market_id, source_trade_id, received_at)
}

/** Derives the id of a statement about a market's resolution at `source_at`, received at `received_at`. */
export function resolutionIdOf(
  chain: Omit<Instrument, 'outcome'>,
  source_at: Instant,
  received_at: Instant,
): ResolutionId {
  return deriveId('res', chain.venue_id, chain.source_series_id, chain.source_market_id, source_at, received_at)
}
