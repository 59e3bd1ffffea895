import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, INSTANT_ALLOWED, type Micros, microsOf } from '../../primitives/instants.ts'
import type { ProposalKind } from '../../vocabulary/governance.ts'
import type { GovernedStatus } from '../../vocabulary/index-level.ts'
import { INDEX_MOVES } from '../index/index-status.ts'
import { isReasonCode, REASON_CODES } from '../review/reason-code.ts'
import { recordHash } from './documents.ts'
import type { Change, GovernanceState, Proposal } from './proposal.ts'
import { readRestatement } from './restatement.ts'

/** Returns the statuses that a proposal may give an index. One that still publishes ends by a cessation alone. */
function statusMoves(before: GovernedStatus): readonly string[] {
  return INDEX_MOVES[before].filter((to) => before !== 'active' || to !== 'archived')
}

/** Kinds that an emergency may be invoked for. */
const EMERGENCY_KINDS: readonly ProposalKind[] = ['index_version', 'index_status']

/** Kinds that change the status of an index; they take effect at their own instant, once their notice has ended. */
export function isStatusKind(kind: ProposalKind): boolean {
  return kind === 'index_status' || kind === 'cessation'
}

/** Returns the target of the status of an index: it changes beside the versions. */
function statusTarget(index_id: string): string {
  return `${index_id}:status`
}

/** Returns the target of corrections of an index: each names the levels that it replaces, so none follows another. */
function levelsTarget(index_id: string): string {
  return `${index_id}:levels`
}

/** Returns what a change is about: a roster, a policy, an eligibility policy, an index, its status or levels, or a methodology. */
export function targetOf(kind: ProposalKind, content: Change['content']): string {
  if (kind === 'roster' || kind === 'policy') return kind
  if (kind === 'methodology') return idOf(content, 'methodology_id', 'mth')
  if (kind === 'eligibility_policy') return idOf(content, 'policy_id', 'pol')
  const index_id = idOf(content, 'index_id', 'idx')
  if (kind === 'restatement') return levelsTarget(index_id)
  return isStatusKind(kind) ? statusTarget(index_id) : index_id
}

/** Returns the status that governance gave an index. */
export function statusOf({ statuses }: GovernanceState, index_id: string): GovernedStatus {
  return statuses.get(index_id) ?? 'active'
}

/** Reports whether the versions of an index are decided by proposals; it never ends. */
export function isGoverned({ heads }: GovernanceState, index_id: string): boolean {
  return heads.has(index_id)
}

/** Returns the adoption of an index that is approved and not in force yet; null: there is none. */
export function approvedAdoption({ proposals }: GovernanceState, index_id: string): Proposal | null {
  const isApproved = ({ kind, target, state }: Proposal) =>
    kind === 'index_adoption' && target === index_id && (state === 'approved' || state === 'queued')
  return [...proposals.values()].find(isApproved) ?? null
}

/** Returns the status that a content puts in force. */
export function statusIn(kind: ProposalKind, content: Change['content']): GovernedStatus {
  return kind === 'cessation' ? 'archived' : (String(content.status) as GovernedStatus)
}

/** Returns the proposal of a target whose content has a hash; null: there is none. */
export function proposalOfHash({ proposals }: GovernanceState, target: string, hash: string | null): Proposal | null {
  if (hash === null) return null
  return [...proposals.values()].find((one) => one.target === target && recordHash(one.content) === hash) ?? null
}

/** Returns the instant at which a content begins. */
export function startOf({ effective_from }: Change['content']): Micros {
  const at = microsOf(effective_from)
  if (at !== null) return at
  throw invalid('effective_from', JSON.stringify(effective_from) ?? 'missing', INSTANT_ALLOWED)
}

/**
 * Refuses a change of an index or methodology that the state does not allow.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, REVIEW_STATE_CONFLICT
 */
export function checkIndexChange(state: GovernanceState, { kind, base_hash, content, emergency }: Change): void {
  checkEmergency(kind, base_hash, emergency)
  if (kind === 'methodology') {
    checkName(content)
    return
  }
  const index_id = idOf(content, 'index_id', 'idx')
  if (kind === 'restatement') {
    // Levels of an index that has ended stay published, so they can still be wrong.
    if (!isGoverned(state, index_id)) throw notGoverned(index_id, approvedAdoption(state, index_id))
    readRestatement(content)
    return
  }
  const status = statusOf(state, index_id)
  if (status === 'archived') throw conflict(index_id, 'archived', 'an index that has not ended')
  startOf(content)
  if (kind === 'index_version' || kind === 'index_adoption') checkName(content)
  if (kind === 'index_version') return
  if (kind === 'index_adoption') {
    if (isGoverned(state, index_id)) throw conflict(index_id, 'governed already', 'an index that is not')
    return
  }
  if (!isGoverned(state, index_id)) throw conflict(index_id, 'not governed', 'a governed index, or one that is adopted')
  if (kind === 'cessation') checkCessation(content)
  else checkStatusMove(status, content)
}

/** Refuses a restatement without governance. From the approval of an adoption on, late corrections wait for a vote already. */
function notGoverned(index_id: string, adoption: Proposal | null): ServiceError {
  if (adoption === null) return conflict(index_id, 'not governed', 'tidemark index correct, without a vote')
  const { proposal_id, effective_at } = adoption
  const until = effective_at === null ? '' : `, at ${formatMicros(effective_at)}`
  return conflict(index_id, 'not governed yet', `this proposal once its adoption ${proposal_id} is in force${until}`)
}

const EMERGENCY_CODES = `${REASON_CODES}, such as VENUE_OUTAGE`

/** Refuses a code that is none, and an emergency for a change that cannot have one. @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function checkEmergency(kind: ProposalKind, base_hash: string | null, emergency: string | null): void {
  if (emergency === null) return
  if (!EMERGENCY_KINDS.includes(kind)) throw invalid('emergency', emergency, `none, for a ${kind}`)
  if (!isReasonCode(emergency)) throw invalid('emergency', emergency, EMERGENCY_CODES)
  if (kind === 'index_version' && base_hash === null)
    throw invalid('emergency', emergency, 'none, for a new index: nothing is in force to return to')
}

function checkStatusMove(before: GovernedStatus, { status }: Change['content']): void {
  const allowed = statusMoves(before)
  if (!allowed.some((one) => one === status))
    throw invalid('status', JSON.stringify(status) ?? 'missing', `${allowed.join(', ')}, from ${before}`)
}

function checkCessation({ final_value, substitute_index_id }: Change['content']): void {
  if (typeof final_value !== 'string' || final_value.length < 1 || final_value.length > 4000)
    throw invalid('final_value', JSON.stringify(final_value) ?? 'missing', 'how the final value is made, as text')
  if (substitute_index_id !== null && (typeof substitute_index_id !== 'string' || !/^idx_/.test(substitute_index_id)))
    throw invalid('substitute_index_id', JSON.stringify(substitute_index_id) ?? 'missing', 'an idx_... id, or null')
}

function checkName({ version }: Change['content']): void {
  if (typeof version !== 'string' || version.length === 0 || version.length > 128)
    throw invalid('version', JSON.stringify(version) ?? 'missing', 'the name of a version')
}

function idOf(content: Change['content'], field: 'index_id' | 'methodology_id' | 'policy_id', prefix: string): string {
  const id = content[field]
  if (typeof id === 'string' && id.startsWith(`${prefix}_`) && id.length <= 128) return id
  throw invalid(field, JSON.stringify(id) ?? 'missing', `a ${prefix}_... id`)
}

function conflict(index_id: string, seen: string, allowed: string): ServiceError {
  return new ServiceError('REVIEW_STATE_CONFLICT', `index ${index_id} is ${seen}; allowed: ${allowed}`, {
    field: 'index_id',
    value: index_id,
  })
}

function invalid(field: string, value: string, allowed: string): ServiceError {
  return notAllowed('VALIDATION_DEFINITION_INVALID', field, value.slice(0, 80), allowed)
}
