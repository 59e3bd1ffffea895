import type { ReviewState } from '../../vocabulary/review.ts'

/** A value of a stored record, as rows carry it. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | { readonly [field: string]: Value }

/** A record under review as its table has it; the review knows the fields below, and carries the others along. */
export type ReviewRow = Readonly<Record<string, Value>> & {
  readonly chain_id: string
  readonly revision: number
  readonly review_state: ReviewState
  readonly proposed_by: string | null
  readonly override: Value
  readonly dispute: Value
  readonly withdrawal: Value
}

/** What is reviewed: which table, and how its records are named. The review is the same for all. */
export type ReviewSubject = {
  readonly table: 'market_rating' | 'severity_assessment'
  readonly id_field: 'rating_id' | 'assessment_id'
  readonly id_prefix: 'rat' | 'asm'
  readonly chain_prefix: 'rch' | 'ach'
  readonly subject_field: 'market_id' | 'event_id'
  /** Columns that name what is assessed, as a reader asks for it. */
  readonly series_fields: readonly string[]
  /** The field that an override restates, its values, and the field that keeps the one before. */
  readonly grade_field: 'band' | 'level'
  readonly grades: readonly string[]
  readonly previous_field: 'previous_band' | 'previous_level'
  /** Columns of the program's own records, which no other record carries. */
  readonly program_fields: readonly string[]
  readonly not_found: 'RATING_NOT_FOUND' | 'ASSESSMENT_NOT_FOUND'
  /** What else of a record changes where its grade is restated. */
  readonly restated: (row: ReviewRow, grade: string) => Readonly<Record<string, Value>>
}

/** The id of a record. */
export function recordIdOf(subject: ReviewSubject, row: ReviewRow): string {
  return String(row[subject.id_field])
}
