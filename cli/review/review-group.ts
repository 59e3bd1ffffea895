import type { ReviewSubject } from '../../pipelines/review/subject.ts'

/** Command group that reviews one kind of record: `tidemark rating ...` or `tidemark severity ...`. */
export type ReviewGroup = {
  readonly name: 'rating' | 'severity'
  /** `rat_...` in examples. */
  readonly record: string
  readonly grade: 'band' | 'level'
  readonly example: string
  readonly subject: () => Promise<ReviewSubject>
}
