import { reasonsOfRecord, type StatedReasons } from '../../pipelines/index/state-reasons.ts'
import { qualityOf } from '../../pipelines/market/quality.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { QualityState } from '../../vocabulary/index-level.ts'
import type { Row } from '../../warehouse/schema.ts'
import { booleanOf, fieldsOf, rowsOf, textOrNull, textsOf } from './pick.ts'

const BEFORE_LISTS = [
  'observation_id',
  'revision',
  'supersedes_id',
  'correction_reason',
  'index_id',
  'index_version_id',
  'methodology_id',
  'methodology_version',
  'level',
  'unit',
  'tick_at',
  'calculated_at',
  'source_cutoff_at',
  'published_at',
  'published_at_ts_ms',
  'quality_state',
  'underlying_quality_state',
  'coverage_ratio',
  'confidence',
  'link_factor',
] as const
const EXCLUDED_FIELDS = [
  'constituent_id',
  'observation_id',
  'rule',
  'raw_value',
  'reference_value',
  'threshold',
] as const

/** Reason of a level that is labelled stale because it is older than its meta.max_age_ms; its record has no such reason. */
const LEVEL_TOO_OLD = 'OLDER_THAN_MAX_AGE'

/** Returns the quality of a level when it is read. @param is_stale whether it is older than its bound then */
export function levelQuality({ quality_state }: Row, is_stale: boolean): QualityState {
  return qualityOf({ has_value: true, is_stale, status: null, stated: textOrNull(quality_state) })
}

/**
 * Converts a row of index_observation to the resource, without its inputs.
 * @param is_stale true: a current read of a level that is older than its bound (methodology §12); a record of a history is not
 */
export function indexObservationOf(row: Row, is_stale = false): IndexObservation {
  const quality_state = levelQuality(row, is_stale)
  const reasons = reasonsOfRecord(statedReasons(row))
  return {
    ...fieldsOf({ ...row, quality_state, published_at_ts_ms: millisOf(row.published_at as string) }, BEFORE_LISTS),
    reason_codes: quality_state === row.quality_state ? reasons : [...reasons, LEVEL_TOO_OLD],
    missing_constituent_ids: textsOf(row.missing_constituent_ids),
    excluded_inputs: rowsOf(row.excluded_inputs).map((item) => fieldsOf(item, EXCLUDED_FIELDS)),
    input_observation_ids: textsOf(row.input_observation_ids),
    ...fieldsOf(row, ['calculation_run_id', 'input_digest', 'record_hash']),
  } as unknown as IndexObservation
}

function statedReasons(row: Row): StatedReasons {
  return {
    quality_state: row.quality_state as QualityState,
    underlying_quality_state: (row.underlying_quality_state ?? row.quality_state) as QualityState,
    correction_reason: (row.correction_reason ?? null) as string | null,
    coverage_ratio: String(row.coverage_ratio),
    reason_codes: textsOf(row.reason_codes),
    missing_constituent_ids: textsOf(row.missing_constituent_ids),
  }
}

const INPUT_FIELDS = [
  'constituent_id',
  'market_id',
  'outcome_id',
  'source_observation_id',
  'target_weight',
  'weight_applied',
  'normalization',
  'raw_value',
  'normalized_value',
  'freshness_class',
  'mark_rule',
  'exclusion_reason',
  'contribution',
] as const
const LEG_FIELDS = [
  'market_id',
  'outcome_id',
  'mark_rule',
  'origin_rule',
  'value',
  'freshness_class',
  'source_at',
  'confirmed_at',
  'mark_cutoff_at',
] as const

/** The same with `inputs`: the contribution of each constituent (expand=inputs). */
export function indexObservationWithInputs(row: Row): IndexObservation {
  return { ...indexObservationOf(row), inputs: rowsOf(row.inputs).map(inputOf) } as unknown as IndexObservation
}

function inputOf(input: Row) {
  return {
    ...fieldsOf(input, INPUT_FIELDS),
    provisional: booleanOf(input.provisional),
    pending: booleanOf(input.pending),
    reason_codes: textsOf(input.reason_codes),
    legs: rowsOf(input.legs).map((leg) => ({
      ...fieldsOf(leg, LEG_FIELDS),
      source_observation_ids: textsOf(leg.source_observation_ids),
      window_observation_ids: textsOf(leg.window_observation_ids),
    })),
  }
}

/** Returns the whole milliseconds of an instant, rounded down like the view's epoch_ms. */
export function millisOf(instant: string): number {
  return Date.parse(`${instant.slice(0, 19)}Z`) + Number((/\.(\d{1,3})/.exec(instant)?.[1] ?? '0').padEnd(3, '0'))
}
