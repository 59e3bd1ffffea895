import type { ReviewState } from '../../vocabulary/review.ts'

/** Acts on a record. Each act creates a new record; none changes one. */
export const REVIEW_ACTS = [
  'submit',
  'approve',
  'return',
  'supersede',
  'dispute',
  'reject_dispute',
  'uphold_dispute',
  'withdraw',
] as const
export type ReviewAct = (typeof REVIEW_ACTS)[number]

/**
 * Complete transition table: the state after each act; null: refused. A dispute that is upheld leaves the record superseded by
 * the new assessment that the decision publishes; one that is rejected leaves it approved. Withdrawn and superseded are final.
 */
export const REVIEW_MOVES: Readonly<Record<ReviewState, Readonly<Record<ReviewAct, ReviewState | null>>>> = {
  draft: moves({ submit: 'under_review', withdraw: 'withdrawn' }),
  under_review: moves({ approve: 'approved', return: 'draft', withdraw: 'withdrawn' }),
  approved: moves({ supersede: 'superseded', dispute: 'disputed', withdraw: 'withdrawn' }),
  disputed: moves({ reject_dispute: 'approved', uphold_dispute: 'superseded', withdraw: 'withdrawn' }),
  superseded: moves({}),
  withdrawn: moves({}),
}

/** Returns the state after an act; null: refused in this state. */
export function afterAct(state: ReviewState, act: ReviewAct): ReviewState | null {
  return REVIEW_MOVES[state][act]
}

function moves(allowed: Partial<Record<ReviewAct, ReviewState>>): Readonly<Record<ReviewAct, ReviewState | null>> {
  return Object.fromEntries(REVIEW_ACTS.map((act) => [act, allowed[act] ?? null])) as Record<
    ReviewAct,
    ReviewState | null
  >
}
