import { sha256Hex } from '../../primitives/ids.ts'
import { carriedWithHash } from './base-of-change.ts'
import { type ContentDifference, contentDifferences } from './content-differences.ts'

/** Fields of a proposal from which its differences follow; `content` is RFC 8785 text. */
export type Proposed = { readonly target: string; readonly content: string; readonly base_hash: string | null }

/**
 * Returns where a proposal differs from the record that it would replace.
 * @param proposals every proposal; one put that record in force
 */
export function differencesFromBase(
  proposal: Proposed,
  proposals: readonly Omit<Proposed, 'base_hash'>[],
): readonly ContentDifference[] {
  return contentDifferences(baseContent(proposal, proposals), JSON.parse(proposal.content))
}

function baseContent({ target, base_hash }: Proposed, proposals: readonly Omit<Proposed, 'base_hash'>[]): unknown {
  if (base_hash === null) return null
  const base = proposals.find((one) => one.target === target && sha256Hex(one.content) === base_hash)
  if (base !== undefined) return JSON.parse(base.content)
  if (!target.startsWith('mth_')) return null
  const contents = proposals.map(({ content }) => ({ content: JSON.parse(content) }))
  return carriedWithHash(contents, target, base_hash)
}

/** Fields that a vote has in common with its act. */
const VOTE_KEYS = ['actor_id', 'public_key', 'acted_at'] as const
type VoteKeys = Readonly<Record<(typeof VOTE_KEYS)[number], unknown>>

/** Recorded act, as far as the reason of a vote is in it. */
export type VotingAct = VoteKeys & {
  readonly act: unknown
  readonly subject_id: unknown
  readonly signed_text: unknown
}

/** Returns the reason that a member gave with a vote; null: none. The record of the log has the vote alone. */
export function reasonOfVote(proposal_id: unknown, vote: VoteKeys, acts: readonly VotingAct[]): string | null {
  const act = acts.findLast(
    (one) =>
      one.act === 'vote' && one.subject_id === proposal_id && VOTE_KEYS.every((field) => one[field] === vote[field]),
  )
  const { details } = act === undefined ? { details: {} } : JSON.parse(String(act.signed_text))
  return (details.reason as string | undefined) ?? null
}
