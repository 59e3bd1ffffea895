import { isObject } from '../../primitives/canonical-json.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { canonicalInstant, type Instant } from '../../primitives/instants.ts'
import { plainLines } from '../../primitives/plain-text.ts'
import {
  COMPLAINT_OUTCOMES,
  COMPLAINT_SUBJECTS,
  COMPLAINT_TEXT_MAX,
  type ComplaintOutcome,
  type ComplaintState,
  type ComplaintSubject,
  type NoticeActName,
} from '../../vocabulary/notices.ts'
import type { Roster } from '../governance/roster.ts'
import { HANDLERS, hasRole, type NoticeAct, type NoticeRequest, noticeActor } from './notice-act.ts'

/** A complaint as filed. It is not public: its text may hurt somebody, and it names how to reach whoever filed it. */
export type FiledComplaint = {
  readonly complaint_id: string
  readonly filed_at: Instant
  readonly subject_kind: ComplaintSubject
  readonly subject_id: string | null
  readonly text: string
  /** Address of whoever filed it; null: none was given. */
  readonly contact: string | null
}

/** A complaint after the acts on it; before the first one it is not public. */
export type Complaint = {
  readonly complaint_id: string
  readonly revision: number
  readonly state: ComplaintState
  readonly subject_kind: ComplaintSubject
  /** Record that it is about; null: none is named. */
  readonly subject_id: string | null
  /** Text as cleared for publication; null: publication was declined. */
  readonly text: string | null
  /** SHA-256 of the text as filed: whoever filed it can prove what it said. */
  readonly text_sha256: string
  readonly is_redacted: boolean
  readonly filed_at: Instant
  readonly handler: string | null
  readonly outcome: ComplaintOutcome | null
  /** Reason of the outcome, or of the refusal to publish. */
  readonly reason: string | null
  /** Proposal that the outcome led to, such as a restatement; null: none is named. */
  readonly proposal_id: string | null
}

type ComplaintAct = Exclude<NoticeActName, 'publish_notice'>

/** Complete transition table: the state that an act leads to; an act that is not listed is refused. */
export const COMPLAINT_MOVES: Readonly<
  Record<ComplaintState, Readonly<Partial<Record<ComplaintAct, ComplaintState>>>>
> = {
  received: { publish_complaint: 'published', decline_complaint: 'declined' },
  published: { assign_complaint: 'assigned' },
  assigned: { assign_complaint: 'assigned', resolve_complaint: 'resolved' },
  declined: {},
  resolved: {},
}

/** Facts that an act is decided from: the people in office, and those who took part in the matter before. */
export type ComplaintContext = { readonly roster: Roster; readonly involved: ReadonlySet<string> }

/**
 * Returns the complaint after an act, whose signature was checked.
 * @param before null: it was received, and is not public
 * @throws {ServiceError} REVIEW_NOT_ALLOWED, REVIEW_STATE_CONFLICT, VALIDATION_DEFINITION_INVALID
 */
export function decideComplaint(
  before: Complaint | null,
  request: NoticeRequest,
  { roster, involved }: ComplaintContext,
): Complaint {
  const { act } = request
  const actor = noticeActor(roster, request)
  const from = before?.state ?? 'received'
  const state = COMPLAINT_MOVES[from][act.act as ComplaintAct]
  if (state === undefined) {
    const allowed = Object.keys(COMPLAINT_MOVES[from]).join(', ') || 'no further act'
    throw notAllowed('REVIEW_STATE_CONFLICT', act.subject_id, `${from}, in which ${act.act} is refused`, allowed)
  }
  if (before === null) return firstOf(act, state)
  const next = { ...before, revision: before.revision + 1, state }
  if (act.act === 'assign_complaint') {
    const handler = textOf(act, 'handler', 128)
    requireHandler(roster, handler)
    refuseInvolved(handler, involved)
    return { ...next, handler }
  }
  if (actor.actor_id !== before.handler)
    throw notAllowed('REVIEW_NOT_ALLOWED', 'actor', actor.actor_id, `${before.handler}, to whom it is assigned`)
  refuseInvolved(actor.actor_id, involved)
  return {
    ...next,
    outcome: oneOf(act, 'outcome', COMPLAINT_OUTCOMES),
    reason: textOf(act, 'reason', 4000),
    proposal_id: proposalOf(act),
  }
}

/** Returns a complaint as its moderator signs it: everything that becomes public is in the signed text. */
function firstOf(act: NoticeAct, state: ComplaintState): Complaint {
  const { subject_id, is_redacted, text_sha256, filed_at } = act.details
  const is_published = state === 'published'
  if (typeof text_sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(text_sha256))
    throw invalid('text_sha256', text_sha256, 'a SHA-256 as 64 lower-case hex digits')
  if (subject_id !== null && typeof subject_id !== 'string') throw invalid('subject_id', subject_id, 'an id, or null')
  return {
    complaint_id: act.subject_id,
    revision: 1,
    state,
    subject_kind: oneOf(act, 'subject_kind', COMPLAINT_SUBJECTS),
    subject_id,
    text: is_published ? textOf(act, 'text', COMPLAINT_TEXT_MAX) : null,
    text_sha256,
    is_redacted: is_redacted === true,
    filed_at: canonicalInstant(filed_at, 'filed_at'),
    handler: null,
    outcome: null,
    reason: is_published ? null : textOf(act, 'reason', 4000),
    proposal_id: null,
  }
}

/** Returns the proposal that an outcome names; a rejected complaint leads to none. */
function proposalOf({ details }: NoticeAct): string | null {
  const { proposal_id = null, outcome } = details
  if (proposal_id === null) return null
  if (typeof proposal_id !== 'string' || !/^prp_[0-9a-f]{64}$/.test(proposal_id))
    throw invalid('proposal_id', proposal_id, 'the prp_... id of a proposal, or none')
  if (outcome === 'rejected') throw invalid('proposal_id', proposal_id, 'none: the complaint is rejected')
  return proposal_id
}

function requireHandler({ members }: Roster, handler: string): void {
  const member = members.find(({ actor_id }) => actor_id === handler)
  if (member !== undefined && hasRole(member, HANDLERS)) return
  const seen = member === undefined ? `${handler}, who is not in the roster` : `${handler} (${member.roles.join(', ')})`
  throw notAllowed('REVIEW_NOT_ALLOWED', 'handler', seen, `a member with a role of ${HANDLERS.join(', ')}`)
}

/** Refuses people who decided about the matter: nobody judges their own work. */
function refuseInvolved(actor_id: string, involved: ReadonlySet<string>): void {
  if (!involved.has(actor_id)) return
  const allowed = 'a member who took no part in it'
  throw notAllowed('REVIEW_NOT_ALLOWED', 'handler', `${actor_id}, who took part in the matter`, allowed)
}

function oneOf<T extends string>({ details }: NoticeAct, field: string, values: readonly T[]): T {
  const known = values.find((value) => value === details[field])
  if (known !== undefined) return known
  throw invalid(field, details[field], values.join(', '))
}

function textOf({ details }: NoticeAct, field: string, longest: number): string {
  const value = details[field]
  if (typeof value === 'string' && value.length >= 1 && value.length <= longest && plainLines(value) === value)
    return value
  throw invalid(field, value, `1 to ${longest} characters without control characters`)
}

function invalid(field: string, value: unknown, allowed: string) {
  const seen = isObject(value) ? 'an object' : (JSON.stringify(value) ?? 'missing').slice(0, 80)
  return notAllowed('VALIDATION_DEFINITION_INVALID', `${field} of the act`, seen, allowed)
}
