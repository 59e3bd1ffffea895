import type { ReviewRow, ReviewSubject } from '../../pipelines/review/subject.ts'
import type { Micros } from '../../primitives/instants.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { stampOf, withSession } from './review-session.ts'

/**
 * Publishes the records of acts that were recorded and then interrupted. Run twice, or beside an actor who was only slow, it publishes each
 * once.
 * @returns how many acts were finished
 */
export async function finishActs(
  subject: ReviewSubject,
  ports: { readonly warehouse: Warehouse; readonly at: Micros | null },
): Promise<number> {
  const { warehouse } = ports
  const query = readSql(import.meta.url, 'sql/acts_without_records.sql', { rows: `${subject.table}_history` })
  const open = await withSession(warehouse, subject, (session) => session.query(query, { subject: subject.table }))
  for (const { act_id, records } of open) {
    await warehouse.append(subject.table, JSON.parse(String(records)) as ReviewRow[], {
      app_id: String(act_id),
      app_sequence: 1,
      stamp: stampOf(ports.at),
      operation: 'REVIEW',
    })
  }
  return open.length
}
