import { type Move, planMove } from '../../pipelines/review/plan-move.ts'
import { planDecision, planOverride, planRestored } from '../../pipelines/review/plan-records.ts'
import type { ReviewRow, ReviewSubject } from '../../pipelines/review/subject.ts'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import { findEndedOverrides, findHead, findModelAt } from './find-records.ts'
import { finishActs } from './finish-acts.ts'
import { type Performed, performAct, type ReviewPorts } from './perform-act.ts'
import { withSession } from './review-session.ts'

/**
 * One move of a record: approve, return, dispute, reject_dispute, withdraw.
 * @throws {ServiceError} RATING_NOT_FOUND or ASSESSMENT_NOT_FOUND, REVIEW_NOT_ALLOWED, REVIEW_STATE_CONFLICT
 */
export async function moveRecord(
  subject: ReviewSubject,
  ports: ReviewPorts,
  request: {
    readonly act: Exclude<Move['act'], 'uphold_dispute' | 'expire'>
    readonly record_id: string
    readonly text: string | null
  },
): Promise<Performed> {
  const { act, record_id, text } = request
  return performAct(subject, ports, async (session) => {
    const head = await findHead(session, subject, record_id)
    return {
      act,
      subject_id: String(head[subject.subject_field]),
      head,
      details: text === null ? {} : { text },
      rows: (by) => [planMove(subject, head, { act, text, ...by })],
    }
  })
}

/**
 * Upholds a dispute: the disputed record is superseded, and the committee's own takes its place.
 * @throws {ServiceError} as `moveRecord`; VALIDATION_RANGE_INVALID: no grade, or an end that has passed
 */
export async function upholdDispute(
  subject: ReviewSubject,
  ports: ReviewPorts,
  request: {
    readonly record_id: string
    readonly grade: string
    readonly text: string
    readonly until: Instant | null
  },
): Promise<Performed> {
  const { record_id, grade, text } = request
  const until = request.until === null ? null : toMicros(request.until, 'until')
  return performAct(subject, ports, async (session) => {
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
  })
}

/** Commits of one table have stamps of their own, a millisecond apart. */
const MICROS_PER_MILLISECOND = 1000

export type OverrideRequest = {
  /** The record to override: that in force of its subject. */
  readonly record_id: string
  readonly proposed_value: string
  readonly reason_code: string
  readonly narrative: string
  /** null: now. */
  readonly starts_at: Instant | null
  readonly expires_at: Instant
}

/**
 * Proposes an override, to be approved by another member.
 * @throws {ServiceError} as `moveRecord`; VALIDATION_RANGE_INVALID; REVIEW_STATE_CONFLICT: the record is not in force
 */
export async function proposeOverride(
  subject: ReviewSubject,
  ports: ReviewPorts,
  request: OverrideRequest,
): Promise<Performed> {
  const { record_id, ...proposed } = request
  return performAct(subject, ports, async (session, { now }) => {
    const head = await findHead(session, subject, record_id)
    refuseFinal(subject, head)
    const starts_at = proposed.starts_at === null ? now : toMicros(proposed.starts_at, 'starts_at')
    const expires_at = toMicros(proposed.expires_at, 'expires_at')
    return {
      act: 'override',
      subject_id: String(head[subject.subject_field]),
      head,
      details: { ...proposed, starts_at: formatMicros(starts_at), expires_at: formatMicros(expires_at) },
      rows: (by) => [planOverride(subject, head, { ...proposed, ...by, starts_at, expires_at })],
    }
  })
}

/**
 * Records that approved overrides have ended: each is superseded, and what the program says from then on is published anew.
 * @returns one act an override
 */
export async function expireOverrides(
  subject: ReviewSubject,
  ports: Omit<ReviewPorts, 'signer' | 'roster'>,
): Promise<readonly Performed[]> {
  const service: ReviewPorts = { ...ports, signer: null, roster: [] }
  await finishActs(subject, service)
  const now = ports.at ?? (await ports.warehouse.now())
  const ended = await withSession(ports.warehouse, subject, (session) => findEndedOverrides(session, subject, now))
  const performed: Performed[] = []
  for (const [n, override] of ended.entries()) {
    const at = ports.at === null ? null : ports.at + n * MICROS_PER_MILLISECOND
    const done = await expireOne(subject, { ...service, at }, override).catch(nullWhereDone)
    if (done !== null) performed.push(done)
  }
  return performed
}

/** Somebody else has recorded the same expiry, or withdrawn the record, since it was looked for. */
function nullWhereDone(error: unknown): null {
  if (isServiceError(error, 'REVIEW_STATE_CONFLICT')) return null
  throw error
}

function expireOne(subject: ReviewSubject, ports: ReviewPorts, override: ReviewRow): Promise<Performed> {
  const { expires_at: at } = override.override as { readonly expires_at: string }
  return performAct(subject, ports, async (session) => {
    const head = await findHead(session, subject, String(override[subject.id_field]))
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
  })
}

/** Only what is in force, or may come into force, can be overridden. */
function refuseFinal(subject: ReviewSubject, head: ReviewRow): void {
  if (head.review_state === 'approved' || head.review_state === 'disputed') return
  const record_id = String(head[subject.id_field])
  throw new ServiceError(
    'REVIEW_STATE_CONFLICT',
    `${record_id} is ${head.review_state}; allowed to override: a record that is approved or disputed`,
    { record_id, review_state: head.review_state },
  )
}
