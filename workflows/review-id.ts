import type { ReviewSubjectName } from './activities/activity-types.ts'

/** The workflow that reviews an assessment: one at a time. */
export function reviewId(subject: ReviewSubjectName, chain_id: string): string {
  return `review/${subject}/${chain_id}`
}
