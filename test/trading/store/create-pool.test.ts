import { afterAll, expect, test } from 'vitest'
import { createPool, type Pool } from '../../../trading/store/create-pool.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

const database = withDatabase()
const pools: Pool[] = []
afterAll(() => Promise.all(pools.map((pool) => pool.end())))

function poolOf(url: string, by_index: boolean): Pool {
  const pool = createPool({ url, size: 1, by_index, onError: () => undefined })
  pools.push(pool)
  return pool
}

async function planOf(pool: Pool): Promise<string> {
  const { rows } = await pool.query("EXPLAIN SELECT * FROM grows WHERE id = ANY ('{a,b}')")
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('a plan that was made while a table was small reads it by its index, so that it need not be made again once it is large', async () => {
  const { url, pool } = await database()
  await pool.query('CREATE TABLE grows (id text PRIMARY KEY)')
  await pool.query("INSERT INTO grows VALUES ('a')")
  await pool.query('ANALYZE grows')
  expect(await planOf(poolOf(url, true))).toMatch(/Index/)
  // Else it would: the whole of it, which is little as yet.
  expect(await planOf(poolOf(url, false))).toMatch(/Seq Scan/)
})
