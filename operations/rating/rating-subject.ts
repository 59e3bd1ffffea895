import type { ReviewRow, ReviewSubject } from '../../pipelines/review/subject.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { RATED_BANDS } from '../../vocabulary/rating.ts'

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
  restated: (row, grade) => {
    if (grade === 'NR') return { score: null }
    if (row.band === 'NR') throw withoutScore(row, grade)
    return {}
  },
}

/** A band is a projection of scores: where there are none, people submit their own by a form. */
function withoutScore({ rating_id }: ReviewRow, grade: string): ServiceError {
  return new ServiceError(
    'VALIDATION_RANGE_INVALID',
    `band is ${grade}; allowed for ${rating_id}, which is not rated and has no score: NR, or a rating by a form (tidemark rating submit)`,
    { field: 'band', value: grade },
  )
}
