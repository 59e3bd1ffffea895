import { expect, test } from 'vitest'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { auditAfter } from '../../support/trading/audit-after.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { openWriter } from '../support/batch-writer.ts'

const database = withDatabase()
const CUT: Partial<OrderIntent> = { side: 'SELL', quantity: '5', reduce_only: true, time_in_force: 'FAK' }
/** Turns orders that were cut to what they could reduce into FOK orders. */
const AS_FOK = "UPDATE trading.orders SET time_in_force = 'FOK' WHERE reduce_only"
/** Makes all orders those of a version before the rule. */
const EARLIER = 'UPDATE trading.rule_start SET engine_sequence = 1000000'

/** An account that holds 2 sells 5 reduce_only, of which 2 fill. */
async function cutOrder(complementary: boolean) {
  const { pool } = await database()
  const writer = await openWriter(pool)
  const maker = new SubmissionMaker()
  await writer.write(...maker.setUp(['acct_a', 'acct_b'], '1000', { complementary }))
  const place = (account_id: string, order: Partial<OrderIntent>) => writer.write(maker.place(account_id, order))
  await place('acct_b', { side: 'SELL', quantity: '2' })
  await place('acct_a', { quantity: '2' })
  await place('acct_b', { quantity: '9' })
  await place('acct_a', CUT)
  const cut = await pool.query('SELECT status, filled_quantity, terminal_reason FROM trading.orders WHERE reduce_only')
  expect(cut.rows).toEqual([{ status: 'canceled', filled_quantity: 200, terminal_reason: 'REDUCE_ONLY' }])
  expect(await writer.broken()).toEqual([])
  await writer.connection.close()
  return pool
}

test('the audit finds a reduce_only FOK that filled in part, unless an earlier version cut it', async () => {
  const pool = await cutOrder(false)
  expect(await auditAfter(pool, AS_FOK, ['O5'])).toEqual(['O5'])
  expect(await auditAfter(pool, `${EARLIER}; ${AS_FOK}`, ['O5'])).toEqual([])
  const other = "UPDATE trading.orders SET time_in_force = 'FOK', reduce_only = false WHERE reduce_only"
  expect(await auditAfter(pool, `${EARLIER}; ${other}`, ['O5'])).toEqual(['O5'])
})

test('in a complementary market no version may have cut it', async () => {
  const pool = await cutOrder(true)
  expect(await auditAfter(pool, AS_FOK, ['O5'])).toEqual(['O5'])
  expect(await auditAfter(pool, `${EARLIER}; ${AS_FOK}`, ['O5'])).toEqual(['O5'])
})

test('a migrated database knows up to which order the rule did not hold, and nobody changes it', async () => {
  const { pool } = await database()
  const { rows } = await pool.query('SELECT rule, engine_sequence FROM trading.rule_start')
  expect(rows).toEqual([{ rule: 'reduce_only_fok_is_whole', engine_sequence: 0 }])
  await expect(pool.query(EARLIER)).rejects.toThrow()
})
