import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { expireDraft, moveDraft, overrideDraft, type PlainMove, upholdDraft } from './drafts.ts'
import { findEndedOverrides } from './find-records.ts'
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
  request: { readonly act: PlainMove; readonly record_id: string; readonly text: string | null },
): Promise<Performed> {
  const { act, record_id, text } = request
  return performAct(subject, ports, { act, record_id, details: { text } }, (session) =>
    moveDraft(session, subject, request),
  )
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
  const { record_id, ...details } = request
  return performAct(subject, ports, { act: 'uphold_dispute', record_id, details }, async (session) => {
    const until = request.until === null ? null : toMicros(request.until, 'until')
    return upholdDraft(session, subject, { ...request, until })
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
  const { record_id, ...details } = request
  return performAct(subject, ports, { act: 'override', record_id, details }, async (session, { now }) => {
    const starts_at = request.starts_at === null ? now : toMicros(request.starts_at, 'starts_at')
    const expires_at = toMicros(request.expires_at, 'expires_at')
    return overrideDraft(session, subject, { ...request, starts_at, expires_at })
  })
}

/**
 * Records that approved overrides have ended: each is superseded by the model's own record of that time.
 * @returns one act per override
 */
export async function expireOverrides(
  subject: ReviewSubject,
  ports: Omit<ReviewPorts, 'signer' | 'roster' | 'deliver'>,
): Promise<readonly Performed[]> {
  const service: ReviewPorts = { ...ports, signer: null, roster: { members: [], expires_at: null } }
  await finishActs(subject, service)
  const now = ports.at ?? (await ports.warehouse.now())
  const ended = await withSession(ports.warehouse, subject, (session) => findEndedOverrides(session, subject, now))
  const performed: Performed[] = []
  for (const [n, override] of ended.entries()) {
    const at = ports.at === null ? null : ports.at + n * MICROS_PER_MILLISECOND
    const record_id = String(override[subject.id_field])
    const expire = performAct(subject, { ...service, at }, { act: 'expire', record_id, details: {} }, (session) =>
      expireDraft(session, subject, record_id),
    )
    const done = await expire.catch(nullWhereDone)
    if (done !== null) performed.push(done)
  }
  return performed
}

/** Somebody else has recorded the same expiry, or withdrawn the record, since it was looked for. */
function nullWhereDone(error: unknown): null {
  if (isServiceError(error, 'REVIEW_STATE_CONFLICT')) return null
  throw error
}
