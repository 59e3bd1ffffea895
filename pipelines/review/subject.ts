import type { ReviewState } from '../../vocabulary/review.ts'

/** A value of a stored row. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | { readonly [field: string]: Value }

/** A record under review as stored; the review reads the fields below and copies the others. */
export type ReviewRow = Readonly<Record<string, Value>> & {
  readonly chain_id: string
  readonly revision: number
  readonly review_state: ReviewState
  readonly proposed_by: string | null
  readonly override: Value
  readonly dispute: Value
  readonly withdrawal: Value
}

/** Subject of a review: its table, and how its records are named. The review is the same for all. */
export type ReviewSubject = {
  readonly table: 'market_rating' | 'severity_assessment'
  readonly id_field: 'rating_id' | 'assessment_id'
  readonly id_prefix: 'rat' | 'asm'
  readonly chain_prefix: 'rch' | 'ach'
  readonly subject_field: 'market_id' | 'event_id'
  /** Columns that identify the assessed series. */
  readonly series_fields: readonly string[]
  /** Field that an override restates, its values, and the field for the previous one. */
  readonly grade_field: 'band' | 'level'
  readonly grades: readonly string[]
  readonly previous_field: 'previous_band' | 'previous_level'
  /** Columns that only the model's own records have. */
  readonly program_fields: readonly string[]
  readonly not_found: 'RATING_NOT_FOUND' | 'ASSESSMENT_NOT_FOUND'
  /** Returns the other fields that change with a restated grade. */
  readonly restated: (row: ReviewRow, grade: string) => Readonly<Record<string, Value>>
}

/** Returns the id of a record. */
export function recordIdOf(subject: ReviewSubject, row: ReviewRow): string {
  return String(row[subject.id_field])
}
