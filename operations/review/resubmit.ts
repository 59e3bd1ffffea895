import type { Actor } from '../../pipelines/review/acts.ts'
import { nextState, revise } from '../../pipelines/review/plan-move.ts'
import { type ReviewRow, type ReviewSubject, recordIdOf, type Value } from '../../pipelines/review/subject.ts'
import { ServiceError } from '../../primitives/errors.ts'

/**
 * Returns the next revision of a record that was returned to its author, under review again.
 * @param head null: nothing was returned, and the submission begins a new chain
 * @throws {ServiceError} REVIEW_NOT_ALLOWED: somebody else has proposed the record; REVIEW_STATE_CONFLICT: it was not returned;
 *   VALIDATION_RANGE_INVALID: it is about something else
 */
export function resubmit(
  subject: ReviewSubject,
  head: ReviewRow | null,
  submitted: ReviewRow,
  { actor_id }: Actor,
): ReviewRow {
  if (head === null) return submitted
  if (head.proposed_by !== actor_id) throw notTheirs(recordIdOf(subject, head), actor_id)
  for (const field of subject.series_fields) refuseOther(field, submitted[field], head[field])
  const review_state = nextState(subject, head, 'submit')
  const content = Object.entries(submitted).filter(([name]) => !OF_THE_CHAIN.includes(name))
  return revise(subject, head, 'RESUBMITTED', {
    ...Object.fromEntries(content.filter(([name]) => name !== subject.id_field)),
    review_state,
  })
}

const OF_THE_CHAIN = ['chain_id', 'revision', 'supersedes_id', 'correction_reason']

function refuseOther(field: string, value: Value, allowed: Value): void {
  if (value === allowed) return
  throw new ServiceError('VALIDATION_RANGE_INVALID', `${field} is ${value}; allowed: ${allowed}, which was returned`, {
    field,
    value: String(value),
  })
}

function notTheirs(record_id: string, actor_id: string): ServiceError {
  return new ServiceError(
    'REVIEW_NOT_ALLOWED',
    `actor is ${actor_id}; allowed to submit ${record_id} again: its proposer`,
    { field: 'actor', value: actor_id },
  )
}
