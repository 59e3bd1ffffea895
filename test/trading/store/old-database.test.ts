import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Order } from '../../../protocol/resources/order.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { migrate } from '../../../trading/store/migrate.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { startLeading, stopAndReload, violations } from '../support/engine-faults.ts'

const database = withDatabase()

/** Rows of every table, written by the version whose last migration was 0006. */
type OldDatabase = Readonly<Record<string, readonly object[]>> & {
  readonly tidemark_migration: readonly { readonly name: string; readonly sha256: string }[]
}
const OLD = JSON.parse(readFileSync(new URL('./old-database.json', import.meta.url), 'utf8')) as OldDatabase

/** Makes a database what it was before the migrations that came later. */
async function becomeOld(pool: Pool): Promise<void> {
  const { tidemark_migration: applied, ...tables } = OLD
  await pool.query('DROP SCHEMA trading CASCADE; DELETE FROM public.tidemark_migration')
  for (const { name, sha256 } of applied) {
    await pool.query(readFileSync(new URL(`../../../trading/migrations/${name}`, import.meta.url), 'utf8'))
    await pool.query('INSERT INTO public.tidemark_migration (name, sha256) VALUES ($1, $2)', [name, sha256])
  }
  for (const [table, rows] of Object.entries(tables)) {
    await pool.query(`DELETE FROM trading.${table}`).catch(() => undefined)
    const insert = `INSERT INTO trading.${table} SELECT * FROM json_populate_recordset(null::trading.${table}, $1)`
    await pool.query(insert, [JSON.stringify(rows)])
  }
}

test('a database of before limits, slices and consents is migrated, read, and its orders go on', async () => {
  const { pool } = await database()
  await becomeOld(pool)
  const applied = await migrate(pool)
  expect([applied[0], applied.length]).toEqual(['0007_key_expiry.sql', 7])
  expect(await violations(pool)).toEqual([])
  const engine = await startLeading(pool)
  const { client } = engine
  const maker = new SubmissionMaker('later')
  const ask = async <D = Order>(submission: Parameters<typeof client.submit>[0]) => {
    const { data, error } = await client.submit(submission)
    return { error, data: JSON.parse(data ?? 'null') as D }
  }
  // The market was paused, and the engine had yet to cancel what asks for it.
  await expect
    .poll(async () => (await pool.query(ENDED)).rows)
    .toEqual([
      { limit_price: '0.40', status: 'canceled', terminal_reason: 'CANCEL_ON_PAUSE' },
      { limit_price: '0.41', status: 'suspended', terminal_reason: null },
      { limit_price: '0.42', status: 'canceled', terminal_reason: 'USER_CANCELED' },
      { limit_price: '0.60', status: 'filled', terminal_reason: null },
      { limit_price: '0.60', status: 'suspended', terminal_reason: null },
    ])
  await ask(maker.operate({ kind: 'move_market', market_id: 'mkt_1', to: 'open' }))
  const bought = await ask(maker.place('acct_b', { limit_price: '0.60', quantity: '1', time_in_force: 'FOK' }))
  expect(bought.data.status).toBe('filled')
  const { rows } = await pool.query<{ order_id: string }>(
    "SELECT order_id FROM trading.orders WHERE limit_price = '0.41'",
  )
  const canceled = await ask(maker.cancel('acct_b', rows[0]!.order_id))
  // What the older version did not keep is missing, not invented.
  expect(canceled.data).toMatchObject({ status: 'canceled', client_cancel_id: null, filled_quantity: '0.00' })
  const left = await ask<{ targeted_count: number }>(maker.cancelAll('acct_a'))
  expect(left.data.targeted_count).toBe(1)
  const { memory, reloaded } = await stopAndReload(pool, engine)
  expect(reloaded).toEqual(memory)
  expect(await violations(pool)).toEqual([])
})

const ENDED = 'SELECT limit_price, status, terminal_reason FROM trading.orders ORDER BY limit_price, status'
