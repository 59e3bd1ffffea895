import { levelLabel } from '../../pipelines/index/level-label.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Row } from '../../warehouse/schema.ts'
import { booleanOf, fieldsOf, rowsOf, textsOf } from './pick.ts'

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

/**
 * Converts a row of index_observation to the resource, without its inputs.
 * @param is_stale true: a current read of a level that is older than its bound (methodology §12); a record of a history is not
 */
export function indexObservationOf(row: Row, is_stale = false): IndexObservation {
  const { quality_state, reason_codes } = levelLabel(row, is_stale)
  return {
    ...fieldsOf({ ...row, quality_state, published_at_ts_ms: millisOf(row.published_at as string) }, BEFORE_LISTS),
    reason_codes,
    missing_constituent_ids: textsOf(row.missing_constituent_ids),
    excluded_inputs: rowsOf(row.excluded_inputs).map((item) => fieldsOf(item, EXCLUDED_FIELDS)),
    input_observation_ids: textsOf(row.input_observation_ids),
    ...fieldsOf(row, ['calculation_run_id', 'input_digest', 'record_hash']),
  } as unknown as IndexObservation
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
    // Legs that have the same reason each stored it.
    reason_codes: [...new Set(textsOf(input.reason_codes))],
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
