/** Enumerations of the interface; unknown values of a filter are refused, never ignored. */
export const INDEX_STATUSES = ['draft', 'scheduled', 'active', 'suspended', 'archived'] as const
export const QUALITY_STATES = ['valid', 'indicative', 'stale', 'degraded', 'suspended', 'corrected'] as const
export const MARKET_STATUSES = [
  'scheduled',
  'open',
  'paused',
  'closed',
  'resolving',
  'resolved',
  'voided',
  'archived',
] as const
export const FINALITIES = ['proposed', 'disputed', 'final', 'withdrawn'] as const
export const OBSERVED_FIELDS = ['bid', 'ask', 'midpoint', 'last_trade', 'mark', 'reported_probability'] as const
export const CANDLE_FIELDS = ['bid', 'ask', 'midpoint', 'last_trade', 'mark'] as const
export const SAMPLINGS = ['raw', 'latest_per_interval'] as const
export const TIME_DOMAINS = ['published', 'source', 'calculated'] as const
export const AGGRESSOR_SIDES = ['BUY', 'SELL'] as const
