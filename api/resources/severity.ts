import type { SeverityAssessment, SeverityMethodology } from '../../protocol/resources/severity.ts'
import { SEVERITY_COMPONENTS, SEVERITY_LEVELS } from '../../vocabulary/severity.ts'
import type { Row } from '../../warehouse/schema.ts'
import { fieldsOf, REVISION_FIELDS, rowOrNull, rowsOf } from './pick.ts'
import { methodologyPartsOf, parametersBelow, reasonedOf, reviewedOf, structOf } from './review.ts'

/** Converts a row of severity_assessment to the resource. */
export function severityAssessmentOf(row: Row, measured = false): SeverityAssessment {
  return {
    ...fieldsOf(row, ['assessment_id', ...REVISION_FIELDS, 'event_id', 'assessment_type', 'level', 'score']),
    score_range: structOf(row.score_range, ['low', 'high']),
    component_scores: fieldsOf(rowOrNull(row.component_scores) ?? {}, SEVERITY_COMPONENTS),
    ...reasonedOf(row, measured),
    event_time_window: structOf(row.event_time_window, ['start', 'end']),
    ...fieldsOf(row, ['observation_cutoff_at', 'forecast_horizon_end']),
    ...reviewedOf(row),
    ...fieldsOf(row, ['previous_level', 'previous_score']),
    exceedance: itemsOf(row.exceedance, ['level', 'probability']),
    scenarios: itemsOf(row.scenarios, ['probability', 'score']),
  } as unknown as SeverityAssessment
}

/** Returns the resource of an unassessed event: level UNKNOWN, which is not SEV-0, with its reason. */
export function notAssessed(event_id: string, assessment_type: string, waits: boolean): SeverityAssessment {
  const reason = waits ? 'PENDING_REVIEW' : 'NO_APPROVED_ASSESSMENT'
  return severityAssessmentOf({ event_id, assessment_type, level: 'UNKNOWN', reason_codes: [reason], evidence: [] })
}

/** Converts a row of assessment_methodology to the resource. Components run from 0 to 100 (severity-1.md, section 2). */
export function severityMethodologyOf(row: Row): SeverityMethodology {
  const { head, parameters, document } = methodologyPartsOf(row)
  const consequences = (parameters.consequences ?? '').split(' ')
  const cut_points = (parameters.cut_points ?? '').split(' ')
  return {
    ...head,
    scale: [...SEVERITY_LEVELS],
    component_definitions: SEVERITY_COMPONENTS.map((name) => ({
      name,
      minimum: '0',
      maximum: '100',
      weight: parameters[`weights.${name}`],
      is_consequence: consequences.includes(name),
    })),
    level_thresholds: Object.fromEntries(cut_points.map((cut_point, place) => [SEVERITY_LEVELS[place], cut_point])),
    minimum_coverage: parameters.minimum_weight,
    range_levels_max: parameters.range_levels_max,
    evidence_hierarchy: parametersBelow(parameters, 'tier_weights'),
    ...document,
  } as unknown as SeverityMethodology
}

function itemsOf(value: Row[string], fields: readonly string[]) {
  return value === null || value === undefined ? null : rowsOf(value).map((item) => fieldsOf(item, fields))
}
