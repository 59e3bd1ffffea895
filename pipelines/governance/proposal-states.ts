import { GOVERNANCE_ACTS, type GovernanceActName, type ProposalState } from '../../vocabulary/governance.ts'

type Moves = Readonly<Record<GovernanceActName, readonly ProposalState[]>>

/**
 * Complete transition table: the states that an act may lead to, none if it is refused. Where there are two, the rule of the class
 * decides: whether comments are awaited. Acts that change no state are listed with the state itself.
 */
export const PROPOSAL_MOVES: Readonly<Record<ProposalState, Moves>> = {
  draft: moves({ propose: ['proposed', 'consulting'], cancel: ['cancelled'], expire: ['expired'] }),
  proposed: moves({ ...open('proposed') }),
  consulting: moves({ ...open('consulting') }),
  approved: moves({
    comment: ['approved'],
    veto: ['vetoed'],
    cancel: ['cancelled'],
    queue: ['queued'],
    expire: ['expired'],
  }),
  queued: moves({
    comment: ['queued'],
    veto: ['vetoed'],
    cancel: ['cancelled'],
    activate: ['effective'],
    expire: ['expired'],
  }),
  effective: moves({ ratify: ['effective'], lapse: ['lapsed'] }),
  rejected: moves({}),
  cancelled: moves({}),
  vetoed: moves({}),
  expired: moves({}),
  lapsed: moves({}),
}

/** States in which nothing is decided yet. */
export const VOTING_STATES: readonly ProposalState[] = ['proposed', 'consulting']

function open(state: ProposalState): Partial<Moves> {
  return {
    vote: [state],
    comment: [state],
    recuse: [state],
    veto: ['vetoed'],
    cancel: ['cancelled'],
    approve: ['approved'],
    reject: ['rejected'],
    expire: ['expired'],
  }
}

function moves(allowed: Partial<Moves>): Moves {
  return Object.fromEntries(GOVERNANCE_ACTS.map((act) => [act, allowed[act] ?? []])) as unknown as Moves
}
