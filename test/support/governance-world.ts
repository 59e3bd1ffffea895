import { performGovernanceAct, signGovernanceAct } from '../../operations/governance/perform-governance-act.ts'
import { readGovernance } from '../../operations/governance/read-governance.ts'
import type { GovernanceAct } from '../../pipelines/governance/acts.ts'
import { policyDocument, type RosterDocument, rosterDocument } from '../../pipelines/governance/documents.ts'
import type { ClassRule, PolicyContent } from '../../pipelines/governance/policy.ts'
import {
  type Change,
  type GovernanceState,
  policyInForce,
  proposalIdOf,
  rosterInForce,
} from '../../pipelines/governance/proposal.ts'
import type { Member } from '../../pipelines/governance/roster.ts'
import { MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { Person } from './review-world.ts'

const rule = (committee: number, oversight: number, comment: string, vote: string, notice: string): ClassRule => ({
  committee,
  oversight,
  comment,
  vote,
  notice,
})

/** Policy of the design, except that a policy itself needs two signatures and has no delay, so that tests need not wait. */
export const TEST_POLICY: PolicyContent = {
  classes: {
    text: rule(1, 0, 'PT0S', 'PT0S', 'P1D'),
    parameter: rule(2, 0, 'PT0S', 'PT0S', 'P5D'),
    material: rule(2, 1, 'P14D', 'P14D', 'P14D'),
    emergency: rule(1, 1, 'PT0S', 'PT0S', 'PT0S'),
    policy: rule(1, 1, 'PT0S', 'PT0S', 'PT0S'),
  },
  proposal_lifetime: 'P90D',
  late_window: 'PT24H',
  late_extension: 'PT48H',
  emergency_lapse: 'PT72H',
}

/** Change to a roster of these people. */
export function rosterChange(
  state: GovernanceState,
  people: readonly { readonly member: Member }[],
  { threshold, expires_at }: { readonly threshold: number; readonly expires_at: Micros },
): Change {
  const before = rosterInForce(state)
  const members = people.map(({ member }) => member)
  const content: RosterDocument = rosterDocument({ members, threshold, expires_at }, before)
  return changeTo('roster', content, before?.record_hash ?? null)
}

/** Change to a policy. */
export function policyChange(state: GovernanceState, content: PolicyContent, expires_at: Micros): Change {
  const before = policyInForce(state)
  return changeTo('policy', policyDocument(content, expires_at, before), before?.record_hash ?? null)
}

/** Change of a kind, for a reason of the test's. */
export function changeTo(
  kind: Change['kind'],
  content: object,
  base_hash: string | null,
  rationale = 'a test',
): Change {
  return { kind, base_hash, content: content as Change['content'], rationale, impact_digest: null, emergency: null }
}

/** Text of an act that proposes a change. */
export function proposeAct({ kind, ...change }: Change, actor_id: string, acted_at: Micros): GovernanceAct {
  return { act: 'propose', kind, subject_id: proposalIdOf(change), details: change, actor_id, acted_at }
}

/** Acts of people in a warehouse. */
export function governanceActs(warehouse: Warehouse) {
  const state = async () => (await readGovernance(warehouse)).state
  const perform = async (by: Person, act: Omit<GovernanceAct, 'actor_id' | 'acted_at'>) =>
    performGovernanceAct(
      warehouse,
      signGovernanceAct(by.signer, { ...act, actor_id: by.member.actor_id, acted_at: await warehouse.now() }),
    )
  const propose = async (by: Person, { kind, ...change }: Change) =>
    perform(by, { act: 'propose', kind, subject_id: proposalIdOf(change), details: change })
  const vote = async (by: Person, { kind, ...change }: Change, choice = 'approve') =>
    perform(by, { act: 'vote', kind, subject_id: proposalIdOf(change), details: { choice, reason: null } })
  return { state, perform, propose, vote }
}

/** Instant 300 days after another. */
export const inDays = (from: Micros, days: number): Micros => from + days * MICROS_PER_DAY
