import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { SCORED_LEVELS } from '../../vocabulary/severity.ts'

/** Severity assessments under review: observed and forecast ones are series of their own. */
export const SEVERITY_SUBJECT: ReviewSubject = {
  table: 'severity_assessment',
  id_field: 'assessment_id',
  id_prefix: 'asm',
  chain_prefix: 'ach',
  subject_field: 'event_id',
  series_fields: ['event_id', 'assessment_type'],
  grade_field: 'level',
  grades: [...SCORED_LEVELS, 'UNKNOWN'],
  previous_field: 'previous_level',
  program_fields: ['news_hash'],
  not_found: 'ASSESSMENT_NOT_FOUND',
  restated: () => ({}),
}
