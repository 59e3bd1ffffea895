import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { durationMicros } from '../../primitives/instants.ts'
import type { GovernanceActName, ProposalState } from '../../vocabulary/governance.ts'
import type { GovernanceAct } from './acts.ts'
import { decideAttestation } from './attest.ts'
import { actorOf, type SignedRequest } from './authority.ts'
import type { RosterDocument } from './documents.ts'
import {
  type Attestation,
  type Change,
  type GovernanceState,
  type Proposal,
  policyInForce,
  type Vote,
} from './proposal.ts'
import { PROPOSAL_MOVES } from './proposal-states.ts'
import { planProposal } from './propose.ts'
import { isCarried, isRatified } from './quorum.ts'
import { changeOf, choiceOf, textOf } from './read-change.ts'
import type { Member } from './roster.ts'

/** Effect of an act: the proposal after it, or a runner's attestation. */
export type Decision =
  | { readonly proposal: Proposal }
  | { readonly change_id: string; readonly runner: string; readonly attestation: Attestation }

/**
 * Decides an act of a person, whose signature was checked. It changes nothing: `recordDecision` does.
 * @throws {ServiceError} REVIEW_NOT_ALLOWED, REVIEW_STATE_CONFLICT, GOVERNANCE_BASE_STALE, VALIDATION_DEFINITION_INVALID,
 *   GOVERNANCE_NOT_FOUND
 */
export function decideAct(
  state: GovernanceState,
  request: SignedRequest,
): { readonly actor: Member; readonly decision: Decision } {
  const { act, recorded_at } = request
  if (act.act === 'draft' || act.act === 'propose') {
    const change = changeOf(act)
    const actor = actorOf(state, request, proposedRoster(change))
    const by = { actor_id: actor.actor_id, at: recorded_at, is_draft: act.act === 'draft' }
    const proposal = planProposal(state, change, by)
    return { actor, decision: { proposal: act.act === 'draft' ? proposal : signedByProposer(proposal, request) } }
  }
  if (act.act === 'attest') return decideAttestation(state, request)
  const proposal = requireProposal(state, act)
  const actor = actorOf(state, request, proposedRoster(proposal))
  const next = nextState(proposal, act.act)
  const moved: Proposal = {
    ...proposal,
    ...changesOf(state, proposal, request),
    state: next,
    revision: proposal.revision + 1,
  }
  return { actor, decision: { proposal: act.act === 'vote' ? prolonged(state, proposal, moved, request) : moved } }
}

/** Returns the state after an act. @throws {ServiceError} REVIEW_STATE_CONFLICT */
export function nextState({ proposal_id, state }: Proposal, act: GovernanceActName): ProposalState {
  const [next] = PROPOSAL_MOVES[state][act]
  if (next !== undefined) return next
  throw new ServiceError('REVIEW_STATE_CONFLICT', `${proposal_id} is ${state}, in which ${act} is refused`, {
    proposal_id,
    state,
  })
}

/** Returns the roster that a change proposes; null: it is about something else. */
function proposedRoster({ kind, content }: Change): RosterDocument | null {
  return kind === 'roster' ? (content as unknown as RosterDocument) : null
}

/** An administrator who proposes a roster has signed it. */
function signedByProposer(proposal: Proposal, { act, public_key }: SignedRequest): Proposal {
  if (proposal.kind !== 'roster') return proposal
  const { actor_id, acted_at } = act
  return { ...proposal, votes: [{ actor_id, choice: 'approve', public_key, acted_at }] }
}

function requireProposal({ proposals }: GovernanceState, { kind, subject_id }: GovernanceAct): Proposal {
  const proposal = proposals.get(subject_id)
  if (proposal === undefined)
    throw notAllowed('GOVERNANCE_NOT_FOUND', 'proposal_id', subject_id, 'a proposal of GET /v1/governance/proposals')
  if (proposal.kind === kind) return proposal
  throw notAllowed('VALIDATION_DEFINITION_INVALID', 'kind', kind, `${proposal.kind}, the kind of ${subject_id}`)
}

function changesOf(state: GovernanceState, proposal: Proposal, request: SignedRequest): Partial<Proposal> {
  const { act, public_key } = request
  const { actor_id, acted_at, details } = act
  switch (act.act) {
    case 'vote': {
      refuseOwn(proposal, act)
      refuseRecused(proposal, act)
      const vote = { actor_id, choice: choiceOf(details), public_key, acted_at }
      return { votes: withVote(proposal, proposal.votes, vote) }
    }
    case 'ratify': {
      if (proposal.lapses_at === null)
        throw notAllowed(
          'REVIEW_STATE_CONFLICT',
          proposal.proposal_id,
          'no emergency that awaits ratification',
          'an emergency in force that nobody has ratified yet',
        )
      refuseOwn(proposal, act)
      refuseRecused(proposal, act)
      const vote = { actor_id, choice: 'approve', public_key, acted_at } as const
      const ratifications = withVote(proposal, proposal.ratifications, vote)
      const material = policyInForce(state)!.document.classes.material
      const is_ratified = isRatified(state, { ...proposal, ratifications }, material)
      return { ratifications, lapses_at: is_ratified ? null : proposal.lapses_at }
    }
    case 'recuse':
      textOf(details, 'reason')
      return {
        recused: [...new Set([...proposal.recused, actor_id])],
        votes: proposal.votes.filter((vote) => vote.actor_id !== actor_id),
      }
    case 'cancel':
      if (proposal.proposed_by !== actor_id)
        throw notAllowed('REVIEW_NOT_ALLOWED', 'actor', actor_id, `${proposal.proposed_by}, who proposed it`)
      return { reason: textOf(details, 'reason') }
    case 'veto':
      return { reason: textOf(details, 'reason') }
    default:
      textOf(details, 'text')
      return {}
  }
}

/** Adds a vote; it replaces the person's earlier one, on a roster that of the same key alone. */
function withVote({ kind }: Proposal, votes: readonly Vote[], vote: Vote): readonly Vote[] {
  const is_replaced = (other: Vote) =>
    other.actor_id === vote.actor_id && (kind !== 'roster' || other.public_key === vote.public_key)
  return [...votes.filter((other) => !is_replaced(other)), vote]
}

/** Prolongs a vote that is carried near its end, once, so that others can still answer. */
function prolonged(
  state: GovernanceState,
  before: Proposal,
  after: Proposal,
  { recorded_at }: SignedRequest,
): Proposal {
  const { vote_ends_at } = after
  if (vote_ends_at === null || after.is_prolonged || isCarried(state, before) || !isCarried(state, after)) return after
  const { late_window, late_extension } = policyInForce(state)!.document
  if (recorded_at < vote_ends_at - durationMicros(late_window)) return after
  return { ...after, is_prolonged: true, vote_ends_at: vote_ends_at + durationMicros(late_extension) }
}

/** Refuses to let people sign what they proposed; who proposes a roster has signed it already. */
function refuseOwn({ kind, proposed_by, proposal_id }: Proposal, { act, actor_id }: GovernanceAct): void {
  if (kind === 'roster' || proposed_by !== actor_id) return
  const allowed = `another member to ${act} ${proposal_id}`
  throw notAllowed('REVIEW_NOT_ALLOWED', 'actor', `${actor_id}, who proposed it`, allowed)
}

function refuseRecused({ recused, proposal_id }: Proposal, { act, actor_id }: GovernanceAct): void {
  if (!recused.includes(actor_id)) return
  const allowed = `a member without a conflict of interest to ${act} ${proposal_id}`
  throw notAllowed('REVIEW_NOT_ALLOWED', 'actor', `${actor_id}, who recused themself`, allowed)
}
