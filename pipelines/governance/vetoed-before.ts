import { toMicros } from '../../primitives/instants.ts'
import type { Proposal } from './proposal.ts'

/** Fields of a proposal by which one is compared with another. */
export type Comparable = Pick<
  Proposal,
  'proposal_id' | 'kind' | 'target' | 'base_hash' | 'content' | 'state' | 'proposed_at'
>

/**
 * Returns the earlier proposals of the same change that oversight vetoed, first to last. They have the same kind, target and base,
 * whatever their words; restatements have ticks in common. No rule refuses the new one, so whoever votes has to see them.
 */
export function vetoedBefore(proposal: Comparable, others: Iterable<Comparable>): readonly string[] {
  return [...others]
    .filter((one) => one.state === 'vetoed' && one.proposed_at < proposal.proposed_at && isSameChange(one, proposal))
    .sort((a, b) => a.proposed_at - b.proposed_at)
    .map(({ proposal_id }) => proposal_id)
}

function isSameChange(a: Comparable, b: Comparable): boolean {
  if (a.kind !== b.kind || a.target !== b.target || a.base_hash !== b.base_hash) return false
  if (a.kind !== 'restatement') return true
  const [one, other] = [rangeOf(a), rangeOf(b)]
  return one.from < other.to && other.from < one.to
}

function rangeOf({ content }: Comparable) {
  return { from: toMicros(content.from, 'from'), to: toMicros(content.to, 'to') }
}
