import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { durationMicros, formatMicros, type Micros } from '../../primitives/instants.ts'
import { IMPACT_KINDS } from '../../vocabulary/governance.ts'
import { baseHashOf } from './base-of-change.ts'
import { recordHash } from './documents.ts'
import { agreedAttestation, hasImpact } from './impact/agreed-impact.ts'
import { isStatusKind, startOf } from './index-change.ts'
import type { GovernanceState, Proposal } from './proposal.ts'
import { PROPOSAL_MOVES } from './proposal-states.ts'

/** Longest time by which the start of an emergency may have passed when it is proposed: somebody writes and signs the form meanwhile. */
const EMERGENCY_START_AGE = durationMicros('PT1H')

/**
 * Refuses what a new proposal may not do. Acts of earlier releases are decided again without it, because they could.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, REVIEW_STATE_CONFLICT, GOVERNANCE_BASE_STALE, GOVERNANCE_IMPACT_REQUIRED
 */
export function checkNewProposal(state: GovernanceState, proposal: Proposal): void {
  refuseOlderMethodology(state, proposal)
  refuseUnchanged(state, proposal)
  refuseEmergency(state, proposal)
  if (isStatusKind(proposal.kind)) checkStatusStart(proposal)
  if (proposal.kind === 'cessation') checkSubstitute(proposal)
  if (proposal.kind === 'index_adoption') checkOnlyAdoption(state, proposal)
  checkNamedImpact(state, proposal)
}

/** Refuses a methodology that is not compared with its newest version: its class would be that of another change. */
function refuseOlderMethodology(state: GovernanceState, proposal: Proposal): void {
  if (proposal.kind !== 'methodology') return
  const newest = baseHashOf(state, proposal)
  if (proposal.base_hash === newest) return
  const seen = proposal.base_hash ?? 'none'
  throw notAllowed('GOVERNANCE_BASE_STALE', 'base_hash', seen, `${newest}, the hash of the newest ${proposal.target}`)
}

type Urgent = Pick<Proposal, 'kind' | 'target' | 'base_hash' | 'content' | 'emergency'>

/**
 * Refuses an emergency that no new proposal may invoke.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, REVIEW_STATE_CONFLICT
 */
export function refuseEmergency(state: GovernanceState, change: Urgent): void {
  refuseLapsedEmergency(state, change)
  refuseEmergencyOverAnother(state, change)
  refuseUrgentEnd(change)
}

/** Refuses a roster or policy that is the one in force but for its number: signing it would change nothing. */
function refuseUnchanged({ rosters, policies }: GovernanceState, { kind, content }: Proposal): void {
  if (kind !== 'roster' && kind !== 'policy') return
  const before = (kind === 'roster' ? rosters : policies).at(-1)
  if (before === undefined) return
  const { version, previous_hash } = before.document
  if (recordHash({ ...content, version, previous_hash }) !== before.record_hash) return
  const allowed = `a ${kind} that differs from version ${version}, if only in its expires_at`
  throw notAllowed('VALIDATION_DEFINITION_INVALID', kind, `that of version ${version}, unchanged`, allowed)
}

/**
 * Refuses an emergency that does again what a lapsed one did: invoked again and again, it would never need its ratification. Its start,
 * code, name and words make it no other act; a version of an index is the same act whatever its weights.
 */
function refuseLapsedEmergency({ proposals }: GovernanceState, proposal: Urgent): void {
  if (proposal.emergency === null) return
  const alike = [...proposals.values()].filter((one) => isSameAct(one, proposal))
  const lapsed = alike.findLast(({ state }) => state === 'lapsed')
  if (lapsed === undefined) return
  // A like change that came into force since had its notice, or its ratification.
  const since = lapsed.lapses_at ?? lapsed.proposed_at
  if (alike.some((one) => one.state === 'effective' && one.lapses_at === null && one.proposed_at >= since)) return
  const seen = `${proposal.emergency}, for the act of ${lapsed.proposal_id}, which lapsed without ratification`
  throw notAllowed('REVIEW_STATE_CONFLICT', 'emergency', seen, 'none, for that act: a proposal with its notice')
}

/** Refuses an emergency over one that is not ratified: one on another, they would rest on nothing that had its signatures or notice. */
function refuseEmergencyOverAnother({ proposals }: GovernanceState, { emergency, target, base_hash }: Urgent): void {
  if (emergency === null) return
  const base = [...proposals.values()].find(
    (one) =>
      one.target === target &&
      one.state === 'effective' &&
      one.lapses_at !== null &&
      recordHash(one.content) === base_hash,
  )
  if (base === undefined) return
  const allowed = 'an emergency after its ratification or its lapse, or a proposal with its notice'
  throw notAllowed(
    'REVIEW_STATE_CONFLICT',
    'emergency',
    `${emergency}, over ${base.proposal_id}, not ratified`,
    allowed,
  )
}

/** Refuses to end an index by an emergency: whoever holds it needs the notice, and an end is not taken back. */
function refuseUrgentEnd({ emergency, content }: Urgent): void {
  if (emergency === null || content.status !== 'archived') return
  throw notAllowed('VALIDATION_DEFINITION_INVALID', 'emergency', emergency, 'none, for the end of an index')
}

/** Reports whether two proposals do the same to the same record; of a status, whether they give the same one. */
function isSameAct(a: Urgent, b: Urgent): boolean {
  return a.kind === b.kind && a.target === b.target && a.content.status === b.content.status
}

/**
 * Refuses an impact that the runners do not agree on, or that is of another class, for a kind that need not have one. The impact of a
 * version decides its class, and is checked with it.
 */
function checkNamedImpact(state: GovernanceState, proposal: Proposal): void {
  const { kind, change_class, emergency } = proposal
  if (kind === 'index_version' || !IMPACT_KINDS.some((one) => one === kind) || !hasImpact(state, proposal)) return
  const attested = agreedAttestation(state, proposal).change_class
  if (attested === change_class || emergency !== null) return
  const allowed = `${change_class}, the class of the change: an impact that runners sign anew`
  throw notAllowed('GOVERNANCE_IMPACT_REQUIRED', 'change_class', attested, allowed)
}

/** Refuses a status that begins before its notice can end; an emergency may begin at once. */
function checkStatusStart(proposal: Proposal): void {
  const is_emergency = proposal.emergency !== null
  const earliest = is_emergency ? proposal.proposed_at - EMERGENCY_START_AGE : noticeEnd(proposal)
  if (startOf(proposal.content) >= earliest) return
  const why = is_emergency ? 'an hour before it is proposed' : 'when its notice can have ended'
  const seen = String(proposal.content.effective_from)
  const allowed = `${formatMicros(earliest)} or later, ${why}`
  throw notAllowed('VALIDATION_DEFINITION_INVALID', 'effective_from', seen, allowed)
}

/** Refuses an index as its own substitute: who holds it would have none. */
function checkSubstitute({ content: { index_id, substitute_index_id } }: Proposal): void {
  if (substitute_index_id !== index_id) return
  const allowed = 'an index that does not end with it, or null'
  throw notAllowed('VALIDATION_DEFINITION_INVALID', 'substitute_index_id', String(substitute_index_id), allowed)
}

function noticeEnd({ proposed_at, comment_ends_at, vote_ends_at, rule }: Proposal): Micros {
  return Math.max(proposed_at, comment_ends_at, vote_ends_at ?? 0) + durationMicros(rule?.notice ?? 'PT0S')
}

/** Refuses to adopt an index while its adoption is decided: only one of both could take effect. */
function checkOnlyAdoption({ proposals }: GovernanceState, { proposal_id, kind, target }: Proposal): void {
  const other = [...proposals.values()].find((one) => one.kind === kind && one.target === target && isRunning(one))
  if (other === undefined || other.proposal_id === proposal_id) return
  const message = `index ${target} has the running proposal ${other.proposal_id}; allowed: another one after it has ended`
  throw new ServiceError('REVIEW_STATE_CONFLICT', message, { field: 'index_id', value: target })
}

function isRunning({ state }: Proposal): boolean {
  return state !== 'draft' && state !== 'effective' && PROPOSAL_MOVES[state].expire.length > 0
}
