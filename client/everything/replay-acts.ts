import { type GovernanceAct, governanceActId, parseGovernanceAct } from '../../pipelines/governance/acts.ts'
import { type Decision, decideAct } from '../../pipelines/governance/decide.ts'
import { type DueAct, moveDue, nextDue, refusedActivation } from '../../pipelines/governance/due.ts'
import { type GovernanceState, NO_GOVERNANCE, type Proposal } from '../../pipelines/governance/proposal.ts'
import { recordDecision } from '../../pipelines/governance/record-decision.ts'
import { SERVICE_NAME } from '../../pipelines/governance/roster-form.ts'
import { isEd25519 } from '../../pipelines/transparency/signed-note.ts'
import { isServiceError, notAllowed } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { GovernanceAct as ActResource } from '../../protocol/resources/governance.ts'
import { PRECONDITION_BROKEN } from '../../vocabulary/governance.ts'
import type { Findings } from './report.ts'

/** Governance as it follows from the acts. */
export type ReplayedGovernance = {
  readonly state: GovernanceState
  /** Every state of every proposal with the act that led to it, first to last. */
  readonly history: ReadonlyMap<string, readonly { readonly proposal: Proposal; readonly act_id: string }[]>
  /** Returns when an act on a proposal was recorded; null: never. */
  recordedAt(proposal_id: string, act: string): Micros | null
}

type Recorded = { readonly act: GovernanceAct; readonly recorded_at: Micros; readonly resource: ActResource }

/**
 * Decides every act again, from the acts before it: its signature, that it could follow them, and its effect. It ends at the first act
 * that could not follow: nothing is known of the state after it.
 * @param acts  recorded acts in the order of their publication
 */
export function replayActs(acts: readonly ActResource[], findings: Findings): ReplayedGovernance {
  const history = new Map<string, { readonly proposal: Proposal; readonly act_id: string }[]>()
  const times = new Map<string, Micros>()
  let state = NO_GOVERNANCE
  for (const resource of acts) {
    const recorded = checkSigned(resource, findings)
    if (recorded === null || findings.hasFailed('acts')) continue
    const { act, recorded_at } = recorded
    findings.count('acts')
    try {
      const decision = decisionOf(state, recorded)
      state = recordDecision(state, decision, recorded_at)
      times.set(`${act.subject_id} ${act.act}`, recorded_at)
      if ('proposal' in decision) {
        const { proposal } = decision
        const known = history.get(proposal.proposal_id) ?? []
        history.set(proposal.proposal_id, [...known, { proposal, act_id: resource.act_id }])
      }
    } catch (error) {
      if (!isServiceError(error)) throw error
      findings.fail('acts', resource.act_id, error.message)
    }
  }
  return { state, history, recordedAt: (proposal_id, act) => times.get(`${proposal_id} ${act}`) ?? null }
}

/** Checks the id and the signature of an act. @returns null: they are not those of its text */
function checkSigned(resource: ActResource, findings: Findings): Recorded | null {
  const { act_id, signed_text, public_key, signature, recorded_at } = resource
  findings.count('act_signatures')
  try {
    const act = parseGovernanceAct(signed_text)
    const is_of_service = act.actor_id === SERVICE_NAME && public_key === null && signature === null
    if (governanceActId(act) !== act_id) findings.fail('act_signatures', act_id, 'its id is not that of its text')
    else if (!is_of_service && !isSignedBy(signed_text, signature, public_key))
      findings.fail('act_signatures', act_id, `the signature is not one of ${act.actor_id} over the text`)
    else return { act, recorded_at: toMicros(recorded_at, 'recorded_at'), resource }
  } catch (error) {
    if (!isServiceError(error)) throw error
    findings.fail('act_signatures', act_id, error.message)
  }
  return null
}

function isSignedBy(text: string, signature: string | null, public_key: string | null): boolean {
  if (public_key === null || !/^[0-9a-f]{64}$/.test(public_key)) return false
  if (signature === null || !/^[0-9a-f]{128}$/.test(signature)) return false
  return isEd25519(Buffer.from(public_key, 'hex'), text, Buffer.from(signature, 'hex'))
}

/** Decides one act. An act of the service must have been due. @throws {ServiceError} it could not follow */
function decisionOf(state: GovernanceState, { act, recorded_at, resource }: Recorded): Decision {
  if (resource.public_key !== null)
    return decideAct(state, { act, public_key: resource.public_key, recorded_at }).decision
  const due = dueAs(act, nextDue(state, recorded_at))
  if (due === null) throw notAllowed('REVIEW_STATE_CONFLICT', `${act.act} by the service`, 'not due', 'what was due')
  return { proposal: moveDue(state, due, recorded_at) }
}

/** Returns what an act of the service had to be due as; null: nothing. An activation may have been refused by published records. */
function dueAs({ act, subject_id, details }: GovernanceAct, due: DueAct | null): DueAct | null {
  if (due === null || due.proposal_id !== subject_id) return null
  if (due.act === act) return due
  return due.act === 'activate' && details.reason === PRECONDITION_BROKEN ? refusedActivation(due) : null
}
