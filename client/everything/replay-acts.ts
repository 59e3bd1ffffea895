import type { GovernanceAct } from '../../pipelines/governance/acts.ts'
import { holdsCorrections } from '../../pipelines/governance/late-revision.ts'
import { type GovernanceState, NO_GOVERNANCE, type Proposal } from '../../pipelines/governance/proposal.ts'
import { type ActRecord, replayAct, verifyAct } from '../../pipelines/governance/replay-act.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { GovernanceAct as ActResource } from '../../protocol/resources/governance.ts'
import type { Findings } from './report.ts'

/** Governance as it follows from the acts. */
export type ReplayedGovernance = {
  readonly state: GovernanceState
  /** Every state of every proposal with the act that led to it, first to last. */
  readonly history: ReadonlyMap<string, readonly { readonly proposal: Proposal; readonly act_id: string }[]>
  /** Returns when an act on a proposal was recorded; null: never. */
  recordedAt(proposal_id: string, act: string): Micros | null
  /** Returns when an approved adoption began to hold late corrections back; null: never, or its approval does not say so. */
  heldAt(proposal_id: string): Micros | null
}

type Verified = { readonly act: GovernanceAct; readonly record: ActRecord }

/**
 * Decides every act again, from the acts before it: its signature, that it could follow them, and its effect. It ends at the first act
 * that could not follow: nothing is known of the state after it.
 * @param acts  recorded acts in the order of their publication
 */
export function replayActs(acts: readonly ActResource[], findings: Findings): ReplayedGovernance {
  const history = new Map<string, { readonly proposal: Proposal; readonly act_id: string }[]>()
  const times = new Map<string, Micros>()
  const held = new Map<string, Micros>()
  let state = NO_GOVERNANCE
  for (const resource of acts) {
    const verified = verifySigned(resource, findings)
    if (verified === null || findings.hasFailed('acts')) continue
    const { act, record } = verified
    findings.count('acts')
    try {
      const { decision, state: after } = replayAct(state, act, record)
      state = after
      times.set(`${act.subject_id} ${act.act}`, record.recorded_at)
      if (holdsCorrections(act)) held.set(act.subject_id, record.recorded_at)
      if ('proposal' in decision) {
        const { proposal } = decision
        const known = history.get(proposal.proposal_id) ?? []
        history.set(proposal.proposal_id, [...known, { proposal, act_id: record.act_id }])
      }
    } catch (error) {
      if (!isServiceError(error)) throw error
      findings.fail('acts', record.act_id, error.message)
    }
  }
  const recordedAt = (proposal_id: string, act: string) => times.get(`${proposal_id} ${act}`) ?? null
  return { state, history, recordedAt, heldAt: (proposal_id) => held.get(proposal_id) ?? null }
}

/** Checks the id and the signature of an act. @returns null: they are not those of its text */
function verifySigned({ recorded_at, ...resource }: ActResource, findings: Findings): Verified | null {
  findings.count('act_signatures')
  try {
    const record = { ...resource, recorded_at: toMicros(recorded_at, 'recorded_at') }
    return { act: verifyAct(record), record }
  } catch (error) {
    if (!isServiceError(error)) throw error
    findings.fail('act_signatures', resource.act_id, error.message)
    return null
  }
}
