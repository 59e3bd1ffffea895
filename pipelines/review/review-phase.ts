import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReviewState } from '../../vocabulary/review.ts'

/** Facts about one assessment that a review needs, from its newest revision. */
export type ReviewStanding = {
  readonly record_id: string
  readonly revision: number
  readonly review_state: ReviewState
  readonly effective_from: string
  /** End of an override; null: not an override. */
  readonly expires_at: string | null
}

/**
 * Next phase of a review.
 *   waiting    a person must act: on a proposal, a returned draft or a dispute
 *   scheduled  approved, effective from `until`
 *   running    an override in effect, which ends at `until`
 *   expiring   an approved override has ended; its end must be recorded
 *   over       nothing left to do
 */
export type ReviewPhase = {
  readonly phase: 'waiting' | 'scheduled' | 'running' | 'expiring' | 'over'
  readonly until: Micros | null
}

/** Returns the phase of an assessment at an instant. @param standing null: no such assessment */
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
      // A proposal not approved before its end can no longer take effect.
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
