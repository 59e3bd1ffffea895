import {
  type PolicyDocument,
  type RosterDocument,
  shownPolicy,
  shownRoster,
} from '../../pipelines/governance/documents.ts'
import { takesEffectAt } from '../../pipelines/governance/due.ts'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import {
  differencesFromBase,
  type Proposed,
  reasonOfVote,
  type VotingAct,
} from '../../pipelines/governance/proposal-detail.ts'
import { type Comparable, vetoedBefore } from '../../pipelines/governance/vetoed-before.ts'
import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import type { ProposalKind } from '../../vocabulary/governance.ts'
import type { Row } from '../../warehouse/schema.ts'
import { fieldsOf, rowsOf, textsOf } from './pick.ts'

const VERSIONED_FIELDS = [
  'version',
  'record_hash',
  'previous_hash',
  'proposal_id',
  'effective_from',
  'expires_at',
  'published_at',
] as const

/** Returns a roster as published, with the text that was signed. */
export function governanceRosterOf(row: Row) {
  const shown = shownRoster(JSON.parse(String(row.document)) as RosterDocument)
  return { ...fieldsOf(row, VERSIONED_FIELDS), signed_content: String(row.document), ...shown }
}

/** Returns a policy as published, with the text that was signed. */
export function governancePolicyOf(row: Row) {
  const shown = shownPolicy(JSON.parse(String(row.document)) as PolicyDocument)
  return { ...fieldsOf(row, VERSIONED_FIELDS), signed_content: String(row.document), ...shown }
}

const PROPOSAL_FIELDS = [
  'proposal_id',
  'revision',
  'kind',
  'target',
  'base_hash',
  'content',
  'rationale',
  'impact_digest',
  'emergency',
  'change_class',
  'state',
  'reason',
  'proposed_by',
  'proposed_at',
  'comment_ends_at',
  'vote_ends_at',
  'effective_at',
  'expires_at',
  'lapses_at',
] as const
const VOTE_FIELDS = ['actor_id', 'choice', 'public_key', 'acted_at'] as const

/** Returns one state of a proposal. */
export function proposalOf(row: Row) {
  return {
    ...fieldsOf(row, PROPOSAL_FIELDS),
    votes: rowsOf(row.votes).map((vote) => fieldsOf(vote, VOTE_FIELDS)),
    ratifications: rowsOf(row.ratifications).map((vote) => fieldsOf(vote, VOTE_FIELDS)),
    recused: textsOf(row.recused),
    ...fieldsOf(row, ['act_id', 'published_at']),
  }
}

/** Returns when a proposal takes effect, or was to; null: its notice has not begun. @param acts every act */
export function effectInstantOf(
  { proposal_id, kind, content, effective_at }: Row,
  acts: readonly Row[],
): Instant | null {
  const activation = acts.find(({ act, subject_id }) => act === 'activate' && subject_id === proposal_id)
  const at = takesEffectAt({
    kind: kind as ProposalKind,
    content: JSON.parse(String(content)) as Proposal['content'],
    effective_at: effective_at === null ? null : toMicros(effective_at),
    enacted_at: activation === undefined ? null : toMicros(activation.recorded_at),
  })
  return at === null ? null : formatMicros(at)
}

/** Returns the votes of a proposal with their reasons, which are in the signed acts. The record of the log has none. */
export function votesWithReasons(row: Row, acts: readonly Row[]) {
  return rowsOf(row.votes).map((vote) => {
    const reason = reasonOfVote(row.proposal_id, vote as unknown as VotingAct, acts as unknown as readonly VotingAct[])
    return { ...fieldsOf(vote, VOTE_FIELDS), reason }
  })
}

/** Returns an act, or a refused one, which has a `refusal_id`. */
export function governanceActOf(row: Row) {
  const is_refused = row.refusal_id !== undefined
  const signed = fieldsOf(row, ['public_key', 'signed_text', 'signature', 'acted_at', 'recorded_at', 'code', 'message'])
  return {
    act_id: is_refused ? row.refusal_id : row.act_id,
    outcome: is_refused ? 'refused' : 'recorded',
    act: row.act ?? null,
    subject_id: (is_refused ? row.record_id : row.subject_id) ?? null,
    actor_id: row.actor_id ?? null,
    roles: textsOf(row.roles),
    ...signed,
    published_at: row.published_at,
  }
}

/** Returns where a proposal differs from the record that it would replace. @param proposals every proposal; one put that record in force */
export function differencesOf(row: Row, proposals: readonly Row[]) {
  return differencesFromBase(row as unknown as Proposed, proposals as unknown as readonly Proposed[])
}

/** Returns the earlier proposals of the same change that oversight vetoed. @param proposals every proposal in its newest state */
export function vetoedBeforeOf(row: Row, proposals: readonly Row[]): readonly string[] {
  const alike = proposals.filter(({ state, target }) => state === 'vetoed' && target === row.target)
  return vetoedBefore(comparable(row), alike.map(comparable))
}

function comparable(row: Row): Comparable {
  return {
    ...(row as unknown as Pick<Comparable, 'proposal_id' | 'kind' | 'target' | 'state'>),
    base_hash: (row.base_hash as string | undefined) ?? null,
    content: JSON.parse(String(row.content)),
    proposed_at: toMicros(row.proposed_at),
  }
}
