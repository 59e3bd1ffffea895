import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { RATING_SUBJECT } from '../rating/rating-subject.ts'
import { SEVERITY_SUBJECT } from '../severity/severity-subject.ts'

/** Subjects of review, by the table of their records. */
export const REVIEW_SUBJECTS: Readonly<Record<ReviewSubject['table'], ReviewSubject>> = {
  market_rating: RATING_SUBJECT,
  severity_assessment: SEVERITY_SUBJECT,
}
