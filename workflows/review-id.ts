import type { ReviewSubjectName } from './activities/activity-types.ts'

/** Returns the id of the workflow that reviews an assessment; one runs at a time. */
export function reviewId(subject: ReviewSubjectName, chain_id: string): string {
  return `review/${subject}/${chain_id}`
}
