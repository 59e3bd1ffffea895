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

export const SIDES = ['BUY', 'SELL'] as const
export const TIMES_IN_FORCE = ['GTC', 'GTD', 'FOK', 'FAK'] as const
export const SELF_TRADE_MODES = ['cancel_taker', 'cancel_maker', 'cancel_both'] as const
export const LIQUIDITY_ROLES = ['maker', 'taker'] as const
/** Every state of an order (docs/state-machines/order.md). */
export const ORDER_STATUSES = [
  'received',
  'validated',
  'rejected',
  'open',
  'partially_filled',
  'filled',
  'cancel_pending',
  'canceled',
  'expired',
  'suspended',
  'failed',
] as const
/** Why an order ended. */
export const TERMINAL_REASONS = [
  'FOK_NOT_FILLED',
  'FAK_NO_FILL',
  'FAK_REMAINDER',
  'SELF_TRADE_PREVENTION',
  'REPLACED',
  'MARKET_CLOSED',
  'REDUCE_ONLY',
  'RISK_ACTION',
  'EXPIRED',
  'USER_CANCELED',
  'CANCEL_ALL',
  'CANCEL_AFTER',
  'CANCEL_ON_PAUSE',
  'INTERNAL_FAILURE',
] as const
export const SETTLEMENT_STATES = [
  'pending',
  'submitted',
  'confirmed',
  'failed',
  'reversed',
  'redeemable',
  'redeemed',
] as const
export const ADJUSTMENT_TYPES = ['bust', 'amend'] as const
export const KEY_ALGORITHMS = ['hmac-sha256', 'ed25519'] as const
export const KEY_STATUSES = ['active', 'rotating', 'revoked', 'expired'] as const

/** Who issued a record of a committee's subject, in the order of precedence. */
export const ASSESSMENT_KINDS = ['committee', 'analyst', 'model'] as const
/** States of review of a rating or an assessment. */
export const REVIEW_STATES = ['draft', 'under_review', 'approved', 'superseded', 'disputed', 'withdrawn'] as const
/** Bands of a market rating, best first; NR: not rated. */
export const RATING_BANDS = ['MR1', 'MR2', 'MR3', 'MR4', 'MR5', 'NR'] as const
/** Observed and forecast assessments are separate series. */
export const ASSESSMENT_TYPES = ['observed', 'forecast'] as const
/** UNKNOWN is not SEV-0: too little is known. */
export const SEVERITY_LEVELS = ['SEV-0', 'SEV-1', 'SEV-2', 'SEV-3', 'SEV-4', 'SEV-5', 'UNKNOWN'] as const
