/**
 * Venue id of Tidemark's own exchange. Its markets and outcomes keep their ids from the trading core everywhere: source_market_id is the
 * market_id, the outcome is named by its outcome_id.
 */
export const OWN_VENUE = 'tidemark'

/** Version of the rules of a market listed here: they never change after the listing. */
export const OWN_RULES_VERSION = '1'

/**
 * IANA zone of the times in a venue's rules, where its documentation fixes one for all markets: ours are in UTC, Kalshi and
 * PredictIt keep United States Eastern time (docs/connectors.md). Other venues' rules name their own, or none.
 */
export const RULES_TIMEZONES: Readonly<Record<string, string>> = {
  [OWN_VENUE]: 'UTC',
  kalshi: 'America/New_York',
  predictit: 'America/New_York',
}

/** Prediction markets that are read live, backfilled and simulated. */
export const PREDICTION_VENUES = ['polymarket', 'kalshi', 'manifold'] as const
export type PredictionVenue = (typeof PREDICTION_VENUES)[number]

/** Feeds of natural hazards. */
export const HAZARD_VENUES = ['usgs', 'gdacs'] as const
export type HazardVenue = (typeof HAZARD_VENUES)[number]

/** Every venue that is read live; the others are known from recorded archives alone. */
export const LIVE_VENUES = [...PREDICTION_VENUES, ...HAZARD_VENUES] as const
export type LiveVenue = (typeof LIVE_VENUES)[number]
