import { contentDifferences } from '../../pipelines/governance/content-differences.ts'
import type { PolicyDocument, RosterDocument } from '../../pipelines/governance/documents.ts'
import { takesEffectAt } from '../../pipelines/governance/due.ts'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import { sha256Hex } from '../../primitives/ids.ts'
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
  const { threshold, members } = JSON.parse(String(row.document)) as RosterDocument
  return { ...fieldsOf(row, VERSIONED_FIELDS), signed_content: String(row.document), threshold, members }
}

/** Returns a policy as published, with the text that was signed. */
export function governancePolicyOf(row: Row) {
  const { classes, ...document } = JSON.parse(String(row.document)) as PolicyDocument
  const { proposal_lifetime, late_window, late_extension, emergency_lapse, drift_after } = document
  return {
    ...fieldsOf(row, VERSIONED_FIELDS),
    signed_content: String(row.document),
    classes: Object.entries(classes).map(([change_class, rule]) => ({ change_class, ...rule })),
    proposal_lifetime,
    late_window,
    late_extension,
    emergency_lapse,
    // Absent from policies that do not state it, which are served as they were published.
    ...(drift_after === undefined ? {} : { drift_after }),
  }
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

/** Returns when a proposal takes effect, or was to; null: its notice has not begun. */
export function effectInstantOf({ kind, content, effective_at }: Row): Instant | null {
  const at = takesEffectAt({
    kind: kind as ProposalKind,
    content: JSON.parse(String(content)) as Proposal['content'],
    effective_at: effective_at === null ? null : toMicros(effective_at),
  })
  return at === null ? null : formatMicros(at)
}

/** Returns the votes of a proposal with their reasons, which are in the signed acts. The record of the log has none. */
export function votesWithReasons(row: Row, acts: readonly Row[]) {
  const cast = acts.filter((act) => act.act === 'vote' && act.subject_id === row.proposal_id)
  return rowsOf(row.votes).map((vote) => {
    const act = cast.findLast((one) => VOTE_KEYS.every((field) => one[field] === vote[field]))
    const { details } = act === undefined ? { details: {} } : JSON.parse(String(act.signed_text))
    return { ...fieldsOf(vote, VOTE_FIELDS), reason: (details.reason as string | undefined) ?? null }
  })
}

/** Fields that a vote has in common with its act. */
const VOTE_KEYS = ['actor_id', 'public_key', 'acted_at'] as const

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
  const base = proposals.find((one) => one.target === row.target && sha256Hex(String(one.content)) === row.base_hash)
  const content = (of: Row | undefined): unknown => (of === undefined ? null : JSON.parse(String(of.content)))
  return contentDifferences(content(base), content(row))
}
