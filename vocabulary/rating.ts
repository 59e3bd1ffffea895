/** Components of a market rating, each scored 0 to 100. */
export const RATING_COMPONENTS = [
  'resolution_clarity',
  'source_reliability',
  'liquidity',
  'manipulation_resistance',
  'data_quality',
  'venue_operational_risk',
] as const
export type RatingComponent = (typeof RATING_COMPONENTS)[number]

/** Bands that a score falls into, best first. */
export const RATED_BANDS = ['MR1', 'MR2', 'MR3', 'MR4', 'MR5'] as const
export type RatedBand = (typeof RATED_BANDS)[number]

/** Bands of a market rating, best first; NR: not rated. */
export const RATING_BANDS = [...RATED_BANDS, 'NR'] as const
export type Band = (typeof RATING_BANDS)[number]
