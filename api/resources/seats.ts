import type { Adopted, PolicyDocument, RosterDocument } from '../../pipelines/governance/documents.ts'
import { type GovernanceState, NO_GOVERNANCE, type Vote } from '../../pipelines/governance/proposal.ts'
import { PROPOSAL_MOVES } from '../../pipelines/governance/proposal-states.ts'
import { approvalSeats, ratificationSeats, type Seated } from '../../pipelines/governance/seats.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { ChangeClass, ProposalState } from '../../vocabulary/governance.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { rowsOf } from './pick.ts'

/** Returns the seats of a proposal: who fills them, of the people whose votes count for it. */
export function seatsOf(row: Row, catalog: Pick<Catalog, 'rosters' | 'policies'>) {
  const state = stateFor(row, catalog)
  const proposal: Seated = {
    change_class: row.change_class as ChangeClass,
    content: JSON.parse(String(row.content)),
    votes: rowsOf(row.votes).map(voteOf),
    ratifications: rowsOf(row.ratifications).map(voteOf),
  }
  return {
    seats: approvalSeats(state, proposal),
    ratification_seats: row.emergency === null ? [] : ratificationSeats(state, proposal),
  }
}

/** A proposal keeps the policy that it was made under. Its votes count by the newest roster, until it has ended. */
function stateFor(row: Row, { rosters, policies }: Pick<Catalog, 'rosters' | 'policies'>): GovernanceState {
  const proposed_at = toMicros(row.proposed_at)
  const ended_at = isOver(row) ? toMicros(row.published_at) : null
  const all = rosters().map((one) => adopted<RosterDocument>(one))
  const counted = all.filter(({ document, effective_from }) =>
    row.kind === 'roster'
      ? document.version < Number((JSON.parse(String(row.content)) as RosterDocument).version)
      : ended_at === null || effective_from <= ended_at,
  )
  const known = policies().map((one) => adopted<PolicyDocument>(one))
  return {
    ...NO_GOVERNANCE,
    rosters: counted,
    policies: known.filter(({ effective_from }) => effective_from <= proposed_at),
  }
}

/** An emergency that may still lapse is not over. */
function isOver({ state, lapses_at }: Row): boolean {
  if (state === 'effective') return lapses_at === null
  return Object.values(PROPOSAL_MOVES[state as ProposalState]).every((next) => next.length === 0)
}

function adopted<D>(row: Row): Adopted<D> & { readonly effective_from: Micros } {
  return {
    document: JSON.parse(String(row.document)) as D,
    record_hash: String(row.record_hash),
    proposal_id: String(row.proposal_id),
    effective_from: toMicros(row.effective_from),
  }
}

function voteOf({ actor_id, choice, public_key, acted_at }: Row): Vote {
  return {
    actor_id: String(actor_id),
    choice: choice as Vote['choice'],
    public_key: String(public_key),
    acted_at: toMicros(acted_at),
  }
}
