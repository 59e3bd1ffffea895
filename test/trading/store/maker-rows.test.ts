import { beforeEach, expect, test } from 'vitest'
import { rebuildState } from '../../../trading/engine/rebuild-state.ts'
import type { Submission } from '../../../trading/engine/submission.ts'
import { loadState } from '../../../trading/store/load-state.ts'
import { notFound, type PlantedChange } from '../../support/trading/audit-after.ts'
import { dumpState } from '../../support/trading/dump-state.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { type BatchWriter, openWriter } from '../support/batch-writer.ts'

const database = withDatabase()
let writer: BatchWriter
let maker: SubmissionMaker

beforeEach(async () => {
  writer = await openWriter((await database()).pool)
  maker = new SubmissionMaker()
  await writer.write(...maker.setUp(['acct_a', 'acct_b', 'acct_c'], '1000'))
  return () => writer.connection.close()
})

async function done(submission: Submission): Promise<void> {
  const [answer] = await writer.write(submission)
  expect(answer!.error).toBeNull()
}

const LADDER = [
  { limit_price: '0.45', quantity: '5' },
  { limit_price: '0.44', quantity: '5' },
  { side: 'SELL', limit_price: '0.55', quantity: '5' },
] as const
const quote = () => done(maker.massQuote('acct_a', 'main', LADDER))
const take = (account_id: string) => done(maker.place(account_id, { limit_price: '0.55', quantity: '2' }))

const WORKING_BID = "SELECT order_id, version FROM trading.orders WHERE limit_price = '0.45' AND status = 'open'"

/** Ladders that are replaced, a protection that counts and one that was triggered, a switch that fired and one that is set. */
async function makeMarkets(): Promise<void> {
  await done(maker.setProtection('acct_a', { fill_count_max: 10, window_ms: 60_000 }))
  await quote()
  await take('acct_b')
  await quote()
  await take('acct_b')
  // A replacement stays in the ladder.
  const [bid] = (await writer.pool.query(WORKING_BID)).rows
  await done(maker.amend('acct_a', bid.order_id, bid.version, { limit_price: '0.43', quantity: '5' }))
  await done(maker.setProtection('acct_c', { fill_count_max: 1 }))
  await done(maker.massQuote('acct_c', 'main', [{ limit_price: '0.46', quantity: '1' }]))
  await done(maker.place('acct_b', { side: 'SELL', limit_price: '0.46', quantity: '1' }))
  await done(maker.place('acct_b', { limit_price: '0.10' }))
  await done(maker.cancelAfter('acct_b', 5_000))
  writer.now += 5_000_000
  await writer.write({ kind: 'stamp', at: writer.now })
  await done(maker.cancelAfter('acct_a', 300_000))
}

/** Changes that an audit must find, by invariant. */
const PLANTED: readonly PlantedChange[] = [
  ['P3', "UPDATE trading.market_maker_protection SET window_fills = '[]' WHERE account_id = 'acct_a'"],
  [
    'P3',
    `UPDATE trading.market_maker_protection SET window_fills = replace(window_fills::text, '"count":1', '"count":2')::json
     WHERE account_id = 'acct_a'`,
  ],
  ['P3', "UPDATE trading.market_maker_protection SET frozen_until = NULL WHERE account_id = 'acct_c'"],
  ['P3', "UPDATE trading.market_maker_protection SET triggered_at = NULL WHERE account_id = 'acct_c'"],
  ['P3', "UPDATE trading.fill SET quantity = quantity + 1 WHERE account_id = 'acct_a' AND liquidity_role = 'maker'"],
  [
    'P4',
    `UPDATE trading.orders SET status = 'open' WHERE order_id = (SELECT min(order_id) FROM trading.orders
     WHERE quote_set_id IS NOT NULL AND account_id = 'acct_a')`,
  ],
  [
    'P4',
    "DELETE FROM trading.orders WHERE order_id = (SELECT max(order_id) FROM trading.orders WHERE status = 'open' AND limit_price = '0.44')",
  ],
  [
    'P4',
    `UPDATE trading.orders SET command_id = (SELECT min(command_id) FROM trading.orders WHERE quote_set_id IS NOT NULL)
     WHERE order_id = (SELECT max(order_id) FROM trading.orders WHERE status = 'open' AND limit_price = '0.44')`,
  ],
  ['P5', "UPDATE trading.account SET cancel_after_at = NULL WHERE account_id = 'acct_a'"],
  [
    'P5',
    "UPDATE trading.account SET cancel_after_at = cancel_after_at + interval '1 second' WHERE account_id = 'acct_a'",
  ],
  [
    'P5',
    `UPDATE trading.fill SET engine_sequence = engine_sequence + 100000, order_id = (SELECT order_id FROM trading.orders
       WHERE account_id = 'acct_b' AND terminal_reason = 'CANCEL_AFTER')
     WHERE account_id = 'acct_b' AND side = 'SELL'`,
  ],
]

test('what makers leave holds, a restart finds it again, and the audit finds each change of it', async () => {
  await makeMarkets()
  expect(await writer.broken()).toEqual([])
  const { rows } = await writer.pool.query('SELECT account_id, trigger_count FROM trading.market_maker_protection')
  expect(rows).toEqual([
    { account_id: 'acct_a', trigger_count: 0 },
    { account_id: 'acct_c', trigger_count: 1 },
  ])
  const { state } = await loadState(writer.connection, rebuildState)
  expect(dumpState(state)).toEqual(dumpState(writer.state))
  expect(await notFound(writer.pool, PLANTED)).toEqual([])
})
