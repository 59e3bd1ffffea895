import type { ReviewStanding } from '../../pipelines/review/review-phase.ts'
import { type ReviewRow, type ReviewSubject, recordIdOf } from '../../pipelines/review/subject.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { withSession } from './review-session.ts'

/** Reads the current state of an assessment; null if the chain is unknown. */
export async function readStanding(
  warehouse: Warehouse,
  subject: ReviewSubject,
  chain_id: string,
): Promise<ReviewStanding | null> {
  const query = readSql(import.meta.url, 'sql/assessment_of_chain.sql', { rows: `${subject.table}_history` })
  const [row] = await withSession(warehouse, subject, (session) => session.query(query, { chain_id }))
  return row === undefined ? null : standingOf(subject, row as ReviewRow)
}

function standingOf(subject: ReviewSubject, row: ReviewRow): ReviewStanding {
  const { revision, review_state, effective_from } = row
  const { expires_at = null } = (row.override ?? {}) as { readonly expires_at?: string }
  return {
    record_id: recordIdOf(subject, row),
    revision,
    review_state,
    effective_from: String(effective_from),
    expires_at,
  }
}
