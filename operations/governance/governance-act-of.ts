import type { GovernanceAct } from '../../pipelines/governance/acts.ts'
import { baseHashOf } from '../../pipelines/governance/base-of-change.ts'
import type { ProposedContent } from '../../pipelines/governance/change-form.ts'
import {
  policyDocument,
  type RosterDocument,
  recordHash,
  rosterDocument,
  rosterOf,
} from '../../pipelines/governance/documents.ts'
import { parsePolicy } from '../../pipelines/governance/policy.ts'
import {
  type Change,
  changeIdOf,
  type GovernanceState,
  policyInForce,
  proposalIdOf,
  rosterInForce,
} from '../../pipelines/governance/proposal.ts'
import { ownerOfKey } from '../../pipelines/governance/roster.ts'
import { parseRoster } from '../../pipelines/governance/roster-form.ts'
import { isScheduledRebalance } from '../../pipelines/governance/scheduled-rebalance.ts'
import type { SignedAct } from '../../pipelines/review/signed-act.ts'
import { notAllowed } from '../../primitives/errors.ts'
import type { GovernanceActName } from '../../vocabulary/governance.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { nextPolicy } from '../eligibility/policies.ts'
import { readInput } from '../review/read-input.ts'
import type { Signer } from '../review/signing.ts'
import { signGovernanceAct } from './perform-governance-act.ts'
import { readGovernance } from './read-governance.ts'

/**
 * Returns a signed act on a proposal.
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND
 */
export async function governanceActOf(
  warehouse: Warehouse,
  signer: Signer,
  wish: {
    readonly proposal_id: string
    readonly act: GovernanceActName
    readonly details: GovernanceAct['details']
  },
): Promise<SignedAct> {
  const { proposal_id, act, details } = wish
  const { state } = await readGovernance(warehouse)
  const proposal = state.proposals.get(proposal_id)
  if (proposal === undefined)
    throw notAllowed(
      'GOVERNANCE_NOT_FOUND',
      'proposal_id',
      proposal_id,
      'the id of a proposal that tidemark governance status lists',
    )
  const { kind } = proposal
  const proposed = kind === 'roster' ? (proposal.content as unknown as RosterDocument) : null
  const signed = { act, kind, subject_id: proposal_id, details, acted_at: await warehouse.now() }
  return signGovernanceAct(signer, { ...signed, actor_id: nameOf(state, signer, proposed) })
}

/** Returns a signed proposal of the successor that the file of a roster, policy or eligibility policy describes. */
export async function proposalOfFile(
  warehouse: Warehouse,
  signer: Signer,
  wish: { readonly kind: FileKind; readonly file: string; readonly rationale: string },
): Promise<SignedAct> {
  const { kind, file, rationale } = wish
  const { state } = await readGovernance(warehouse)
  const { content, base_hash } = await successorOf(warehouse, state, kind, file)
  const details = {
    base_hash,
    content: content as unknown as Change['content'],
    rationale,
    impact_digest:
      kind === 'eligibility_policy'
        ? attestedDigest(state, changeIdOf({ base_hash, content_hash: recordHash(content) }))
        : null,
    emergency: null,
  }
  const actor_id = nameOf(state, signer, kind === 'roster' ? (content as RosterDocument) : null)
  const acted_at = await warehouse.now()
  const subject_id = proposalIdOf(details)
  return signGovernanceAct(signer, { act: 'propose', kind, subject_id, details, actor_id, acted_at })
}

/** Kinds that a file proposes. */
export type FileKind = 'eligibility_policy' | DocumentKind
type DocumentKind = 'roster' | 'policy'

async function successorOf(warehouse: Warehouse, state: GovernanceState, kind: FileKind, file: string) {
  if (kind === 'eligibility_policy') {
    const { document, before } = await nextPolicy(warehouse, file)
    return { content: document, base_hash: before?.record_hash ?? null }
  }
  const text = await readInput(file)
  const before = kind === 'roster' ? rosterInForce(state) : policyInForce(state)
  const content = kind === 'roster' ? rosterContent(state, text, file) : policyContent(state, text, file)
  return { content, base_hash: before?.record_hash ?? null }
}

/** Change that somebody wishes to propose. */
export type ChangeWish = ProposedContent & {
  readonly rationale: string
  readonly emergency: string | null
  /** Hash of the record that it replaces; null: that of the record in force. */
  readonly base_hash: string | null
}

/** Returns a signed proposal of a change of an index or methodology. */
export async function proposalOfChange(warehouse: Warehouse, signer: Signer, wish: ChangeWish): Promise<SignedAct> {
  const { kind, content, rationale, emergency } = wish
  const { state } = await readGovernance(warehouse)
  const base_hash = wish.base_hash ?? baseHashOf(state, { kind, content })
  const without_impact = { kind, content, base_hash, emergency, impact_digest: null }
  const is_ruled = policyInForce(state)?.document.classes.scheduled_rebalance !== undefined
  const impact_digest =
    is_ruled && isScheduledRebalance(state, without_impact)
      ? null
      : attestedDigest(state, changeIdOf({ base_hash, content_hash: recordHash(content) }))
  const details = { base_hash, content, rationale, impact_digest, emergency }
  const subject_id = proposalIdOf(details)
  const actor_id = nameOf(state, signer, null)
  return signGovernanceAct(signer, {
    act: 'propose',
    kind,
    subject_id,
    details,
    actor_id,
    acted_at: await warehouse.now(),
  })
}

/** Returns the digest that most runners have signed for a change; null: none has. */
function attestedDigest({ attestations }: GovernanceState, change_id: string): string | null {
  const digests = [...(attestations.get(change_id) ?? new Map()).values()].map(({ impact_digest }) => impact_digest)
  const count = (digest: string) => digests.filter((one) => one === digest).length
  return [...digests].sort((a, b) => count(b) - count(a) || (a < b ? -1 : 1))[0] ?? null
}

function rosterContent(state: GovernanceState, text: string, file: string): RosterDocument {
  const { members, threshold, expires_at } = parseRoster(text, file)
  if (threshold === null || expires_at === null)
    throw notAllowed('VALIDATION_DEFINITION_INVALID', 'roster', 'missing', 'roster: { threshold, expires_at }')
  return rosterDocument({ members, threshold, expires_at }, rosterInForce(state))
}

function policyContent(state: GovernanceState, text: string, file: string) {
  const { content, expires_at } = parsePolicy(text, file)
  return policyDocument(content, expires_at, policyInForce(state))
}

/** Returns whose key it is, as far as anybody says; whether they may act is decided with the act. */
export function nameOf(state: GovernanceState, { public_key }: Signer, proposed: RosterDocument | null): string {
  const documents = [rosterInForce(state)?.document ?? null, proposed].filter((one) => one !== null)
  const names = documents.flatMap((document) => ownerOfKey(rosterOf(document), public_key) ?? [])
  return names[0] ?? 'unknown'
}
