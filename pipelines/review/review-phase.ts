import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReviewState } from '../../vocabulary/review.ts'

/** How one assessment stands: its newest revision, in what a review has to know of it. */
export type ReviewStanding = {
  readonly record_id: string
  readonly revision: number
  readonly review_state: ReviewState
  readonly effective_from: string
  /** End of an override; null: it is none. */
  readonly expires_at: string | null
}

/**
 * What a review does next.
 *   waiting    for a person: a proposal, a draft that was returned, a dispute
 *   scheduled  approved, and not in effect before `until`
 *   running    an override in effect, which ends at `until`
 *   expiring   an approved override has ended: its end is to be recorded
 *   over       nothing is left to do
 */
export type ReviewPhase = {
  readonly phase: 'waiting' | 'scheduled' | 'running' | 'expiring' | 'over'
  readonly until: Micros | null
}

/** What follows from how an assessment stands at an instant. @param standing null: there is no such assessment */
export function reviewPhase(standing: ReviewStanding | null, now: Micros): ReviewPhase {
  if (standing === null) return OVER
  const ends = standing.expires_at === null ? null : toMicros(standing.expires_at)
  const has_ended = ends !== null && ends <= now
  switch (standing.review_state) {
    case 'superseded':
    case 'withdrawn':
      return OVER
    case 'draft':
    case 'under_review':
      // A proposal that nobody approved before its end can not come into force any more.
      return has_ended ? OVER : { phase: 'waiting', until: ends }
    case 'disputed':
      return { phase: 'waiting', until: null }
    case 'approved':
      return approvedPhase(toMicros(standing.effective_from), ends, now)
  }
}

const OVER: ReviewPhase = { phase: 'over', until: null }

function approvedPhase(begins: Micros, ends: Micros | null, now: Micros): ReviewPhase {
  if (ends !== null && ends <= now) return { phase: 'expiring', until: null }
  if (now < begins) return { phase: 'scheduled', until: begins }
  return ends === null ? OVER : { phase: 'running', until: ends }
}
