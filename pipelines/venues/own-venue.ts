/**
 * The venue_id of our own exchange. Its markets and outcomes have the trading core's ids everywhere: the source ids are
 * market_id and outcome_id.
 */
export const OWN_VENUE = 'tidemark'
