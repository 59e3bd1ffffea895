import { type Move, planMove } from '../../pipelines/review/plan-move.ts'
import { planDecision, planOverride, planRestored } from '../../pipelines/review/plan-records.ts'
import type { ReviewRow, ReviewSubject } from '../../pipelines/review/subject.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { IN_FORCE_STATES } from '../../vocabulary/review.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Draft } from './describe-act.ts'
import { findHead, findModelAt } from './find-records.ts'

/** Moves that need nothing but words. */
export type PlainMove = Exclude<Move['act'], 'uphold_dispute' | 'expire'>

/** Approve, return, dispute, reject_dispute or withdraw. @throws {ServiceError} as `findHead` */
export async function moveDraft(
  session: ReadSession,
  subject: ReviewSubject,
  request: { readonly act: PlainMove; readonly record_id: string; readonly text: string | null },
): Promise<Draft> {
  const { act, record_id, text } = request
  const head = await findHead(session, subject, record_id)
  return {
    act,
    subject_id: String(head[subject.subject_field]),
    head,
    details: text === null ? {} : { text },
    rows: (by) => [planMove(subject, head, { act, text, ...by })],
  }
}

/** A dispute is upheld: the disputed record is superseded, and the committee's own takes its place. */
export async function upholdDraft(
  session: ReadSession,
  subject: ReviewSubject,
  request: {
    readonly record_id: string
    readonly grade: string
    readonly text: string
    readonly until: Micros | null
  },
): Promise<Draft> {
  const { record_id, grade, text, until } = request
  const head = await findHead(session, subject, record_id)
  return {
    act: 'uphold_dispute',
    subject_id: String(head[subject.subject_field]),
    head,
    details: { text, [subject.grade_field]: grade, until: until === null ? null : formatMicros(until) },
    rows: (by) => [
      planMove(subject, head, { act: 'uphold_dispute', text, ...by }),
      planDecision(subject, head, { grade, text, until, ...by }),
    ],
  }
}

/** An override of a record, under review. @throws {ServiceError} REVIEW_STATE_CONFLICT: the record is not in force */
export async function overrideDraft(
  session: ReadSession,
  subject: ReviewSubject,
  request: {
    readonly record_id: string
    readonly proposed_value: string
    readonly reason_code: string
    readonly narrative: string
    readonly starts_at: Micros
    readonly expires_at: Micros
  },
): Promise<Draft> {
  const { record_id, starts_at, expires_at, proposed_value, reason_code, narrative } = request
  const proposed = { proposed_value, reason_code, narrative }
  const head = await findHead(session, subject, record_id)
  refuseFinal(subject, head)
  return {
    act: 'override',
    subject_id: String(head[subject.subject_field]),
    head,
    details: { ...proposed, starts_at: formatMicros(starts_at), expires_at: formatMicros(expires_at) },
    rows: (by) => [planOverride(subject, head, { ...proposed, ...by, starts_at, expires_at })],
  }
}

/** Ends an override: it is superseded by the model's own record of that time. */
export async function expireDraft(session: ReadSession, subject: ReviewSubject, record_id: string): Promise<Draft> {
  const head = await findHead(session, subject, record_id)
  const at = expiryOf(subject, head)
  const base = await findModelAt(session, subject, head, toMicros(at))
  return {
    act: 'expire',
    subject_id: String(head[subject.subject_field]),
    head,
    details: { expires_at: at },
    rows: (by) => [
      planMove(subject, head, { act: 'expire', text: null, ...by }),
      ...(base === null ? [] : [planRestored(subject, base, { act_id: by.act_id, at })]),
    ],
  }
}

function expiryOf(subject: ReviewSubject, head: ReviewRow): string {
  const { expires_at } = (head.override ?? {}) as { readonly expires_at?: string }
  if (expires_at !== undefined) return expires_at
  const record_id = String(head[subject.id_field])
  throw new ServiceError('REVIEW_STATE_CONFLICT', `${record_id} is not an override; allowed to expire: an override`, {
    record_id,
  })
}

/** Only a record that is or may become effective can be overridden. */
function refuseFinal(subject: ReviewSubject, head: ReviewRow): void {
  if (IN_FORCE_STATES.includes(head.review_state)) return
  const record_id = String(head[subject.id_field])
  throw new ServiceError(
    'REVIEW_STATE_CONFLICT',
    `${record_id} is ${head.review_state}; allowed to override: a record that is approved or disputed`,
    { record_id, review_state: head.review_state },
  )
}
