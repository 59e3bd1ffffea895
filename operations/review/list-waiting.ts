import type { ReviewRow, ReviewSubject } from '../../pipelines/review/subject.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/**
 * Lists the records that wait for a person, as known at as_of (null: now): proposals under review, records returned to their proposers,
 * and open disputes, the longest waiting first.
 */
export async function listWaiting(
  subject: ReviewSubject,
  { as_of, warehouse }: { readonly as_of: Instant | null; readonly warehouse: Warehouse },
): Promise<readonly ReviewRow[]> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables: [subject.table] })
  try {
    const places = { rows: `${subject.table}_history`, id: subject.id_field }
    return (await session.query(readSql(import.meta.url, 'sql/assessments_waiting.sql', places))) as ReviewRow[]
  } finally {
    await session.close()
  }
}
