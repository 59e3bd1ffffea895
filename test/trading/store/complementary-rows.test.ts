import { beforeEach, expect, test } from 'vitest'
import { rebuildState } from '../../../trading/engine/rebuild-state.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { loadState } from '../../../trading/store/load-state.ts'
import { notFound, type PlantedChange } from '../../support/trading/audit-after.ts'
import { bustCommand } from '../../support/trading/bust-command.ts'
import { dumpState } from '../../support/trading/dump-state.ts'
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
  await writer.write(...maker.setUp(['acct_a', 'acct_b', 'acct_c'], '1000', { complementary: true }))
  return () => writer.connection.close()
})

async function act<D>(command: OperatorCommand): Promise<D> {
  const [answer] = await writer.write(maker.operate(command))
  expect(answer!.error).toBeNull()
  return JSON.parse(answer!.data!) as D
}

async function place(account_id: string, text: string, extra: Partial<OrderIntent> = {}): Promise<void> {
  const [side, outcome, quantity, limit_price] = text.split(' ')
  const outcome_id = outcome === 'NO' ? 'out_no' : 'out_yes'
  const terms = { side: side as 'BUY' | 'SELL', outcome_id, quantity: quantity!, limit_price: limit_price!, ...extra }
  const [answer] = await writer.write(maker.place(account_id, terms))
  expect(answer!.error).toBeNull()
}

async function ids(sql: string): Promise<string[]> {
  const { rows } = await writer.pool.query<{ id: string }>(sql)
  return rows.map(({ id }) => id)
}

const pending = () =>
  ids("SELECT settlement_id AS id FROM trading.settlement WHERE state = 'pending' ORDER BY engine_sequence")
const fillOf = async (account_id: string, nth: number) =>
  (await ids(`SELECT fill_id AS id FROM trading.fill WHERE account_id = '${account_id}' ORDER BY engine_sequence`))[
    nth
  ]!

async function settle(settlement_ids: readonly string[]): Promise<void> {
  if (settlement_ids.length === 0) return
  await act(submitting(settlement_ids))
  await act(concluding(settlement_ids))
}

const payouts = (yes: string, no: string) => [
  { outcome_id: 'out_yes', payout: yes },
  { outcome_id: 'out_no', payout: no },
]
const RESOLVING = { evidence: [], resolver: { kind: 'operator', resolver_id: null } } as const

async function resolve(yes: string, no: string): Promise<void> {
  const proposal = { verdict: 'resolved', payouts: payouts(yes, no), dispute_window_ms: 0, ...RESOLVING } as const
  await act({ kind: 'propose_resolution', resolution_id: 'res_1', market_id: 'mkt_1', ...proposal })
  await act({ kind: 'finalize_resolution', resolution_id: 'res_1' })
}

const pay = (resolution_id: string, limit = 100) =>
  act<{ paid: number; waiting: number; done: boolean }>({ kind: 'pay_resolution', resolution_id, limit })

async function correct(yes: string, no: string): Promise<void> {
  const correction = { payouts: payouts(yes, no), correction_reason: 'test', approved_by: 'second', ...RESOLVING }
  await act({ kind: 'correct_resolution', resolution_id: 'res_2', supersedes_id: 'res_1', ...correction })
}

/** Sets are made, passed on, destroyed and both at once; an order is trimmed, others rest on both outcomes. */
async function trade(): Promise<void> {
  await place('acct_a', 'BUY YES 10 0.60')
  await place('acct_b', 'BUY NO 10 0.45')
  await place('acct_a', 'SELL YES 10 0.70', { reduce_only: true })
  await place('acct_a', 'SELL YES 4 0.62')
  await place('acct_c', 'BUY YES 4 0.62')
  await place('acct_b', 'BUY YES 5 0.30')
  await place('acct_a', 'SELL YES 2 0.30')
  await place('acct_c', 'SELL NO 3 0.65')
  await place('acct_a', 'SELL YES 1 0.35')
  await place('acct_b', 'BUY NO 1 0.20')
}

/** All that there is: matches of every kind, failures, busts before and after a confirmation, a reversal, a resolution, a correction. */
async function wholeLife(): Promise<void> {
  await trade()
  await act(bustCommand(await fillOf('acct_a', 1)))
  const open = await pending()
  await act(submitting(open.slice(0, 2)))
  await act(concluding(open.slice(0, 2), 'failed'))
  await act(submitting(open.slice(0, 2), 2))
  await act(concluding(open.slice(0, 2), 'confirmed', 2))
  await settle(open.slice(2))
  await act(bustCommand(await fillOf('acct_b', 0)))
  const reversed = await settlementOf(await fillOf('acct_c', 0))
  await act({
    kind: 'reverse_settlement',
    reversal_id: 'rev_1',
    settlement_id: reversed,
    reason_code: 'SETTLEMENT_REVERSED',
    rationale: 'test',
    evidence: [],
    approved_by: 'second',
  })
  await resolve('1', '0')
  expect(await pay('res_1')).toMatchObject({ paid: 0, done: false })
  await act(bustCommand(await fillOf('acct_c', 0)))
  expect(await pay('res_1')).toMatchObject({ waiting: 0, done: true })
  await settle(await pending())
  await correct('0.5', '0.5')
  expect(await pay('res_2')).toMatchObject({ waiting: 0, done: true })
  await settle(await pending())
}

const settlementOf = async (fill_id: string) =>
  (await ids(`SELECT settlement_id AS id FROM trading.fill WHERE fill_id = '${fill_id}'`))[0]!

test('trading leaves what holds, and a restart finds it again', async () => {
  await trade()
  const { rows } = await writer.pool.query(
    "SELECT DISTINCT jsonb_array_elements(segments::jsonb) ->> 'match_kind' AS kind FROM trading.fill ORDER BY 1",
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['merge', 'mint', 'transfer'])
  expect(await writer.broken()).toEqual([])
  const { state } = await loadState(writer.connection, rebuildState)
  expect(dumpState(state)).toEqual(dumpState(writer.state))
})

test('settlement, busts, a resolution and its correction leave what holds', async () => {
  await wholeLife()
  expect(await writer.broken()).toEqual([])
  const { state } = await loadState(writer.connection, rebuildState)
  expect(dumpState(state)).toEqual(dumpState(writer.state))
})

/** The pool's account and a resting order, as SQL. */
const POOL = "account_id = 'acct_house_pool_mkt_1'"
const RESTING = "status IN ('open', 'partially_filled')"

/** Changes of an open market that an audit must find, by invariant. */
const PLANTED_OPEN: readonly PlantedChange[] = [
  ['L11', `UPDATE trading.balance SET total = total + 1 WHERE ${POOL}`],
  ['L11', `UPDATE trading.position SET net_quantity = net_quantity - 1 WHERE ${POOL} AND outcome_id = 'out_no'`],
  [
    'L11',
    "UPDATE trading.position SET net_quantity = net_quantity + 1 WHERE account_id = 'acct_b' AND net_quantity > 0",
  ],
  ['L10', "UPDATE trading.position SET net_quantity = 1 WHERE account_id = 'acct_a' AND net_quantity = 0"],
  ['L10', "UPDATE trading.position SET net_quantity = -1 WHERE account_id = 'acct_a' AND net_quantity = 0"],
  [
    'L10',
    `UPDATE trading.engine_event SET body = jsonb_set(body::jsonb, '{net_quantity}', '-1')::json
     WHERE kind = 'position' AND account_id = 'acct_c'`,
  ],
  [
    'L10',
    `UPDATE trading.engine_event SET body = jsonb_set(body::jsonb, '{net_quantity}', '1')::json WHERE kind = 'position' AND ${POOL}`,
  ],
  [
    'R1',
    "UPDATE trading.position SET requirement = requirement + 1 WHERE outcome_id = 'out_no' AND account_id = 'acct_b'",
  ],
  ['R1', `UPDATE trading.orders SET reserved_amount = reserved_amount + 1 WHERE ${RESTING} AND outcome_id = 'out_no'`],
  ['R2', 'UPDATE trading.fill SET closing_fee = closing_fee + 1 WHERE closed_quantity > 0'],
  ['R2', 'UPDATE trading.fill SET closed_quantity = closed_quantity + 1 WHERE closed_quantity = 0'],
  [
    'R2',
    "UPDATE trading.ledger_entry SET amount = amount + 1 WHERE kind = 'fill' AND bucket = 'pending_credit' AND account_id = 'acct_a'",
  ],
  ['R4', 'UPDATE trading.position SET reserved_sell_quantity = reserved_sell_quantity + 1 WHERE net_quantity > 0'],
  ['R4', `DELETE FROM trading.orders WHERE ${RESTING} AND reduce_only`],
  ['R5', "UPDATE trading.fill SET segments = '[]' WHERE liquidity_role = 'maker'"],
  ['R5', `UPDATE trading.fill SET segments = replace(segments::text, '"mint"', '"merge"')::json`],
  [
    'R5',
    `UPDATE trading.ledger_entry SET amount = amount * 2 WHERE kind = 'fill' AND ${POOL} AND bucket IN ('pending_credit', 'pending_debit')`,
  ],
  ['R5', "UPDATE trading.fill SET fee = fee + 1 WHERE liquidity_role = 'taker'"],
  ['O5', "UPDATE trading.orders SET reduce_only = true WHERE outcome_id = 'out_no' AND filled_quantity > 0"],
  ['O5', `UPDATE trading.market SET terms = jsonb_set(terms::jsonb, '{shorting_permitted}', 'false')::json`],
  ['O13', `DELETE FROM trading.orders WHERE ${RESTING} AND reduce_only`],
  ['O13', "DELETE FROM trading.engine_event WHERE kind = 'book' AND body ->> 'outcome_id' = 'out_no'"],
  [
    'O13',
    `UPDATE trading.engine_event SET body = body::jsonb - 'derived_quantity' WHERE kind = 'book' AND body ->> 'derived_quantity' IS NOT NULL`,
  ],
  ['D9', `UPDATE trading.position SET open_settlements = open_settlements + 1 WHERE ${POOL}`],
  ['D9', "UPDATE trading.settlement SET debit_amount = debit_amount + 1 WHERE kind = 'trade_settlement'"],
  ['D9', "UPDATE trading.settlement SET credit_amount = credit_amount + 1 WHERE kind = 'set_mint'"],
  ['D9', "DELETE FROM trading.settlement WHERE kind = 'set_merge'"],
  ['D11', `UPDATE trading.market SET terms = jsonb_set(terms::jsonb, '{complementary}', 'false')::json`],
]

test('each invariant finds what it is about in an open market', async () => {
  await trade()
  expect(await notFound(writer.pool, PLANTED_OPEN)).toEqual([])
})

/** Changes of a market that was paid and corrected. */
const PLANTED_PAID: readonly PlantedChange[] = [
  ['L11', `UPDATE trading.balance SET total = total + 1 WHERE ${POOL}`],
  ['L11', 'UPDATE trading.resolution_payout SET net_quantity = net_quantity + 1'],
  [
    'L11',
    `UPDATE trading.resolution SET payouts = replace(payouts::text, '"payout":"1"', '"payout":"0.9"')::json WHERE resolution_id = 'res_1'`,
  ],
  ['D6', "DELETE FROM trading.settlement WHERE kind = 'resolution_correction' AND side = 'BUY'"],
  [
    'D6',
    "DELETE FROM trading.ledger_entry WHERE kind = 'settlement' AND account_id = 'acct_house_pool_mkt_1'; DELETE FROM trading.ledger_entry WHERE kind = 'settlement' AND reference_id = (SELECT min(settlement_id) FROM trading.settlement WHERE kind = 'set_mint')",
  ],
]

test('each invariant finds what it is about in a market that was paid', async () => {
  await wholeLife()
  expect(await notFound(writer.pool, PLANTED_PAID)).toEqual([])
})

/** Two books, a short of YES, YES and NO of one account and reduce_only orders; then one ladder. */
async function becomeComplementary(): Promise<void> {
  const outcome_ids = ['out_1', 'out_2']
  const terms = writer.state.markets.get('mkt_1')!.listed.terms
  const fees = { schedule_id: 'fee_2', schedule_version: 1, taker_rate: '0.02', maker_rate: '0' }
  await act({ kind: 'add_market', market_id: 'mkt_2', outcome_ids, terms: { ...terms, complementary: false }, fees })
  await act({ kind: 'move_market', market_id: 'mkt_2', to: 'open' })
  const other = { market_id: 'mkt_2', outcome_id: 'out_1' }
  await place('acct_a', 'BUY YES 8 0.60', other)
  await place('acct_b', 'SELL YES 8 0.60', other)
  await place('acct_a', 'BUY NO 5 0.40', { ...other, outcome_id: 'out_2' })
  await place('acct_c', 'SELL NO 5 0.40', { ...other, outcome_id: 'out_2' })
  await place('acct_c', 'BUY YES 2 0.55', other)
  await place('acct_a', 'SELL YES 2 0.55', { ...other, reduce_only: true })
  await act({ kind: 'move_market', market_id: 'mkt_2', to: 'paused' })
  await settle(await pending())
  expect(await act({ kind: 'make_complementary', market_id: 'mkt_2' })).toMatchObject({ is_done: true })
  await act({ kind: 'move_market', market_id: 'mkt_2', to: 'open' })
}

test('a market that became complementary holds as one that was listed so, also when an earlier fill is undone', async () => {
  await becomeComplementary()
  expect(await writer.broken()).toEqual([])
  await place('acct_b', 'BUY YES 3 0.62', { market_id: 'mkt_2', outcome_id: 'out_1' })
  await place('acct_a', 'BUY NO 3 0.40', { market_id: 'mkt_2', outcome_id: 'out_2' })
  expect(await writer.broken()).toEqual([])
  await act(bustCommand(await fillOf('acct_a', 0)))
  expect(await writer.broken()).toEqual([])
  await act({
    kind: 'reverse_settlement',
    reversal_id: 'rev_2',
    settlement_id: await settlementOf(await fillOf('acct_c', 0)),
    reason_code: 'SETTLEMENT_REVERSED',
    rationale: 'test',
    evidence: [],
    approved_by: 'second',
  })
  expect(await writer.broken()).toEqual([])
  await act(bustCommand(await fillOf('acct_c', 0)))
  expect(await writer.broken()).toEqual([])
  const converted = "command ->> 'kind' = 'make_complementary'"
  const planted: readonly PlantedChange[] = [['L8', `DELETE FROM trading.operator_act WHERE ${converted}`]]
  expect(await notFound(writer.pool, planted)).toEqual([])
})
