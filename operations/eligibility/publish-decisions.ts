import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { evaluateMarkets } from './evaluate-markets.ts'

/** Evaluates every market by each policy that an index selects by. @returns number of decisions published */
export async function publishDecisions(warehouse: Warehouse, signal?: AbortSignal): Promise<number> {
  let published = 0
  for (const { policy_id, policy_version } of await selectingPolicies(warehouse)) {
    signal?.throwIfAborted()
    const policy = { policy_id: String(policy_id), version: Number(policy_version) }
    const report = await evaluateMarkets(warehouse, { policy, market_ids: null, as_of: null, publish: true })
    published += report.published
  }
  return published
}

async function selectingPolicies(warehouse: Warehouse): Promise<readonly Row[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_version'] })
  try {
    return await session.query(readSql(import.meta.url, 'sql/selecting_policies.sql'))
  } finally {
    await session.close()
  }
}
