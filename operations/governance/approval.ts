import type { Proposal } from '../../pipelines/governance/proposal.ts'
import type { Instant } from '../../primitives/instants.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { Governance } from './read-governance.ts'

/** Course of a proposal that was approved, as the version that it put in force states it. */
export type Approval = {
  readonly proposal_id: string
  /** People who approved, in the order of their names. */
  readonly approved_by: string
  readonly approved_at: Instant
  /** Instant at which the notice began. */
  readonly announced_at: Instant
  /** End of the notice. */
  readonly effective_at: Instant
}

/** Returns the approval of a proposal that is, or was, in force. */
export function approvalOf({ acts }: Governance, { proposal_id, votes, effective_at }: Proposal): Approval {
  const recordedAt = (act: string): Instant =>
    String(acts.find((row) => row.subject_id === proposal_id && row.act === act)!.recorded_at)
  const approvers = votes.filter(({ choice }) => choice === 'approve').map(({ actor_id }) => actor_id)
  return {
    proposal_id,
    approved_by: [...new Set(approvers)].sort().join(', '),
    approved_at: recordedAt('approve'),
    announced_at: recordedAt('queue'),
    effective_at: formatMicros(effective_at!),
  }
}
