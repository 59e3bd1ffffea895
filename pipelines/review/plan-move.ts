import { supersede } from '../../primitives/append-only.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReviewState } from '../../vocabulary/review.ts'
import { type ActName, type Actor, checkRole } from './acts.ts'
import { afterAct, type ReviewAct } from './review-states.ts'
import { type ReviewRow, type ReviewSubject, recordIdOf, type Value } from './subject.ts'

/** An act on the newest revision of a record. */
export type Move = {
  readonly act: Exclude<ActName, 'override' | 'submit'>
  readonly actor: Actor
  readonly act_id: string
  readonly acted_at: Micros
  /** Text of the basis of a dispute, the decision, or the reason of a withdrawal; null if the act needs none. */
  readonly text: string | null
}

/**
 * Returns the next revision of a record after an act; the previous record does not change.
 * @throws {ServiceError} REVIEW_NOT_ALLOWED: missing role, or own proposal; REVIEW_STATE_CONFLICT: the state refuses the act
 */
export function planMove(subject: ReviewSubject, head: ReviewRow, move: Move): ReviewRow {
  const isOpen = head.review_state === 'draft' || head.review_state === 'under_review'
  const ownProposal = move.act === 'withdraw' && isOpen && isOwn(head, move.actor)
  if (!ownProposal) checkRole(move.act, move.actor)
  const act: ReviewAct = move.act === 'expire' ? 'supersede' : move.act
  const review_state = nextState(subject, head, act)
  refuseOwn(subject, head, move)
  refuseEnded(subject, head, move)
  return revise(subject, head, REASONS[move.act], {
    review_state,
    act_id: move.act_id,
    ...changesOf(head, move),
  })
}

/** Returns a further revision after the newest one of a record. */
export function revise(
  subject: ReviewSubject,
  head: ReviewRow,
  reason: string,
  changes: Readonly<Record<string, Value>>,
): ReviewRow {
  const { published_at: _at, row_ordinal: _ordinal, ...kept } = head
  const revised = supersede({ revision_max: head.revision, current_id: recordIdOf(subject, head) }, reason)
  const id = deriveId(subject.id_prefix, head.chain_id, revised.revision)
  return { ...kept, ...revised, [subject.id_field]: id, ...changes } as ReviewRow
}

/** Returns the state after an act. @throws {ServiceError} REVIEW_STATE_CONFLICT */
export function nextState(subject: ReviewSubject, head: ReviewRow, act: ReviewAct): ReviewState {
  const next = afterAct(head.review_state, act)
  if (next !== null) return next
  throw new ServiceError(
    'REVIEW_STATE_CONFLICT',
    `${recordIdOf(subject, head)} is ${head.review_state}, in which ${act} is refused`,
    { record_id: recordIdOf(subject, head), review_state: head.review_state },
  )
}

const REASONS: Readonly<Record<Move['act'], string>> = {
  approve: 'APPROVED',
  return: 'RETURNED',
  dispute: 'DISPUTED',
  reject_dispute: 'DISPUTE_REJECTED',
  uphold_dispute: 'DISPUTE_UPHELD',
  withdraw: 'WITHDRAWN',
  expire: 'OVERRIDE_EXPIRED',
}

/** Acts that judge another member's proposal or dispute. */
const JUDGING: readonly Move['act'][] = ['approve', 'return', 'reject_dispute', 'uphold_dispute']

/** Refuses to let members approve their own proposal or decide their own dispute. */
function refuseOwn(subject: ReviewSubject, head: ReviewRow, { act, actor }: Move): void {
  if (!JUDGING.includes(act)) return
  const { filer } = (head.dispute ?? {}) as { readonly filer?: string }
  const deciding = act === 'reject_dispute' || act === 'uphold_dispute'
  const role = isOwn(head, actor) ? 'proposed it' : deciding && filer === actor.actor_id ? 'filed the dispute' : null
  if (role === null) return
  throw new ServiceError(
    'REVIEW_NOT_ALLOWED',
    `actor is ${actor.actor_id}, who ${role}; allowed to ${act} ${recordIdOf(subject, head)}: another member`,
    { field: 'actor', value: actor.actor_id },
  )
}

/** Refuses to approve an override that has ended. */
function refuseEnded(subject: ReviewSubject, head: ReviewRow, { act, acted_at }: Move): void {
  const { expires_at } = (head.override ?? {}) as { readonly expires_at?: string }
  if (act !== 'approve' || expires_at === undefined || acted_at < toMicros(expires_at)) return
  throw new ServiceError(
    'REVIEW_STATE_CONFLICT',
    `${recordIdOf(subject, head)} is an override that ended at ${expires_at}; allowed to approve: one that has not ended`,
    { record_id: recordIdOf(subject, head) },
  )
}

function isOwn(head: ReviewRow, { actor_id }: Actor): boolean {
  return head.proposed_by === actor_id
}

function changesOf(head: ReviewRow, { act, actor, acted_at, act_id, text }: Move): Readonly<Record<string, Value>> {
  const at = formatMicros(acted_at)
  const decided = (state: string) => ({
    dispute: { ...(head.dispute as object), state, decision: text, decided_at: at },
  })
  switch (act) {
    case 'dispute':
      return {
        dispute: {
          dispute_id: deriveId('dsp', act_id),
          state: 'open',
          filer: actor.actor_id,
          basis: text,
          decision: null,
          filed_at: at,
          decided_at: null,
        },
      }
    case 'reject_dispute':
      return decided('rejected')
    case 'uphold_dispute':
      return decided('upheld')
    case 'withdraw':
      return { withdrawal: { withdrawn_by: actor.actor_id, reason: text, withdrawn_at: at } }
    default:
      return {}
  }
}
