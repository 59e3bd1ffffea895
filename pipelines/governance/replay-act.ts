import { notAllowed } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { PRECONDITION_BROKEN } from '../../vocabulary/governance.ts'
import { isEd25519 } from '../transparency/signed-note.ts'
import { type GovernanceAct, governanceActId, parseGovernanceAct } from './acts.ts'
import { type Decision, decideAct } from './decide.ts'
import { type DueAct, moveDue, nextDue, owedBefore, refusedActivation } from './due.ts'
import type { GovernanceState } from './proposal.ts'
import { recordDecision } from './record-decision.ts'
import type { Member } from './roster.ts'
import { SERVICE_NAME } from './roster-form.ts'

/** Act as it was recorded; the service signs nothing. */
export type ActRecord = {
  readonly act_id: string
  readonly signed_text: string
  readonly public_key: string | null
  readonly signature: string | null
  readonly recorded_at: Micros
}

/** Effect of an act: the decision, the state after it, and the roles of its actor then. */
export type ReplayedAct = {
  readonly decision: Decision
  readonly state: GovernanceState
  readonly roles: Member['roles']
}

/**
 * Returns the act of a record, whose id is that of its text and whose signature verifies.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, REVIEW_NOT_ALLOWED
 */
export function verifyAct(record: ActRecord): GovernanceAct {
  const act = parseGovernanceAct(record.signed_text)
  const id = governanceActId(act)
  if (id !== record.act_id) throw notAllowed('REVIEW_NOT_ALLOWED', 'act_id', record.act_id, `${id}, that of its text`)
  if (isOfService(act, record) || isSigned(record)) return act
  throw notAllowed('REVIEW_NOT_ALLOWED', 'signature', 'of another text or key', `that of ${act.actor_id}`)
}

/**
 * Decides a recorded act again from the state before it. An act of the service must have been due.
 * @throws {ServiceError} it could not follow
 */
export function replayAct(state: GovernanceState, act: GovernanceAct, record: ActRecord): ReplayedAct {
  const { recorded_at } = record
  const { decision, roles } = isOfService(act, record)
    ? { decision: { proposal: moveDue(state, requireDue(state, act, recorded_at), recorded_at) }, roles: [] }
    : decisionOf(state, act, record)
  return { decision, roles, state: recordDecision(state, decision, recorded_at) }
}

function isOfService({ actor_id }: GovernanceAct, { public_key, signature }: ActRecord): boolean {
  return actor_id === SERVICE_NAME && public_key === null && signature === null
}

function isSigned({ signed_text, public_key, signature }: ActRecord): boolean {
  if (public_key === null || !/^[0-9a-f]{64}$/.test(public_key)) return false
  if (signature === null || !/^[0-9a-f]{128}$/.test(signature)) return false
  return isEd25519(Buffer.from(public_key, 'hex'), signed_text, Buffer.from(signature, 'hex'))
}

function decisionOf(state: GovernanceState, act: GovernanceAct, { public_key, recorded_at }: ActRecord) {
  const { actor, decision } = decideAct(state, { act, public_key: String(public_key), recorded_at })
  return { decision, roles: actor.roles }
}

function requireDue(state: GovernanceState, act: GovernanceAct, at: Micros): DueAct {
  const due = dueAs(state, act, nextDue(state, at))
  if (due !== null) return due
  throw notAllowed('REVIEW_STATE_CONFLICT', `${act.act} by the service`, 'not due', 'what was due')
}

/** Returns what an act of the service had to be due as; null: nothing. An activation may have been refused by published records. */
function dueAs(state: GovernanceState, { act, subject_id, details }: GovernanceAct, due: DueAct | null): DueAct | null {
  if (due === null || due.proposal_id !== subject_id) return null
  if (due.act === act) return act === 'lapse' ? lapseAs(details, due) : due
  const before = owedBefore(state, due)
  if (before?.act === act) return before
  return due.act === 'activate' && details.reason === PRECONDITION_BROKEN ? refusedActivation(due) : null
}

/** Returns a lapse as its act states it: with what follows from the acts before, or of an earlier release, without. null: with another. */
function lapseAs({ head }: GovernanceAct['details'], { head: wanted, ...due }: DueAct): DueAct | null {
  if (head === undefined) return due
  return head === wanted ? { ...due, head } : null
}
