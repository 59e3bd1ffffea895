import { notAllowed } from '../../primitives/errors.ts'
import { GOVERNED_STATUSES, INDEX_STATUSES, type IndexStatus } from '../../vocabulary/index-level.ts'

/**
 * Complete transition table of an index's status: the statuses that may follow. An archived index never returns: whoever used it
 * was told that it ends. A scheduled index becomes active by itself, when its first version takes effect.
 */
export const INDEX_MOVES: Readonly<Record<IndexStatus, readonly IndexStatus[]>> = {
  draft: ['scheduled', 'active', 'archived'],
  scheduled: GOVERNED_STATUSES,
  active: ['suspended', 'archived'],
  suspended: ['active', 'archived'],
  archived: [],
}

/** Refuses a status that may not follow another; the same status again is no move. @throws {ServiceError} REVIEW_STATE_CONFLICT */
export function checkIndexMove(index_id: string, from: string, to: IndexStatus): void {
  if (from === to) return
  const known = INDEX_STATUSES.find((status) => status === from)
  const allowed = known === undefined ? [] : INDEX_MOVES[known]
  if (allowed.includes(to)) return
  const accepted = allowed.join(', ') || 'no other status'
  throw notAllowed('REVIEW_STATE_CONFLICT', `status of ${index_id}`, `${from}, then ${to}`, accepted)
}
