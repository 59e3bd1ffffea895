import type { Notice } from '../../pipelines/notices/notice.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** Fields of a notice that name a record, and where records of the kind are listed. */
const NAMED = {
  index_id: 'an index of GET /v1/indexes',
  market_id: 'a market of GET /v1/markets',
  venue_id: 'a venue of a published market',
} as const
const FIELDS = Object.keys(NAMED) as (keyof typeof NAMED)[]

/**
 * Refuses a notice about an index, market or venue that nobody published.
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND
 */
export async function checkNamed(warehouse: Warehouse, notice: Pick<Notice, keyof typeof NAMED>): Promise<void> {
  const { index_id, market_id, venue_id } = notice
  if (FIELDS.every((field) => notice[field] === null)) return
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const sql = readSql(import.meta.url, 'sql/named_records.sql')
    const [known] = await session.query(sql, { index_id, market_id, venue_id })
    const unknown = FIELDS.find((field) => notice[field] !== null && known![field] !== true)
    if (unknown !== undefined) throw notAllowed('GOVERNANCE_NOT_FOUND', unknown, notice[unknown]!, NAMED[unknown])
  } finally {
    await session.close()
  }
}
