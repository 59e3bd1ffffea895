import type { Adopted, PolicyDocument, RosterDocument } from '../../pipelines/governance/documents.ts'
import type { Vote } from '../../pipelines/governance/proposal.ts'
import { type SeatedState, seatsOfState } from '../../pipelines/governance/seats.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { rowsOf } from './pick.ts'

/** Returns the seats of a proposal: who fills them, of the people whose votes count for it. */
export function seatsOf(row: Row, { rosters, policies }: Pick<Catalog, 'rosters' | 'policies'>) {
  return seatsOfState(
    {
      ...(row as unknown as Pick<SeatedState, 'kind' | 'state' | 'change_class'>),
      content: JSON.parse(String(row.content)),
      emergency: (row.emergency as string | undefined) ?? null,
      lapses_at: row.lapses_at == null ? null : toMicros(row.lapses_at),
      proposed_at: toMicros(row.proposed_at),
      published_at: toMicros(row.published_at),
      votes: rowsOf(row.votes).map(voteOf),
      ratifications: rowsOf(row.ratifications).map(voteOf),
    },
    {
      rosters: rosters().map((one) => adopted<RosterDocument>(one)),
      policies: policies().map((one) => adopted<PolicyDocument>(one)),
    },
  )
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
