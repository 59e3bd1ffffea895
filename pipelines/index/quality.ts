import type { Decimal } from '../../primitives/decimal.ts'
import { FINALITY_CONFLICT, INDICATIVE_REASONS, type QualityState } from '../../vocabulary/index-level.ts'
import type { Parameters } from './parameters.ts'

/** Facts that decide a state; ratios are unrounded. */
export type QualityFacts = {
  /** Index suspended, operator halt or twin-engine mismatch. */
  readonly halted: boolean
  /** Index scheduled: not yet official. */
  readonly scheduled: boolean
  readonly usable_ratio: Decimal
  readonly coverage_ratio: Decimal
  readonly confidence: Decimal
  /** Share of weight on M5, M6, M7 and frozen. */
  readonly fallback_ratio: Decimal
  readonly any_fresh_or_settled: boolean
  readonly any_missing: boolean
  readonly dispersed: boolean
  /** A provisional or pending input, a partial outcome set, a fixing that could not be made, a broken term structure. */
  readonly indicative: boolean
  readonly minimum_coverage_ratio: Decimal
}

/** Decides the state, Q1..Q5 of methodology index-1 §12: the first row that is true. */
export function decideQuality(facts: QualityFacts, quality: Parameters['quality']): QualityState {
  if (facts.halted || facts.usable_ratio.lt(quality.usable_min)) return 'suspended'
  if (!facts.any_fresh_or_settled) return 'stale'
  const degraded = facts.coverage_ratio.lt(facts.minimum_coverage_ratio) || facts.any_missing || facts.dispersed
  if (degraded || facts.fallback_ratio.gt(quality.max_fallback_weight)) return 'degraded'
  if (facts.scheduled || facts.indicative || facts.confidence.lt(quality.min_confidence)) return 'indicative'
  return 'valid'
}

/** Returns whether a constituent holds the state at indicative (Q4). A conflict no longer does once its pool is settled. */
export function isIndicative(input: {
  readonly provisional: boolean
  readonly pending: boolean
  readonly settled: boolean
  readonly reasons: readonly string[]
}): boolean {
  const { provisional, pending, settled, reasons } = input
  if (provisional || pending || INDICATIVE_REASONS.some((reason) => reasons.includes(reason))) return true
  return !settled && reasons.includes(FINALITY_CONFLICT)
}

/** Labels a later revision that would be valid as corrected (Q6). */
export function labelQuality(underlying: QualityState, revision: number): QualityState {
  return revision > 1 && underlying === 'valid' ? 'corrected' : underlying
}
