/**
 * Venue id of Tidemark's own exchange. Its markets and outcomes keep their ids from the trading core everywhere: source_market_id is the
 * market_id, the outcome is named by its outcome_id.
 */
export const OWN_VENUE = 'tidemark'

/** Prediction markets that are read live, backfilled and simulated. */
export const PREDICTION_VENUES = ['polymarket', 'kalshi', 'manifold'] as const
export type PredictionVenue = (typeof PREDICTION_VENUES)[number]

/** Feeds of natural hazards. */
export const HAZARD_VENUES = ['usgs', 'gdacs'] as const
export type HazardVenue = (typeof HAZARD_VENUES)[number]

/** Every venue that is read live; the others are known from recorded archives alone. */
export const LIVE_VENUES = [...PREDICTION_VENUES, ...HAZARD_VENUES] as const
export type LiveVenue = (typeof LIVE_VENUES)[number]
