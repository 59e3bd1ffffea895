import { RATED_BANDS } from '../../pipelines/rating/methodology.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'

/** Market ratings under review. What is not rated has no score. */
export const RATING_SUBJECT: ReviewSubject = {
  table: 'market_rating',
  id_field: 'rating_id',
  id_prefix: 'rat',
  chain_prefix: 'rch',
  subject_field: 'market_id',
  series_fields: ['market_id'],
  grade_field: 'band',
  grades: [...RATED_BANDS, 'NR'],
  previous_field: 'previous_band',
  program_fields: ['day_band'],
  not_found: 'RATING_NOT_FOUND',
  restated: (_row, grade) => (grade === 'NR' ? { score: null } : {}),
}
