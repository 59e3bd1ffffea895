import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Deliverer, startDeliverer } from '../../../api/webhooks/deliverer.ts'
import { Decimal, sumDecimals } from '../../../primitives/decimal.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { Adjustment } from '../../../protocol/resources/adjustment.ts'
import type { Settlement } from '../../../protocol/resources/settlement.ts'
import type { StatementEntry } from '../../../protocol/resources/statement-entry.ts'
import type { WebhookEvent } from '../../../protocol/resources/webhook.ts'
import { createStreamReads } from '../../../trading/store/read/stream-reads.ts'
import { WEBHOOK_EVENT_TYPES } from '../../../vocabulary/webhook.ts'
import { bustCommand } from '../../support/trading/bust-command.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import {
  MARKET_ID,
  OUTCOME_ID,
  SEALING,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'
import { startReceiver, type TestReceiver } from '../../support/trading/webhook-receiver.ts'

/** Everything that settlement does to an account, as a webhook tells it and as the account's own reads show it. */

const database = withDatabase()
const TYPES = WEBHOOK_EVENT_TYPES.filter((type) =>
  /^(settlement|payout|payout_correction|adjustment|market)\./.test(type),
)
const VOIDED = { market_id: 'mkt_voided', outcome_id: 'out_voided_yes' }
/** A receiver that fails before it accepts: each third event twice, by other answers. */
const FAILURES = [500, 503]
let served: ServedAccounts
let receiver: TestReceiver
let deliverer: Deliverer
let webhook_cursor = 0
const problems: unknown[] = []

beforeAll(async () => {
  const { pool } = await database()
  served = await serveAccounts(pool, { deposit: '50000', webhook_hosts: ['127.0.0.1'] })
  receiver = await startReceiver()
  const attempts = new Map<string, number>()
  receiver.answer = ({ event_id }) => {
    const attempt = attempts.get(event_id) ?? 0
    attempts.set(event_id, attempt + 1)
    return attempts.size % 3 === 0 ? (FAILURES[attempt] ?? 200) : 200
  }
  const body = { url: receiver.url, event_types: TYPES }
  const { data } = (await served.call({ method: 'POST', url: '/v1/webhooks', body })).body
  receiver.secrets = [data.secret]
  webhook_cursor = data.engine_sequence
  deliverer = startDeliverer({
    ...{ pool, stream_reads: createStreamReads(pool), engine: served.engine, sealing: SEALING },
    ...{ targets: served.trading.webhook_targets, now: wallClock, random: Math.random },
    onFailure: (error) => problems.push(error),
    ...{ times: { connect_ms: 1_000, attempt_ms: 1_000 }, retry: { first_ms: 4, max_ms: 20 } },
  })
  await happen()
}, 180_000)
afterAll(async () => {
  await deliverer.close()
  await receiver.close()
  await served.close()
  expect(problems).toEqual([])
})

const get = async (path: string) => {
  const got = await served.call({ method: 'GET', url: `/v1${path}` })
  expect(got.status, got.text).toBe(200)
  return got.body.data
}
const place = async (account: 'acct_a' | 'acct_b', wanted: Parameters<ServedAccounts['order']>[0]) => {
  const body = await served.order(wanted, account)
  const got = await served.call({ method: 'POST', url: '/v1/orders', body, key: served.keys[account] })
  expect(got.status, got.text).toBe(201)
}
const act = (command: Parameters<ServedAccounts['act']>[0]) => served.act(command)

/** acct_a buys from acct_b. @returns both settlements, and the fill of acct_a */
async function trade(price: string, where: { market_id?: string; outcome_id?: string } = {}) {
  await place('acct_b', { ...where, side: 'SELL', limit_price: price, quantity: '10' })
  await place('acct_a', { ...where, limit_price: price, quantity: '10' })
  const [fill] = (await get('/fills?limit=1')) as { fill_id: string; settlement_id: string; trade_id: string }[]
  const sides = await served.pool.query('SELECT settlement_id FROM trading.fill WHERE trade_id = $1', [fill!.trade_id])
  return { ...fill!, ids: sides.rows.map(({ settlement_id }) => settlement_id as string) }
}

async function settle(ids: readonly string[]): Promise<void> {
  await act(submitting(ids))
  await act(concluding(ids))
}

async function settlePending(): Promise<void> {
  const pending = "SELECT settlement_id FROM trading.settlement WHERE state = 'pending' ORDER BY engine_sequence"
  await settle((await served.pool.query(pending)).rows.map(({ settlement_id }) => settlement_id as string))
}

const REASON = { reason_code: 'ERRONEOUS_TRADE', rationale: 'a test', evidence: ['case-1'], approved_by: 'second' }
const RESOLVING = {
  evidence: [
    { evidence_id: 'ev_1', kind: 'url', source_uri: 'https://example.org', observed_at: null, content_hash: null },
  ],
  resolver: { kind: 'operator', resolver_id: null },
} as const

async function happen(): Promise<void> {
  const first = await trade('0.40')
  await act(submitting(first.ids))
  await act(concluding(first.ids, 'failed'))
  await act(submitting(first.ids, 2))
  await act(concluding(first.ids, 'confirmed', 2))
  const reversal = { reversal_id: 'rev_1', settlement_id: first.settlement_id }
  await act({ kind: 'reverse_settlement', ...reversal, ...REASON })
  // A reversed settlement holds up payouts until its fill is undone.
  await act(bustCommand(first.fill_id, 'adj_reversed'))
  await amend((await trade('0.50')).fill_id)
  await settlePending()
  await act(bustCommand((await trade('0.60')).fill_id))
  const after = await trade('0.30')
  await settle(after.ids)
  await act(bustCommand(after.fill_id, 'adj_after_settlement'))
  await settlePending()
  await voidMarket()
  await resolveMarket()
}

/** A fill of 10 becomes one of 7, and its fee smaller. */
async function amend(fill_id: string): Promise<void> {
  const deltas = { quantity_delta: '-3', notional_delta: '-1.5', fee_delta: '-0.03' }
  const command = { kind: 'adjust_fill', adjustment_id: 'adj_amend', fill_id, adjustment_type: 'amend' } as const
  await act({ ...command, ...deltas, ...REASON, supersedes_adjustment_id: null })
}

async function voidMarket(): Promise<void> {
  const terms = { price_min: '0.01', price_max: '0.99', price_increment: '0.01', quantity_increment: '0.01' }
  const { market_id, outcome_id } = VOIDED
  await act({
    ...{ kind: 'add_market', market_id, outcome_ids: [outcome_id, 'out_voided_no'] },
    terms: { ...terms, minimum_quantity: '1', settlement_asset_id: 'asset_usd', shorting_permitted: true },
    fees: { schedule_id: 'fee_2', schedule_version: 1, taker_rate: '0.02', maker_rate: '0' },
  })
  await act({ kind: 'move_market', market_id, to: 'open' })
  await settle((await trade('0.45', VOIDED)).ids)
  const proposal = { verdict: 'voided', payouts: [], dispute_window_ms: 0, ...RESOLVING } as const
  await act({ kind: 'propose_resolution', resolution_id: 'res_void', market_id, ...proposal })
  await pay('res_void')
}

async function resolveMarket(): Promise<void> {
  const payouts = (yes: string, no: string) => [
    { outcome_id: OUTCOME_ID, payout: yes },
    { outcome_id: 'out_http_no', payout: no },
  ]
  const proposal = { verdict: 'resolved', payouts: payouts('1', '0'), dispute_window_ms: 0, ...RESOLVING } as const
  await act({ kind: 'propose_resolution', resolution_id: 'res_1', market_id: MARKET_ID, ...proposal })
  await pay('res_1')
  const correction = { payouts: payouts('0.25', '0.75'), correction_reason: 'a test', approved_by: 'second' }
  await act({ kind: 'correct_resolution', resolution_id: 'res_2', supersedes_id: 'res_1', ...correction, ...RESOLVING })
  await act({ kind: 'pay_resolution', resolution_id: 'res_2', limit: 100 })
  await settlePending()
}

async function pay(resolution_id: string): Promise<void> {
  await act({ kind: 'finalize_resolution', resolution_id })
  await act({ kind: 'pay_resolution', resolution_id, limit: 100 })
  await settlePending()
}

/** Returns the deliveries after the last one has arrived. */
const delivered = async (): Promise<WebhookEvent[]> => {
  const query = `?after=${webhook_cursor}&event_type=${TYPES.join(',')}&limit=1000`
  const listed = (await get(`/webhook-events${query}`)) as WebhookEvent[]
  await vi.waitFor(() => expect(receiver.accepted()).toHaveLength(listed.length), { timeout: 30_000, interval: 50 })
  expect(receiver.accepted()).toEqual(listed)
  return receiver.accepted()
}
const ofType = async (...types: readonly string[]) =>
  (await delivered()).filter(({ event_type }) => types.some((type) => event_type.startsWith(type)))
const sum = (values: readonly string[]) => sumDecimals(values.map((value) => new Decimal(value))).toFixed()
const same = (found: string, expected: string) => expect(sum([found])).toBe(sum([expected]))

test('every kind of event came, verified, each again after a failure and none before an earlier one', async () => {
  const events = await delivered()
  const seen = new Set(events.map(({ event_type }) => event_type))
  const wanted = [
    'settlement.failed',
    'settlement.reversed',
    'settlement.adjusted',
    'payout.created',
    'payout.confirmed',
  ]
  for (const type of [
    ...wanted,
    'payout_correction.confirmed',
    'adjustment.created',
    'market.voided',
    'market.resolved',
  ])
    expect(seen, type).toContain(type)
  expect(receiver.arrivals.every(({ verified }) => verified.verified)).toBe(true)
  const refused = receiver.arrivals.filter(({ status }) => status >= 500)
  expect(refused.length).toBeGreaterThan(events.length / 3)
  const sequences = receiver.arrivals.map(({ event }) => event.sequence)
  expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
  for (const { event, body } of refused) {
    const again = receiver.arrivals.filter((one) => one.event.event_id === event.event_id)
    expect(again.map(({ status }) => status)).toEqual([...FAILURES, 200])
    expect(new Set(again.map((one) => one.body))).toEqual(new Set([body]))
  }
})

test('the last event of each settlement, payout and adjustment is the record that the account reads', async () => {
  const settlements = (await get('/settlements?limit=1000')) as Settlement[]
  const last = new Map((await ofType('settlement.', 'payout')).map(({ data }) => [data.settlement_id, data]))
  expect(settlements.length).toBeGreaterThan(6)
  for (const one of settlements)
    expect(last.get(one.settlement_id)).toEqual(await get(`/settlements/${one.settlement_id}`))
  const adjustments = (await get('/adjustments?limit=1000')) as Adjustment[]
  const told = (await ofType('adjustment.')).map(({ data }) => data)
  expect(told).toEqual(adjustments)
})

test('what a settlement or payout paid is what the statement booked for it, and the statement sums to the balance', async () => {
  const entries = (await get('/account/statement?limit=1000')) as StatementEntry[]
  const money = entries.filter(
    ({ asset_id, bucket }) => asset_id === 'asset_usd' && bucket !== 'pending_settlement_credit',
  )
  const booked = (kind: StatementEntry['kind'], id: string) =>
    sum(money.filter((one) => one.kind === kind && one.settlement_id === id).map(({ amount }) => amount))
  const paid = await ofType('settlement.confirmed', 'payout.confirmed', 'payout_correction.confirmed')
  expect(paid.length).toBeGreaterThan(6)
  for (const { settlement_id, net_amount } of paid.map(({ data }) => data as Settlement))
    same(booked('settlement', settlement_id), net_amount)
  for (const { settlement_id, net_amount } of (await ofType('settlement.reversed')).map(
    ({ data }) => data as Settlement,
  ))
    same(booked('reversal', settlement_id), new Decimal(net_amount).neg().toFixed())
  const [balance] = (await get('/balances')) as { total: string }[]
  same(sum(money.map(({ amount }) => amount)), balance!.total)
})

test('what an adjustment changed is what the statement and the fill say', async () => {
  const entries = (await get('/account/statement?limit=1000')) as StatementEntry[]
  for (const { data } of await ofType('adjustment.')) {
    const { adjustment_id, fill_id, fee_delta, notional_delta, quantity_delta } = data as Adjustment
    const of_it = entries.filter((entry) => entry.adjustment_id === adjustment_id)
    expect(of_it.length, adjustment_id).toBeGreaterThan(0)
    same(sum(of_it.flatMap(({ fee }) => fee ?? [])), fee_delta)
    const fill = await get(`/fills/${fill_id}`)
    const settlement = (await get(`/settlements/${fill.settlement_id}`)) as Settlement
    if (!settlement.adjustment_ids.includes(adjustment_id)) continue
    same(settlement.quantity, sum([fill.quantity, quantity_delta]))
    same(settlement.amount, sum([fill.notional, notional_delta]))
    same(settlement.fee, sum([fill.fee.amount, fee_delta]))
  }
})
