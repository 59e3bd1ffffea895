import { beforeEach, expect, test, vi } from 'vitest'
import { rebuildState } from '../../../trading/engine/rebuild-state.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import { loadState } from '../../../trading/store/load-state.ts'
import { notFound, type PlantedChange } from '../../support/trading/audit-after.ts'
import { bustCommand } from '../../support/trading/bust-command.ts'
import { dumpState } from '../../support/trading/dump-state.ts'
import { factHash } from '../../support/trading/fact-hash.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'
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

async function act<D>(command: OperatorCommand): Promise<D> {
  const [answer] = await writer.write(maker.operate(command))
  expect(answer!.error).toBeNull()
  return JSON.parse(answer!.data!) as D
}

/** acct_b buys 5 from acct_a; acct_c buys 3 from acct_a; their settlements, oldest first. */
async function trade(): Promise<string[]> {
  await writer.write(maker.place('acct_a', { side: 'SELL', quantity: '8', limit_price: '0.60' }))
  await writer.write(maker.place('acct_b', { quantity: '5', limit_price: '0.60' }))
  await writer.write(maker.place('acct_c', { quantity: '3', limit_price: '0.60' }))
  return pending()
}

async function pending(): Promise<string[]> {
  const { rows } = await writer.pool.query<{ settlement_id: string }>(
    "SELECT settlement_id FROM trading.settlement WHERE state = 'pending' ORDER BY engine_sequence",
  )
  return rows.map(({ settlement_id }) => settlement_id)
}

async function settle(ids: readonly string[]): Promise<void> {
  await act(submitting(ids))
  await act(concluding(ids))
}

const EVIDENCE = [
  { evidence_id: 'ev_1', kind: 'url', source_uri: 'https://example.org', observed_at: null, content_hash: null },
]
const RESOLVING = { evidence: EVIDENCE, resolver: { kind: 'operator', resolver_id: null } }
const payouts = (yes: string, no: string) => [
  { outcome_id: 'out_yes', payout: yes },
  { outcome_id: 'out_no', payout: no },
]

async function resolve(): Promise<void> {
  const resolution_id = 'res_1'
  const proposal = { verdict: 'resolved', payouts: payouts('1', '0'), dispute_window_ms: 0, ...RESOLVING } as const
  await act({ kind: 'propose_resolution', resolution_id, market_id: 'mkt_1', ...proposal })
  await act({ kind: 'finalize_resolution', resolution_id })
}

const reverse = (settlement_id: string) =>
  act({
    kind: 'reverse_settlement',
    reversal_id: `rev_${settlement_id}`,
    settlement_id,
    reason_code: 'SETTLEMENT_REVERSED',
    rationale: 'test',
    evidence: ['ev_1'],
    approved_by: 'second',
  })

/** All that there is: a failure, a reversal, a resolution, a correction. @returns ids of the trades' settlements */
async function wholeLife(): Promise<string[]> {
  const ids = await trade()
  await act(submitting(ids))
  await act(concluding(ids.slice(0, 2), 'failed'))
  await act(concluding(ids.slice(2)))
  await act(submitting(ids.slice(0, 2), 2))
  await act(concluding(ids.slice(0, 2), 'confirmed', 2))
  await act({
    kind: 'set_marks',
    marks: [{ market_id: 'mkt_1', outcome_id: 'out_yes', mark: '0.61', mark_observation_id: 'obs_1' }],
  })
  const { rows } = await writer.pool.query<{ fill_id: string }>(
    'SELECT fill_id FROM trading.fill WHERE settlement_id = $1',
    [ids[1]],
  )
  // The house is short in acct_a's place then, and takes part in what the outcome pays.
  await act(bustCommand(rows[0]!.fill_id))
  await resolve()
  expect(await act({ kind: 'pay_resolution', resolution_id: 'res_1', limit: 2 })).toMatchObject({
    paid: 2,
    done: false,
  })
  expect(await act({ kind: 'pay_resolution', resolution_id: 'res_1', limit: 2 })).toMatchObject({ paid: 1, done: true })
  await settle(await pending())
  const correction = { payouts: payouts('0.5', '0.5'), correction_reason: 'test', approved_by: 'second', ...RESOLVING }
  await act({ kind: 'correct_resolution', resolution_id: 'res_2', supersedes_id: 'res_1', ...correction })
  expect(await act({ kind: 'pay_resolution', resolution_id: 'res_2', limit: 2 })).toMatchObject({
    paid: 2,
    done: false,
  })
  expect(await act({ kind: 'pay_resolution', resolution_id: 'res_2', limit: 2 })).toMatchObject({ paid: 1, done: true })
  await settle(await pending())
  await act({ kind: 'move_market', market_id: 'mkt_1', to: 'archived' })
  await reverse(ids[3]!)
  return ids
}

test('everything that settlement and resolution leave holds, and a restart finds it again', async () => {
  await wholeLife()
  expect(await writer.broken()).toEqual([])
  const { state } = await loadState(writer.connection, rebuildState)
  expect(dumpState(state)).toEqual(dumpState(writer.state))
})

test('settlement, resolution and correction change no order and no fill', async () => {
  const ids = await trade()
  await act({ kind: 'move_market', market_id: 'mkt_1', to: 'closed' })
  const before = await factHash(writer.pool)
  expect(before).toMatchObject({ orders: 3, fills: 4 })
  await settle(ids)
  await reverse(ids[0]!)
  await resolve()
  await act({ kind: 'pay_resolution', resolution_id: 'res_1', limit: 10 })
  expect(await factHash(writer.pool)).toEqual(before)
  await writer.tamper('UPDATE trading.fill SET fee = fee + 1 WHERE fill_id = (SELECT min(fill_id) FROM trading.fill)')
  expect((await factHash(writer.pool)).fill_hash).not.toBe(before.fill_hash)
  expect((await factHash(writer.pool)).order_hash).toBe(before.order_hash)
})

test('a batch that submits or concludes 400 settlements is written by as many statements as one of 100', async () => {
  const asks = Array.from({ length: 250 }, () => maker.place('acct_a', { side: 'SELL', quantity: '0.01' }))
  const bids = Array.from({ length: 250 }, () => maker.place('acct_b', { quantity: '0.01' }))
  await writer.write(...asks)
  await writer.write(...bids)
  const ids = await pending()
  expect(ids).toHaveLength(500)
  const query = vi.spyOn(writer.connection.client, 'query')
  const statements = async (some: readonly string[]) => {
    query.mockClear()
    await settle(some)
    return query.mock.calls.length
  }
  const few = await statements(ids.slice(0, 100))
  expect(await statements(ids.slice(100))).toBe(few)
  expect(await writer.broken()).toEqual([])
}, 120_000)

/** Changes that an audit must find, by invariant. */
const PLANTED: readonly PlantedChange[] = [
  ['D11', "UPDATE trading.fill SET at = at + interval '1 second'"],
  ['D11', 'UPDATE trading.trade SET price = price + 1'],
  ['D11', "UPDATE trading.trade SET aggressor_side = CASE aggressor_side WHEN 'BUY' THEN 'SELL' ELSE 'BUY' END"],
  ['D11', 'UPDATE trading.adjustment SET fee_delta = fee_delta + 1'],
  ['D11', 'UPDATE trading.orders SET fees = fees + 1'],
  ['D11', 'UPDATE trading.position SET realized_pnl = realized_pnl + 1'],
  ['D11', 'UPDATE trading.balance SET withdrawal_hold = withdrawal_hold + 1'],
  ['D11', "UPDATE trading.market SET status = 'open'"],
  ['D11', 'UPDATE trading.account SET blocked = NOT blocked'],
  ['D11', "UPDATE trading.resolution SET payouts = '[]' WHERE resolution_id = 'res_1'"],
  ['D11', "UPDATE trading.settlement SET state = 'failed' WHERE state = 'confirmed'"],
  ['D12', 'UPDATE trading.asset SET scale = 5'],
  ['D12', "UPDATE trading.account SET owner_address = '0x1a642f0e3c3af545e7acbd38b07251b3990914f1'"],
  ['D12', "UPDATE trading.account SET label = 'x'"],
  ['D12', `UPDATE trading.account SET policy = jsonb_set(policy::jsonb, '{position_limit}', '"1"')::json`],
  ['D12', `UPDATE trading.account_policy SET policy = jsonb_set(policy::jsonb, '{position_limit}', '"1"')::json`],
  ['D12', 'DELETE FROM trading.account_policy'],
  ['D12', "DELETE FROM trading.account WHERE account_id = 'acct_a'"],
  ['D12', `UPDATE trading.market SET listed = jsonb_set(listed::jsonb, '{terms,price_max}', '"0.9"')::json`],
  ['D12', "UPDATE trading.market SET event_id = 'evt_other'"],
  ['D12', 'DELETE FROM trading.market'],
  ['D12', "UPDATE trading.market_outcome SET label = 'other'"],
  ['D12', "UPDATE trading.fee_schedule SET taker_rate = '0'"],
  ['D12', 'UPDATE trading.market SET schedule_version = schedule_version + 1'],
  [
    'D12',
    "INSERT INTO trading.fee_schedule SELECT schedule_id, schedule_version + 1, taker_rate, maker_rate, at + interval '1 second' FROM trading.fee_schedule",
  ],

  [
    'L6',
    "UPDATE trading.settlement SET fee = fee + 1 WHERE state = 'confirmed' AND side = 'BUY' AND fill_id IS NOT NULL",
  ],
  ['L7', "UPDATE trading.resolution_payout SET amount = amount + 1 WHERE resolution_id = 'res_2'"],
  ['L7', "UPDATE trading.resolution_payout SET net_quantity = net_quantity - 1 WHERE account_id = 'acct_a'"],
  [
    'L7',
    "UPDATE trading.ledger_entry SET bucket = 'available' WHERE kind = 'resolution' AND bucket = 'reserved' AND account_id = 'acct_a'",
  ],
  [
    'D6',
    `INSERT INTO trading.ledger_entry SELECT ledger_sequence + 1000, line, kind, account_id, asset_id, bucket, amount, reference_id,
       engine_sequence, at FROM trading.ledger_entry WHERE kind = 'settlement'`,
  ],
  [
    'D6',
    `INSERT INTO trading.ledger_entry SELECT ledger_sequence + 1000, line, kind, account_id, asset_id, bucket, amount, reference_id,
       engine_sequence, at FROM trading.ledger_entry WHERE kind = 'reversal'`,
  ],
  [
    'D6',
    "DELETE FROM trading.ledger_entry WHERE kind = 'settlement' AND reference_id = (SELECT min(settlement_id) FROM trading.fill)",
  ],
  ['D6', "DELETE FROM trading.settlement WHERE kind = 'resolution_correction' AND side = 'BUY'"],
  ['D8', "UPDATE trading.settlement SET state = 'pending' WHERE state = 'confirmed' AND fill_id IS NULL"],
  ['D8', "DELETE FROM trading.settlement_transition WHERE from_state = 'failed'"],
  ['D8', "UPDATE trading.settlement_transition SET state = 'confirmed' WHERE from_state = 'confirmed'"],
  ['D8', 'DELETE FROM trading.settlement_attempt WHERE attempt_number = 1'],
  ['D8', "UPDATE trading.settlement_attempt SET state = 'submitted' WHERE state = 'failed'"],
  [
    'D8',
    `UPDATE trading.engine_event SET body = replace(body::text, '"state":"failed"', '"state":"confirmed"')::json WHERE kind = 'settlement'`,
  ],
  ['D9', 'UPDATE trading.position SET open_settlements = open_settlements + 1'],
  ['D9', "UPDATE trading.settlement SET notional = notional + 1 WHERE state = 'reversed'"],
  ['D9', 'UPDATE trading.position SET pending_short_credit = pending_short_credit + 1'],
  ['D10', "UPDATE trading.market SET status = 'voided'"],
  ['D10', "UPDATE trading.resolution SET revision = 5 WHERE resolution_id = 'res_2'"],
  ['D10', "UPDATE trading.market_outcome SET payout = '0.4' WHERE outcome_id = 'out_yes'"],
  ['D10', 'UPDATE trading.resolution SET paid_count = paid_count - 1'],
  ['O11', 'UPDATE trading.fill SET notional = notional + 1'],
  ['P1', 'UPDATE trading.fill SET quantity = quantity + 1'],
  ['P1', "UPDATE trading.fill SET price = price + 1 WHERE side = 'SELL'"],
  ['P1', "DELETE FROM trading.fill WHERE side = 'BUY'"],
  ['P1', "DELETE FROM trading.engine_event WHERE kind = 'trade'"],
  ['P2', 'UPDATE trading.position SET net_quantity = net_quantity + 1'],
  ['P2', "UPDATE trading.fill SET side = 'BUY' WHERE side = 'SELL'"],
  ['L8', "UPDATE trading.ledger_entry SET amount = amount * 2 WHERE kind = 'deposit'"],
  ['L8', "UPDATE trading.ledger_entry SET reference_id = 'tr_other' WHERE kind = 'deposit'"],
  ['L8', "DELETE FROM trading.ledger_entry WHERE kind = 'deposit'"],
  ['L8', "DELETE FROM trading.operator_act WHERE command ->> 'kind' = 'deposit'"],
  ['L8', "DELETE FROM trading.operator_act WHERE command ->> 'kind' = 'adjust_fill'"],
  ['L8', "UPDATE trading.adjustment SET approved_by = 'other'"],
  ['L8', 'DELETE FROM trading.adjustment'],
  ['L8', "UPDATE trading.settlement_reversal SET actor = 'other'"],
  ['L8', 'DELETE FROM trading.settlement_reversal'],
  ['L8', "UPDATE trading.resolution SET approved_by = 'other' WHERE resolution_id = 'res_2'"],
  ['L8', "DELETE FROM trading.operator_act WHERE command ->> 'kind' = 'propose_resolution'"],
]

test('each invariant finds what it is about', async () => {
  await wholeLife()
  expect(await writer.broken()).toEqual([])
  expect(await notFound(writer.pool, PLANTED)).toEqual([])
})

test('marks as of an instant are those that were told by then', async () => {
  await trade()
  const mark = (value: string, mark_observation_id: string) =>
    act<{ changed: number }>({
      kind: 'set_marks',
      marks: [{ market_id: 'mkt_1', outcome_id: 'out_yes', mark: value, mark_observation_id }],
    })
  expect(await mark('0.61', 'obs_1')).toMatchObject({ changed: 1 })
  expect(await mark('0.61', 'obs_1')).toMatchObject({ changed: 0 })
  expect(await mark('0.63', 'obs_2')).toMatchObject({ changed: 1 })
  const { rows } = await writer.pool.query('SELECT mark, mark_observation_id FROM trading.outcome_mark ORDER BY at')
  expect(rows).toEqual([
    { mark: 61_000_000, mark_observation_id: 'obs_1' },
    { mark: 63_000_000, mark_observation_id: 'obs_2' },
  ])
  const acts = await writer.pool.query("SELECT FROM trading.operator_act WHERE command->>'kind' = 'set_marks'")
  expect(acts.rowCount).toBe(0)
})
