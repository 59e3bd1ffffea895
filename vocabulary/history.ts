/** Sampling of a history: every record, or the newest of each interval. */
export const SAMPLINGS = ['raw', 'latest_per_interval'] as const

/** Clocks by which a history is filtered and ordered. */
export const TIME_DOMAINS = ['published', 'source', 'calculated'] as const
export type TimeDomain = (typeof TIME_DOMAINS)[number]
