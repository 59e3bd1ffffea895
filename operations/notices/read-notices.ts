import { type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { NoticeRow } from './read-facts.ts'

/** Returns every notice known at an instant, in the order of publication. @param as_of null: now */
export async function readNotices(warehouse: Warehouse, as_of: Instant | null = null): Promise<readonly NoticeRow[]> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables: ['governance_notice'] })
  try {
    return (await session.query(readSql(import.meta.url, 'sql/notices.sql'))) as unknown as readonly NoticeRow[]
  } finally {
    await session.close()
  }
}
