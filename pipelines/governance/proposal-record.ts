import { canonicalJson } from '../../primitives/canonical-json.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Proposal, Vote } from './proposal.ts'

/** Returns the record of a state of a proposal, as it is published and served, without its instant. @param act_id act that led to the state */
export function proposalRecord(proposal: Proposal, act_id: string) {
  const instant = (at: Micros | null) => (at === null ? null : formatMicros(at))
  const votes = (list: readonly Vote[]) => list.map((vote) => ({ ...vote, acted_at: formatMicros(vote.acted_at) }))
  const { rule: _of_policy, ...hidden } = proposal
  const { is_prolonged: _in_end, enacted_at: _in_activation, returned: _in_act, content, ...fields } = hidden
  return {
    ...fields,
    content: canonicalJson(content),
    proposed_at: formatMicros(proposal.proposed_at),
    comment_ends_at: formatMicros(proposal.comment_ends_at),
    vote_ends_at: instant(proposal.vote_ends_at),
    effective_at: instant(proposal.effective_at),
    expires_at: formatMicros(proposal.expires_at),
    lapses_at: instant(proposal.lapses_at),
    votes: votes(proposal.votes),
    ratifications: votes(proposal.ratifications),
    act_id,
  }
}
