import type { NoticeFacts } from '../../pipelines/notices/derive-notices.ts'
import type { Notice } from '../../pipelines/notices/notice.ts'
import type { Instant } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** Statement of each kind of fact. */
const STATEMENTS: Readonly<Record<keyof NoticeFacts, string>> = {
  proposals: readSql(import.meta.url, 'sql/proposal_states.sql'),
  levels: readSql(import.meta.url, 'sql/restated_levels.sql'),
  resolutions: readSql(import.meta.url, 'sql/changed_resolutions.sql'),
  level_states: readSql(import.meta.url, 'sql/impaired_levels.sql'),
  outages: readSql(import.meta.url, 'sql/venue_outages.sql'),
  statuses: readSql(import.meta.url, 'sql/status_changes.sql'),
  outcomes: readSql(import.meta.url, 'sql/complaint_outcomes.sql'),
}

const TABLES: readonly TableName[] = [
  'governance_roster',
  'governance_proposal',
  'index_observation',
  'index_restatement',
  'market_resolution',
  'ingest_health',
  'index_definition',
  'governance_complaint',
  'governance_notice',
]

/** Records from which notices follow, and the notices that were published. */
export type NoticeRecords = { readonly facts: NoticeFacts; readonly notices: readonly NoticeRow[] }

/** A published notice; those of members are signed. */
export type NoticeRow = Notice & {
  readonly published_at: Instant
  readonly actor_id: string | null
  readonly public_key: string | null
  readonly signed_text: string | null
  readonly signature: string | null
  readonly acted_at: Instant | null
}

/**
 * Reads everything that notices follow from.
 * @returns null: the home was never governed, so nobody answers for notices
 */
export async function readNoticeRecords(warehouse: Warehouse): Promise<NoticeRecords | null> {
  const session = await openReadSession(warehouse, { as_of: null, tables: TABLES })
  try {
    const [first] = await session.query(readSql(import.meta.url, 'sql/first_roster.sql'))
    if (first === undefined) return null
    const facts: Partial<Record<keyof NoticeFacts, unknown>> = {}
    // Nobody was in office before the first proposal of a roster.
    const since = { since: String(first.proposed_at) }
    for (const [kind, sql] of Object.entries(STATEMENTS))
      facts[kind as keyof NoticeFacts] = await session.query(sql, since)
    const notices = await session.query(readSql(import.meta.url, 'sql/notices.sql'))
    return { facts: facts as NoticeFacts, notices: notices as unknown as readonly NoticeRow[] }
  } finally {
    await session.close()
  }
}
