import type { RosterRole } from '../../vocabulary/governance.ts'
import type { RosterDocument } from './documents.ts'
import type { ClassRule } from './policy.ts'
import { type GovernanceState, type Proposal, rosterInForce, type Vote } from './proposal.ts'
import { ruleOf } from './propose.ts'
import { countedVotes, signersOf } from './quorum.ts'

/** Seats of a decision: signatures needed of people with one of the roles, and who has given one. */
export type Seats = {
  readonly roles: readonly RosterRole[]
  readonly needed: number
  readonly actor_ids: readonly string[]
  /** Roster whose people count; null: the first one, which is itself proposed. */
  readonly roster_version: number | null
}

/** Fields of a proposal that its seats follow from. */
export type Seated = Pick<Proposal, 'change_class' | 'content' | 'votes' | 'ratifications'>

/**
 * Returns the seats that must be filled for approval. People with both roles fill one seat each, so the last line counts all together.
 * @param state the policies when it was proposed, and the rosters up to the one whose people count
 */
export function approvalSeats(state: GovernanceState, proposal: Seated): readonly Seats[] {
  const rule = ruleOf(state, proposal.change_class, proposal)
  if (rule !== null) return ruledSeats(state, rule, proposal.votes)
  const before = rosterInForce(state)?.document ?? null
  const proposed = proposal.content as unknown as RosterDocument
  return (before === null ? [proposed] : [before, proposed]).map((document) => ({
    roles: ['administrator'],
    needed: document.threshold,
    actor_ids: signersOf(document, proposal.votes).map(({ actor_id }) => actor_id),
    roster_version: before === null ? null : document.version,
  }))
}

/** Returns the seats that must be filled to keep an emergency in force: those of a material change. */
export function ratificationSeats(state: GovernanceState, proposal: Seated): readonly Seats[] {
  const rule = ruleOf(state, 'material', proposal)
  return rule === null ? [] : ruledSeats(state, rule, proposal.ratifications)
}

function ruledSeats(state: GovernanceState, { committee, oversight }: ClassRule, votes: readonly Vote[]): Seats[] {
  const { approvals } = countedVotes(state, votes)
  const seats = (needed: number, ...roles: RosterRole[]): Seats => ({
    roles,
    needed,
    actor_ids: approvals.filter((one) => roles.some((role) => one.roles.includes(role))).map((one) => one.actor_id),
    roster_version: rosterInForce(state)?.document.version ?? null,
  })
  const each = [seats(committee, 'committee'), seats(oversight, 'oversight')].filter(({ needed }) => needed > 0)
  return each.length < 2 ? each : [...each, seats(committee + oversight, 'committee', 'oversight')]
}
