import { durationMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { QualityState } from '../../vocabulary/index-level.ts'
import { isStale, levelBound } from '../market/freshness.ts'
import { qualityOf } from '../market/quality-label.ts'
import { reasonsOfRecord } from './state-reasons.ts'

/** Columns of a published level, as any reader has them. */
type LevelRow = Readonly<Record<string, unknown>>

/** Reason of a level that is older than its bound when it is read, whether or not its record is stale too; no record has it. */
const LEVEL_TOO_OLD = 'OLDER_THAN_MAX_AGE'

/** Returns the quality of a level when it is read. @param is_stale whether it is older than its bound then */
export function levelQuality({ quality_state }: LevelRow, is_stale: boolean): QualityState {
  return qualityOf({ has_value: true, is_stale, status: null, stated: (quality_state ?? null) as string | null })
}

/** Returns the quality of a level when it is read, and its reasons. @param is_stale whether it is older than its bound then */
export function levelLabel(row: LevelRow, is_stale: boolean) {
  const quality_state = levelQuality(row, is_stale)
  const reasons = reasonsOfRecord({
    quality_state: row.quality_state as QualityState,
    underlying_quality_state: (row.underlying_quality_state ?? row.quality_state) as QualityState,
    correction_reason: (row.correction_reason ?? null) as string | null,
    coverage_ratio: String(row.coverage_ratio),
    reason_codes: textsOf(row.reason_codes),
    missing_constituent_ids: textsOf(row.missing_constituent_ids),
  })
  return { quality_state, reason_codes: is_stale && quality_state === 'stale' ? [...reasons, LEVEL_TOO_OLD] : reasons }
}

/**
 * Returns the age from which a level is stale, in microseconds.
 * @param frequency  calculation_frequency of its version; null: not known
 * @param parameters parameters of its methodology as JSON; null: not known
 */
export function levelAgeMax(frequency: unknown, parameters: unknown): Micros {
  const { 'admission.grace': grace } = JSON.parse(String(parameters ?? '{}')) as Record<string, unknown>
  return levelBound(durationMicros(frequency ?? 'PT1M'), durationMicros(grace ?? 'PT5S'))
}

/** Returns whether a level is older than its bound at an instant. One without a source cutoff has no age. */
export function isLevelOld({ source_cutoff_at }: LevelRow, age_max: Micros, at: Micros): boolean {
  return source_cutoff_at != null && isStale(toMicros(source_cutoff_at), at, age_max)
}

function textsOf(value: unknown): readonly string[] {
  return (value ?? []) as readonly string[]
}
