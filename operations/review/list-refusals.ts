import type { Attempt } from '../../pipelines/review/refusal.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** Lists refused requests of members, as known at as_of (null: now), the latest first. */
export async function listRefusals(
  subject: { readonly table: Attempt['subject'] },
  { as_of, warehouse }: { readonly as_of: Instant | null; readonly warehouse: Warehouse },
): Promise<readonly Row[]> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables: ['refused_act'] })
  try {
    return await session.query(readSql(import.meta.url, 'sql/refused_acts.sql'), { subject: subject.table })
  } finally {
    await session.close()
  }
}
