import { canonicalJson } from '../../primitives/canonical-json.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ChangeClass, ProposalKind, ProposalState, VoteChoice } from '../../vocabulary/governance.ts'
import type { GovernedStatus } from '../../vocabulary/index-level.ts'
import type { EligibilityPolicy } from '../eligibility/policy.ts'
import type { Value } from '../review/subject.ts'
import type { Adopted, PolicyDocument, RosterDocument } from './documents.ts'
import type { ClassRule } from './policy.ts'

/** A change as its proposer wrote it. */
export type Change = {
  readonly kind: ProposalKind
  /** Hash of the record that it replaces; null: the first. */
  readonly base_hash: string | null
  readonly content: Readonly<Record<string, Value>>
  readonly rationale: string
  /** Digest of the impact report; null: the kind needs none. */
  readonly impact_digest: string | null
  /** Reason code of an emergency; null: none is invoked. */
  readonly emergency: string | null
}

/** Signature of one person: of a person's votes the last counts, of those on a roster the last of each key. */
export type Vote = {
  readonly actor_id: string
  readonly choice: VoteChoice
  readonly public_key: string
  readonly acted_at: Micros
}

/** Content that a lapse puts in force again, by its hash; null: the state before the first change. */
export type Returned = { readonly hash: string | null }

/** A proposal after the acts recorded so far. */
export type Proposal = Change & {
  readonly proposal_id: string
  readonly revision: number
  /** `roster`, `policy`, the id of an index or methodology, or `idx_...:status`. */
  readonly target: string
  readonly change_class: ChangeClass
  readonly state: ProposalState
  /** Reason for a state in which the proposal ended. */
  readonly reason: string | null
  readonly proposed_by: string
  readonly proposed_at: Micros
  /** Signatures and waiting times, as in the policy when it was proposed; null: a roster, which has its threshold. */
  readonly rule: ClassRule | null
  readonly comment_ends_at: Micros
  /** End of the vote; null: it ends as soon as it is carried. */
  readonly vote_ends_at: Micros | null
  readonly is_prolonged: boolean
  readonly effective_at: Micros | null
  /** Instant at which its activation was recorded; null: it was not. */
  readonly enacted_at: Micros | null
  readonly expires_at: Micros
  /** End of an emergency that nobody ratifies; null: none, or ratified. */
  readonly lapses_at: Micros | null
  /** Content that its lapse put in force again; null: it has not lapsed, or another change had replaced it. */
  readonly returned: Returned | null
  readonly votes: readonly Vote[]
  readonly ratifications: readonly Vote[]
  readonly recused: readonly string[]
}

/** Digest and class that a runner has signed for a change. */
export type Attestation = {
  readonly impact_digest: string
  readonly change_class: ChangeClass
  /** Key and instant of the signature. */
  readonly signed: { readonly public_key: string; readonly acted_at: Micros }
}

/** Everything that follows from the acts recorded so far. */
export type GovernanceState = {
  readonly rosters: readonly Adopted<RosterDocument>[]
  readonly policies: readonly Adopted<PolicyDocument>[]
  /** Newest eligibility policies that were put in force, by id. */
  readonly eligibility: ReadonlyMap<string, EligibilityPolicy>
  /** Hash of the content in force of each governed target. */
  readonly heads: ReadonlyMap<string, string | null>
  /** Proposals that took effect, in that order. */
  readonly enacted: readonly string[]
  /** Status of each index that governance gave one; the others are active. */
  readonly statuses: ReadonlyMap<string, GovernedStatus>
  readonly proposals: ReadonlyMap<string, Proposal>
  /** Attestations by change and runner. */
  readonly attestations: ReadonlyMap<string, ReadonlyMap<string, Attestation>>
}

/** State without any act. */
export const NO_GOVERNANCE: GovernanceState = {
  rosters: [],
  policies: [],
  eligibility: new Map(),
  heads: new Map(),
  enacted: [],
  statuses: new Map(),
  proposals: new Map(),
  attestations: new Map(),
}

/** Returns the id of a proposal: SHA-256 of the RFC 8785 form of what it changes, why, and with which impact. */
export function proposalIdOf({
  base_hash,
  content,
  rationale,
  impact_digest,
}: Omit<Change, 'kind' | 'emergency'>): string {
  return `prp_${sha256Hex(canonicalJson({ base_hash, content, rationale, impact_digest }))}`
}

/** Returns the id of a change, which runners sign an impact for before it is proposed. */
export function changeIdOf(change: {
  readonly base_hash: string | null
  readonly content_hash: string | null
}): string {
  return `chg_${sha256Hex(canonicalJson({ base_hash: change.base_hash, content_hash: change.content_hash }))}`
}

/** Returns the roster in force; null: the home is not governed. */
export function rosterInForce({ rosters }: GovernanceState): Adopted<RosterDocument> | null {
  return rosters.at(-1) ?? null
}

/** Returns the policy in force; null: there is none. */
export function policyInForce({ policies }: GovernanceState): Adopted<PolicyDocument> | null {
  return policies.at(-1) ?? null
}
