/** Statuses of an index that proposals decide. */
export const GOVERNED_STATUSES = ['active', 'suspended', 'archived'] as const
export type GovernedStatus = (typeof GOVERNED_STATUSES)[number]

/** States of an index. */
export const INDEX_STATUSES = ['draft', 'scheduled', ...GOVERNED_STATUSES] as const
export type IndexStatus = (typeof INDEX_STATUSES)[number]

/** Statuses in which no level is published. */
export const INACTIVE_STATUSES = ['suspended', 'archived'] as const satisfies readonly IndexStatus[]

/** Fields of a version that are set when it takes effect. */
export const LINK_FIELDS = ['link_factor', 'link_at', 'level_at_link'] as const

/** Whether the link factor of an index stays 100, or links each version to the one before it. */
export const INDEX_MODES = ['gauge', 'chain_linked'] as const
export type IndexMode = (typeof INDEX_MODES)[number]

/** Instant from which a final resolution settles an outcome: its own source time, or when it became final (methodology §4). */
export const SETTLE_FROM = ['source_at', 'final_at'] as const
export type SettleFrom = (typeof SETTLE_FROM)[number]

/** Final legs that settle a pool: any of them, or those that agree on more than half of its weight (methodology §7). */
export const POOL_FINALITY = ['any', 'majority'] as const
export type PoolFinality = (typeof POOL_FINALITY)[number]

/** Quality of a published level, price or candle (methodology §12). */
export const QUALITY_STATES = ['valid', 'indicative', 'stale', 'degraded', 'suspended', 'corrected'] as const
export type QualityState = (typeof QUALITY_STATES)[number]

/** Quality states, worst first: the order in which methodology §12 tests them. */
export const QUALITY_WORST_FIRST: readonly QualityState[] = [
  'suspended',
  'stale',
  'degraded',
  'indicative',
  'corrected',
  'valid',
]

/** States in which a level is impaired: of little use to whoever relies on it. */
export const IMPAIRED_STATES = ['suspended', 'stale', 'degraded'] as const satisfies readonly QualityState[]
export type ImpairedState = (typeof IMPAIRED_STATES)[number]

/** Rules of methodology §4 that give a mark, in order. `frozen` overrides M1 to M7; `fixing` belongs to §11. */
export const MARK_RULES = ['M0', 'M1', 'M2', 'M3', 'M4', 'M5', 'M5r', 'M6', 'M7', 'frozen', 'fixing'] as const
export type MarkRule = (typeof MARK_RULES)[number]

/** Rules whose weight is limited (Q3); null: no mark. */
export const FALLBACK_RULES: readonly (MarkRule | null)[] = ['M5', 'M6', 'M7', 'frozen']

/** Rules of marks that compute a value. M0, M5 and M5r take one over; M7 and frozen keep one that another rule formed. */
export const COMPUTED_MARK_RULES: readonly MarkRule[] = ['M1', 'M2', 'M3', 'M4']

/** Freshness of an input at a cutoff (methodology §3), best first. */
export const FRESHNESS_CLASSES = ['settled', 'fresh', 'stale', 'missing'] as const
export type FreshnessClass = (typeof FRESHNESS_CLASSES)[number]

/** Reasons that make a level indicative (methodology §12). */
export const INDICATIVE_REASONS: readonly string[] = ['PARTIAL_OUTCOME_SET', 'TERM_STRUCTURE_VIOLATION']

/** Rule and reason of a final leg that disagrees with its pool; indicative until the pool is settled (methodology §7). */
export const FINALITY_CONFLICT = 'FINALITY_CONFLICT'

/** Reasons that name a condition of a state which gives no other reason (methodology index-2 12). */
export const STATE_REASONS = [
  'USABLE_WEIGHT_LOW',
  'INDEX_HALTED',
  'NO_FRESH_INPUT',
  'COVERAGE_LOW',
  'CONSTITUENT_MISSING',
  'FALLBACK_WEIGHT_HIGH',
  'CONFIDENCE_LOW',
  'INDEX_SCHEDULED',
  /** Only of records from before 2026-12: coverage below the minimum or fallback weight above the maximum. */
  'COVERAGE_OR_FALLBACK',
] as const
export type StateReason = (typeof STATE_REASONS)[number]

/** Reasons that each lead to a state on their own; null: the state needs none. */
export const EXPLAINED_BY: Readonly<Record<QualityState, readonly string[] | null>> = {
  valid: null,
  corrected: null,
  indicative: [
    ...INDICATIVE_REASONS,
    FINALITY_CONFLICT,
    'FROZEN',
    'OUTLIER_PENDING',
    'FIXING_UNAVAILABLE',
    'CONFIDENCE_LOW',
    'INDEX_SCHEDULED',
  ],
  degraded: ['VENUE_DISPERSION', 'COVERAGE_LOW', 'CONSTITUENT_MISSING', 'FALLBACK_WEIGHT_HIGH', 'COVERAGE_OR_FALLBACK'],
  stale: ['NO_FRESH_INPUT'],
  suspended: ['ENGINE_MISMATCH', 'USABLE_WEIGHT_LOW', 'INDEX_HALTED'],
}

/** Why an input is missing from a replayed level, partial, or kept out of it: code and words. Published levels name the rule alone. */
export const INPUT_REASONS = {
  NO_OBSERVATION: 'no record of the outcome was known at the tick',
  NO_USABLE_VALUE: 'the known records of the outcome give no mark',
  CARRY_EXPIRED: 'the last mark is older than fresh.max_carry',
  FROZEN_WITHOUT_MARK: 'the market has stopped, and there is no mark from before',
  OUTLIER_PENDING: 'the outlier filter holds back the newest mark, and the last accepted one is too old',
  NO_USABLE_LEG: 'no leg of the constituent has a mark',
  NO_ROLL_CONTRACT: 'no contract lies in the range of the roll',
  OVERROUND_EXCEEDED: 'the marks of all outcomes add up to too much or too little',
  HAMPEL_5: 'the mark is too far from the median of its window',
  POOL_DISPERSION: 'the venue is too far from the others of its pool',
  MAX_OVERROUND: 'the marks of all outcomes add up to too much or too little',
  FINALITY_CONFLICT: 'a settled leg disagrees with its pool',
  PARTIAL_LEGS: 'the constituent has a value, and some of its legs have no mark',
} as const
export type InputReasonCode = keyof typeof INPUT_REASONS

/** States that need no reason. */
export const UNEXPLAINED_STATES = QUALITY_STATES.filter((state) => EXPLAINED_BY[state] === null)

/** Why a published observation is superseded (methodology §13). */
export const CORRECTION_REASONS = [
  'LATE_DATA',
  'SOURCE_CORRECTION',
  'TRADE_VOIDED',
  'RESOLUTION_CORRECTED',
  'WEIGHT_ERROR',
  'CODE_ERROR',
  'MAPPING_ERROR',
] as const
export type CorrectionReason = (typeof CORRECTION_REASONS)[number]
