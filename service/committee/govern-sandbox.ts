import { performGovernanceAct, signGovernanceAct } from '../../operations/governance/perform-governance-act.ts'
import { readGovernance } from '../../operations/governance/read-governance.ts'
import type { Signer } from '../../operations/review/signing.ts'
import type { GovernanceAct } from '../../pipelines/governance/acts.ts'
import { policyDocument, rosterDocument } from '../../pipelines/governance/documents.ts'
import type { ClassRule, PolicyContent } from '../../pipelines/governance/policy.ts'
import {
  type Change,
  type GovernanceState,
  policyInForce,
  proposalIdOf,
  rosterInForce,
} from '../../pipelines/governance/proposal.ts'
import { MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type Committee, SANDBOX_MEMBERS, type SandboxMember, sandboxActor } from './open-committee.ts'

/** Time that a sandbox roster and policy last, and how long before their end successors are signed. */
const LASTS = 399 * MICROS_PER_DAY
const RENEWED_BEFORE = 90 * MICROS_PER_DAY

const hours = (committee: number, oversight: number, comment: string, notice: string): ClassRule => ({
  committee,
  oversight,
  comment,
  vote: 'PT0S',
  notice,
})

/** Policy of a sandbox: delays of hours, where a committee would have days. */
const SANDBOX_POLICY: PolicyContent = {
  classes: {
    text: hours(1, 0, 'PT0S', 'PT1H'),
    parameter: hours(2, 0, 'PT0S', 'PT5H'),
    material: hours(2, 1, 'PT14H', 'PT14H'),
    scheduled_rebalance: hours(1, 0, 'PT0S', 'P5D'),
    emergency: hours(1, 1, 'PT0S', 'PT0S'),
    // The policy of the sample week has expired by now: until its successor is in force, nothing could be tried.
    policy: hours(2, 1, 'PT0S', 'PT0S'),
  },
  proposal_lifetime: 'P30D',
  late_window: 'PT1H',
  late_extension: 'PT2H',
  emergency_lapse: 'PT3H',
}

/**
 * Puts a roster and a policy of the sandbox members in force, and successors before they expire. A home whose roster names others
 * is left alone.
 * @returns false: other people govern it
 */
export async function governSandbox(warehouse: Warehouse, committee: Committee): Promise<boolean> {
  const now = await warehouse.now()
  const { state } = await readGovernance(warehouse)
  const roster = rosterInForce(state)?.document ?? null
  if (roster !== null && !isOurs(state, committee)) return false
  if (roster === null || endsSoon(roster.expires_at, now)) await signRoster(warehouse, committee, now)
  const policy = policyInForce((await readGovernance(warehouse)).state)?.document ?? null
  if (policy === null || endsSoon(policy.expires_at, now)) await signPolicy(warehouse, committee, now)
  return true
}

function endsSoon(expires_at: string, now: Micros): boolean {
  return toMicros(expires_at) < now + RENEWED_BEFORE
}

function isOurs({ rosters }: GovernanceState, { signers }: Committee): boolean {
  const { members } = rosters.at(-1)!.document
  return members.some(({ keys }) => keys.some(({ public_key }) => public_key === signers.administrator.public_key))
}

async function signRoster(warehouse: Warehouse, { signers }: Committee, now: Micros): Promise<void> {
  const before = rosterInForce((await readGovernance(warehouse)).state)
  const members = (Object.keys(SANDBOX_MEMBERS) as SandboxMember[]).map((member) => ({
    actor_id: sandboxActor(member),
    ...SANDBOX_MEMBERS[member],
    keys: [
      { public_key: signers[member].public_key, valid_from: now - MICROS_PER_DAY, valid_to: null, revoked_at: null },
    ],
  }))
  const content = rosterDocument({ members, threshold: 2, expires_at: now + LASTS }, before)
  const change = changeTo('roster', content, before?.record_hash ?? null)
  await propose(warehouse, change, ['administrator', 'deputy'], signers)
}

async function signPolicy(warehouse: Warehouse, { signers }: Committee, now: Micros): Promise<void> {
  const before = policyInForce((await readGovernance(warehouse)).state)
  const content = policyDocument(SANDBOX_POLICY, now + LASTS, before)
  const change = changeTo('policy', content, before?.record_hash ?? null)
  await propose(warehouse, change, ['administrator', 'member', 'second', 'oversight'], signers)
}

function changeTo(kind: Change['kind'], content: object, base_hash: string | null): Change {
  const rationale = 'Simulated. These members are invented, so that every act can be tried.'
  return { kind, base_hash, content: content as Change['content'], rationale, impact_digest: null, emergency: null }
}

/** Proposes a change by the first of these members, and lets the others approve it. Acts on record are not repeated. */
async function propose(
  warehouse: Warehouse,
  { kind, ...change }: Change,
  [proposer, ...approvers]: readonly SandboxMember[],
  signers: Committee['signers'],
): Promise<void> {
  const subject_id = proposalIdOf(change)
  const perform = async (by: SandboxMember, act: GovernanceAct['act'], details: GovernanceAct['details']) => {
    const signer: Signer = signers[by]
    const acted_at = await warehouse.now()
    const signed = { act, kind, subject_id, details, actor_id: sandboxActor(by), acted_at }
    await performGovernanceAct(warehouse, signGovernanceAct(signer, signed))
  }
  await perform(proposer!, 'propose', change)
  for (const by of approvers) await perform(by, 'vote', { choice: 'approve', reason: null })
}
