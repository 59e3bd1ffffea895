import type { Complaint } from '../../pipelines/notices/complaint.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** A revision of a complaint with the act that made it. */
export type ComplaintRow = Complaint & {
  readonly act: string
  readonly actor_id: string
  readonly public_key: string
  readonly signed_text: string
  readonly signature: string
  readonly acted_at: Instant
  readonly recorded_at: Instant
  readonly published_at: Instant
}

/** Returns every act on every public complaint, in the order of publication. @param as_of null: now */
export async function readComplaintActs(
  warehouse: Warehouse,
  as_of: Instant | null = null,
): Promise<readonly ComplaintRow[]> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables: ['governance_complaint'] })
  try {
    return (await session.query(
      readSql(import.meta.url, 'sql/complaint_acts.sql'),
    )) as unknown as readonly ComplaintRow[]
  } finally {
    await session.close()
  }
}

/** Returns the newest revision of each complaint, by id. */
export function newestComplaints(rows: readonly ComplaintRow[]): ReadonlyMap<string, ComplaintRow> {
  return new Map(rows.map((row) => [row.complaint_id, row]))
}

const INVOLVING: readonly TableName[] = [
  'governance_act',
  'governance_proposal',
  'governance_notice',
  'assessment_act',
  'market_rating',
  'severity_assessment',
  'index_version',
]

/** Returns the people who took part in a matter by an instant; none if no record is named. */
export async function readInvolved(
  warehouse: Warehouse,
  subject_id: string | null,
  by: Micros,
): Promise<ReadonlySet<string>> {
  if (subject_id === null) return new Set()
  const session = await openReadSession(warehouse, { as_of: null, tables: INVOLVING })
  try {
    const rows = await session.query(readSql(import.meta.url, 'sql/involvement.sql'), { subject_id })
    return new Set(rows.flatMap(({ actor_id, involved_at }) => (toMicros(involved_at) <= by ? [String(actor_id)] : [])))
  } finally {
    await session.close()
  }
}
