import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Order } from '../../../protocol/resources/order.ts'
import { PublicMarkets } from '../../../trading/public-market/fold-events.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { checkpointKeeper } from '../../../trading/store/keep-checkpoints.ts'
import { migrate } from '../../../trading/store/migrate.ts'
import { createPastReads } from '../../../trading/store/read/past-reads.ts'
import { createPublicReads } from '../../../trading/store/read/public-reads.ts'
import { decodeEvent } from '../../../trading/store/tailed-event.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { viewOf } from '../public-market/twin.ts'
import { startLeading, stopAndReload, violations } from '../support/engine-faults.ts'

const database = withDatabase()
const MIGRATIONS = new URL('../../../trading/migrations/', import.meta.url)

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
    await pool.query(readFileSync(new URL(name, MIGRATIONS), 'utf8'))
    await pool.query('INSERT INTO public.tidemark_migration (name, sha256) VALUES ($1, $2)', [name, sha256])
  }
  for (const [table, rows] of Object.entries(tables)) {
    await pool.query(`DELETE FROM trading.${table}`).catch(() => undefined)
    const insert = `INSERT INTO trading.${table} SELECT * FROM json_populate_recordset(null::trading.${table}, $1)`
    await pool.query(insert, [JSON.stringify(rows)])
  }
}

test('the public state of a database of before complementary markets is read with no derived part, live and as of', async () => {
  const { pool } = await database()
  await becomeOld(pool)
  await migrate(pool)
  const reads = createPublicReads(pool)
  const past = createPastReads(pool)
  const { head, levels, markets, places } = await reads.state({ since: 0, events_max: 0 })
  expect(levels.length).toBeGreaterThan(0)
  const live = new PublicMarkets()
  live.list(markets[0]!)
  live.restore(places.map(decodeEvent))
  live.setBooks(levels)
  const shown = viewOf(live.market('mkt_1')!)
  expect(JSON.stringify(shown)).not.toContain('derived')
  const keeper = checkpointKeeper(pool, 1)
  for (const stored of [false, true]) {
    if (stored) await keeper.keep(await keeper.outcomes(), head.engine_sequence)
    const then = await past.market(markets[0]!, head.engine_sequence)
    expect(then && viewOf(then)).toEqual(shown)
  }
  const { rows } = await pool.query(
    'SELECT max(json_array_length(l)) AS fields FROM trading.book_checkpoint, json_array_elements(levels) AS l',
  )
  expect(rows[0].fields).toBe(4)
  const trades = await reads.trades({
    market_id: 'mkt_1',
    outcome_id: 'out_no',
    after_sequence: 0,
    start: null,
    before: head.at + 1,
    limit: 100,
  })
  const named = trades.map((row) => decodeEvent(row)).map((event) => 'outcome_id' in event && event.outcome_id)
  expect(named.every((outcome_id) => outcome_id === 'out_no')).toBe(true)
})

test('a database of before limits, slices and consents is migrated, read, and its orders go on', async () => {
  const { pool } = await database()
  await becomeOld(pool)
  const applied = await migrate(pool)
  const later = readdirSync(MIGRATIONS).filter((name) => name.slice(0, 4) > '0006')
  expect(applied).toEqual(later.sort())
  expect(await violations(pool)).toEqual([])
  const starts = await pool.query(STARTS)
  expect(starts.rows).toEqual([{ is_last: true }])
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

/** Rules that hold from the migration on start behind the last order of the old database. */
const STARTS = `SELECT engine_sequence = (SELECT max(last_engine_sequence) FROM trading.engine_batch) AS is_last
  FROM trading.rule_start`
const ENDED = 'SELECT limit_price, status, terminal_reason FROM trading.orders ORDER BY limit_price, status'
