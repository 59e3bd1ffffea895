import { parseGovernanceAct } from '../../pipelines/governance/acts.ts'
import type { ContentDifference } from '../../pipelines/governance/content-differences.ts'
import { instantsToCome, nextStepOf } from '../../pipelines/governance/next-step.ts'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import { differencesFromBase } from '../../pipelines/governance/proposal-detail.ts'
import { type Seats, seatsOfState } from '../../pipelines/governance/seats.ts'
import { vetoedBefore } from '../../pipelines/governance/vetoed-before.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { listProposals } from './list-governance.ts'
import { readGovernance } from './read-governance.ts'

/** Act on a proposal, with what its actor said. */
type ShownAct = {
  readonly recorded_at: Instant
  readonly act: string
  readonly actor_id: string
  readonly roles: readonly string[]
  /** null: the act is no vote. */
  readonly choice: string | null
  /** Rationale, reason or comment; null: none was given. */
  readonly text: string | null
}

/** A proposal with everything that was done about it, and what it waits for. */
export type ShownProposal = {
  readonly proposal: Proposal
  readonly next: string
  readonly to_come: readonly { readonly what: string; readonly at: Instant }[]
  readonly seats: readonly Seats[]
  readonly ratification_seats: readonly Seats[]
  readonly acts: readonly ShownAct[]
  readonly diff: readonly ContentDifference[]
  readonly vetoed_before: readonly string[]
}

/**
 * Returns a proposal in its newest published state.
 * @param as_of null: now
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND
 */
export async function showProposal(
  warehouse: Warehouse,
  proposal_id: string,
  as_of: Instant | null,
): Promise<ShownProposal> {
  const proposals = await listProposals(warehouse, as_of)
  const proposal = proposals.find((one) => one.proposal_id === proposal_id)
  if (proposal === undefined) {
    const allowed = 'the id of a proposal that tidemark governance status lists'
    throw notAllowed('GOVERNANCE_NOT_FOUND', 'proposal_id', proposal_id, allowed)
  }
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const { state, acts } = await readGovernance(warehouse, at)
  const on = acts.filter((row) => row.subject_id === proposal_id)
  const published_at = Math.max(proposal.proposed_at, ...on.map((row) => toMicros(row.recorded_at)))
  const texts = proposals.map(({ target, content }) => ({ target, content: canonicalJson(content) }))
  const now = at ?? (await warehouse.now())
  return {
    proposal,
    next: nextStepOf(state, proposal, now),
    to_come: instantsToCome(proposal, now),
    ...seatsOfState({ ...proposal, published_at }, state),
    acts: on.map(shownAct),
    diff: differencesFromBase({ ...proposal, content: canonicalJson(proposal.content) }, texts),
    vetoed_before: vetoedBefore(proposal, proposals),
  }
}

function shownAct(row: Row): ShownAct {
  const { act, actor_id, details } = parseGovernanceAct(String(row.signed_text))
  const { choice, text, reason, rationale } = details
  const said = text ?? reason ?? rationale ?? null
  return {
    recorded_at: row.recorded_at as Instant,
    act,
    actor_id,
    roles: (row.roles ?? []) as readonly string[],
    choice: choice == null ? null : String(choice),
    text: said === null ? null : String(said),
  }
}
