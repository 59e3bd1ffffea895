/** States of an index. */
export const INDEX_STATUSES = ['draft', 'scheduled', 'active', 'suspended', 'archived'] as const

/** Whether the link factor of an index stays 100, or links each version to the one before it. */
export const INDEX_MODES = ['gauge', 'chain_linked'] as const
export type IndexMode = (typeof INDEX_MODES)[number]

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

/** Rules of methodology §4 that give a mark, in order. `frozen` overrides M1 to M7; `fixing` belongs to §11. */
export const MARK_RULES = ['M0', 'M1', 'M2', 'M3', 'M4', 'M5', 'M5r', 'M6', 'M7', 'frozen', 'fixing'] as const
export type MarkRule = (typeof MARK_RULES)[number]

/** Freshness of an input at a cutoff (methodology §3), best first. */
export const FRESHNESS_CLASSES = ['settled', 'fresh', 'stale', 'missing'] as const
export type FreshnessClass = (typeof FRESHNESS_CLASSES)[number]

/** Reasons that make a level indicative (methodology §12). */
export const INDICATIVE_REASONS: readonly string[] = ['PARTIAL_OUTCOME_SET', 'TERM_STRUCTURE_VIOLATION']

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
