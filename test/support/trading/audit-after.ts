import { invariant } from '../../../primitives/errors.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'

/**
 * Audits after a change of a superuser, whom no trigger stops, and takes the change back.
 * @param change statements; the last one, or the only one, must meet a row
 * @param invariant_ids invariants to check
 * @returns those that do not hold
 */
export async function auditAfter(pool: Pool, change: string, invariant_ids: readonly string[]): Promise<string[]> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SET LOCAL session_replication_role = replica')
    const changed = [await client.query(change)].flat().at(-1)!
    invariant(changed.rowCount !== 0, `a row is changed by ${change}`)
    const query = async (sql: string, values?: unknown[]) =>
      /^(BEGIN|ROLLBACK)/.test(sql) ? null : client.query(sql, values)
    const connect = async () => ({ query, release: () => undefined })
    const audited = await auditTrading({ connect } as unknown as Pool, { invariant_ids })
    return audited.flatMap(({ invariant_id, violations }) => (violations.length > 0 ? [invariant_id] : []))
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

/** A change, and the invariant that must not hold after it. */
export type PlantedChange = readonly [invariant_id: string, change: string]

/** Returns the changes that the audit does not find. */
export async function notFound(pool: Pool, planted: readonly PlantedChange[]): Promise<PlantedChange[]> {
  const missed: PlantedChange[] = []
  for (const [invariant_id, change] of planted) {
    if ((await auditAfter(pool, change, [invariant_id])).length === 0) missed.push([invariant_id, change])
  }
  return missed
}
