import type { ComplaintOutcome } from '../../vocabulary/notices.ts'
import { derivedNotice, type Notice } from './notice.ts'

/** Complaint that was resolved. */
export type OutcomeFact = {
  readonly complaint_id: string
  readonly revision: number
  readonly subject_id: string | null
  readonly outcome: ComplaintOutcome
  readonly reason: string
  readonly proposal_id?: string | null
}

/** Returns the notices of complaints that were resolved. */
export function noticesOfOutcomes(facts: readonly OutcomeFact[]): Notice[] {
  return facts.map(outcomeNotice)
}

function outcomeNotice({ complaint_id, revision, subject_id, outcome, reason, proposal_id }: OutcomeFact): Notice {
  return derivedNotice('complaint_resolved', {
    kind: 'complaint_outcome',
    subject_id: complaint_id,
    index_id: subject_id?.startsWith('idx_') ? subject_id : null,
    market_id: subject_id?.startsWith('mkt_') ? subject_id : null,
    proposal_id: proposal_id ?? null,
    title: `Complaint ${complaint_id}: ${outcome}`,
    text: reason,
    cause: outcome,
    source_ids: [complaint_id, String(revision)],
  })
}
