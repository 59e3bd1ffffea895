import type { Micros } from '../../primitives/instants.ts'
import type { EligibilityPolicy } from '../eligibility/policy.ts'
import type { Decision } from './decide.ts'
import type { Adopted, PolicyDocument, RosterDocument } from './documents.ts'
import type { GovernanceState, Proposal } from './proposal.ts'
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
  if (proposal.state === 'lapsed')
    return { ...next, heads: new Map(state.heads).set(proposal.target, proposal.base_hash) }
  return proposal.state === 'effective' ? inForce(next, proposal, at) : next
}

/** Returns what a proposal put in force; null: it is the version of an index. */
export function adoptedBy(
  proposal: Proposal,
  at: Micros,
): Adopted<RosterDocument> | Adopted<PolicyDocument> | Adopted<EligibilityPolicy> | null {
  const { kind, proposal_id, content } = proposal
  if (kind === 'index_version') return null
  const document = content as unknown as RosterDocument | PolicyDocument
  return { document, record_hash: contentHashOf(proposal), proposal_id, effective_from: at } as Adopted<RosterDocument>
}

function inForce(state: GovernanceState, proposal: Proposal, at: Micros): GovernanceState {
  const heads = new Map(state.heads).set(proposal.target, contentHashOf(proposal))
  const adopted = adoptedBy(proposal, at)
  if (adopted === null) return { ...state, heads }
  if (proposal.kind === 'eligibility_policy') {
    const { document } = adopted as Adopted<EligibilityPolicy>
    return { ...state, heads, eligibility: new Map(state.eligibility).set(proposal.target, document) }
  }
  return proposal.kind === 'roster'
    ? { ...state, heads, rosters: [...state.rosters, adopted as Adopted<RosterDocument>] }
    : { ...state, heads, policies: [...state.policies, adopted as Adopted<PolicyDocument>] }
}
