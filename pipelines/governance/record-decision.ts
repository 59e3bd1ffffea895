import type { Micros } from '../../primitives/instants.ts'
import type { EligibilityPolicy } from '../eligibility/policy.ts'
import type { Decision } from './decide.ts'
import type { Adopted, PolicyDocument, RosterDocument } from './documents.ts'
import { isStatusKind, statusIn } from './index-change.ts'
import { enactedWith } from './lapse.ts'
import type { Change, GovernanceState, Proposal } from './proposal.ts'
import { contentHashOf } from './propose.ts'

/** Returns the state after a decision that was recorded at an instant. */
export function recordDecision(state: GovernanceState, decision: Decision, at: Micros): GovernanceState {
  if ('attestation' in decision) {
    const { change_id, runner, attestation } = decision
    const of_change = new Map(state.attestations.get(change_id)).set(runner, attestation)
    return { ...state, attestations: new Map(state.attestations).set(change_id, of_change) }
  }
  const { proposal } = decision
  const before = state.proposals.get(proposal.proposal_id)
  const next = { ...state, proposals: new Map(state.proposals).set(proposal.proposal_id, proposal) }
  if (proposal.state === before?.state) return next
  if (proposal.state === 'lapsed') return afterLapse(next, proposal)
  if (proposal.state !== 'effective') return next
  return inForce({ ...next, enacted: [...next.enacted, proposal.proposal_id] }, proposal, at)
}

/** Returns the document that a proposal put in force; null: it is a change of an index or methodology. */
export function adoptedBy(
  proposal: Proposal,
  at: Micros,
): Adopted<RosterDocument> | Adopted<PolicyDocument> | Adopted<EligibilityPolicy> | null {
  const { kind, proposal_id, content } = proposal
  if (kind !== 'roster' && kind !== 'policy' && kind !== 'eligibility_policy') return null
  const document = content as unknown as RosterDocument | PolicyDocument
  return { document, record_hash: contentHashOf(proposal), proposal_id, effective_from: at } as Adopted<RosterDocument>
}

function inForce(state: GovernanceState, proposal: Proposal, at: Micros): GovernanceState {
  if (proposal.kind === 'restatement') return state
  const heads = new Map(state.heads).set(proposal.target, contentHashOf(proposal))
  const adopted = adoptedBy(proposal, at)
  if (adopted === null) return { ...state, heads, statuses: statusesAfter(state, proposal, proposal) }
  if (proposal.kind === 'eligibility_policy') {
    const { document } = adopted as Adopted<EligibilityPolicy>
    return { ...state, heads, eligibility: new Map(state.eligibility).set(proposal.target, document) }
  }
  return proposal.kind === 'roster'
    ? { ...state, heads, rosters: [...state.rosters, adopted as Adopted<RosterDocument>] }
    : { ...state, heads, policies: [...state.policies, adopted as Adopted<PolicyDocument>] }
}

/** Puts the content in force that a lapse returns to, unless another change has replaced the lapsed one meanwhile. */
function afterLapse(state: GovernanceState, proposal: Proposal): GovernanceState {
  const { target, returned } = proposal
  if (returned === null) return state
  const heads = new Map(state.heads).set(target, returned.hash)
  const base = enactedWith(state, target, returned.hash)
  return { ...state, heads, statuses: statusesAfter(state, proposal, base) }
}

/** Returns the statuses after a change. @param in_force content in force from now on; null: the first status, which is active */
function statusesAfter({ statuses }: GovernanceState, { kind, content }: Proposal, in_force: Change | null) {
  if (!isStatusKind(kind)) return statuses
  const status = in_force === null ? 'active' : statusIn(in_force.kind, in_force.content)
  return new Map(statuses).set(String(content.index_id), status)
}
