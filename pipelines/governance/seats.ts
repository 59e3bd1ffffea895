import type { Micros } from '../../primitives/instants.ts'
import type { RosterRole } from '../../vocabulary/governance.ts'
import type { RosterDocument } from './documents.ts'
import type { ClassRule } from './policy.ts'
import { type GovernanceState, NO_GOVERNANCE, type Proposal, rosterInForce, type Vote } from './proposal.ts'
import { PROPOSAL_MOVES } from './proposal-states.ts'
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
type Seated = Pick<Proposal, 'change_class' | 'content' | 'votes' | 'ratifications'>

/** State of a proposal from which its seats follow, with the instant of its publication. */
export type SeatedState = Seated &
  Pick<Proposal, 'kind' | 'state' | 'lapses_at' | 'emergency' | 'proposed_at'> & { readonly published_at: Micros }

/** Returns the seats of a proposal as they are shown: who fills them, of the people whose votes count for it. */
export function seatsOfState(proposal: SeatedState, documents: Pick<GovernanceState, 'rosters' | 'policies'>) {
  const state = stateFor(proposal, documents)
  return {
    seats: approvalSeats(state, proposal),
    ratification_seats: proposal.emergency === null ? [] : ratificationSeats(state, proposal),
  }
}

/** A proposal keeps the policy that it was made under. Its votes count by the newest roster, until it has ended. */
function stateFor(
  { kind, content, proposed_at, published_at, ...proposal }: SeatedState,
  { rosters, policies }: Pick<GovernanceState, 'rosters' | 'policies'>,
): GovernanceState {
  const is_over = isOver(proposal)
  const counted = rosters.filter(({ document, effective_from }) =>
    kind === 'roster'
      ? document.version < (content as unknown as RosterDocument).version
      : !is_over || effective_from <= published_at,
  )
  const known = policies.filter(({ effective_from }) => effective_from <= proposed_at)
  return { ...NO_GOVERNANCE, rosters: counted, policies: known }
}

/** An emergency that may still lapse is not over. */
function isOver({ state, lapses_at }: Pick<Proposal, 'state' | 'lapses_at'>): boolean {
  if (state === 'effective') return lapses_at === null
  return Object.values(PROPOSAL_MOVES[state]).every((next) => next.length === 0)
}

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
