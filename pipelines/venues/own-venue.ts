/**
 * The venue_id of our own exchange. Its markets and outcomes have the ids of the trading core everywhere: what it calls a market is
 * the market_id, what it calls an outcome the outcome_id.
 */
export const OWN_VENUE = 'tidemark'
