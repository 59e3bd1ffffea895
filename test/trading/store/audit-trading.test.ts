import { expect, test } from 'vitest'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

const database = withDatabase()

/** A pool whose clients note how the server goes about each check, as it is set when it is asked. */
function noting(pool: Pool, plans: string[]): Pool {
  const connect = async () => {
    const client = await pool.connect()
    const query = async (sql: string, values?: unknown[]) => {
      if (!sql.includes('AS violation')) return client.query(sql, values)
      const { rows } = await client.query(`EXPLAIN ${sql}`, values)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return client.query(sql, values)
    }
    return { query, release: () => client.release() }
  }
  return { connect } as unknown as Pool
}

/** Joins of a plan that visit the second table once a row of the first; the elements of one row's JSON are no table. */
function nestedLoops(plan: string): string[] {
  return plan.split('\n').filter((line) => line.includes('Nested Loop') && !plan.includes('Function Scan'))
}

/** While the server's counts of rows are old, as those of this database, the planner takes such a join for cheap. */
test('no check of the audit joins tables by a nested loop, which would be quadratic', async () => {
  const { pool } = await database()
  const plans: string[] = []
  const audited = await auditTrading(noting(pool, plans), { without: ['O10'] })
  expect(audited.length).toBe(plans.length + 3) // the chain, the signatures of acts and those of authorizations are not SQL
  expect(plans.length).toBeGreaterThan(20)
  expect(plans.flatMap(nestedLoops)).toEqual([])
})
