import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import type { WebhookEvent } from '../../../protocol/resources/webhook.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import { WEBHOOK_EVENT_TYPES } from '../../../vocabulary/webhook.ts'
import { notFound, type PlantedChange } from '../../support/trading/audit-after.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import {
  type AccountName,
  MARKET_ID,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'

const database = withDatabase()
let served: ServedAccounts
/** Records as the API showed them right after they changed, by the type of the event. */
const told = new Map<string, unknown[]>()

beforeAll(async () => {
  served = await serveAccounts((await database()).pool, { deposit: '50000' })
  await happen()
}, 180_000)
afterAll(() => served.close())

const get = async (path: string, account: AccountName = 'acct_a') =>
  (await served.call({ method: 'GET', url: `/v1${path}`, key: served.keys[account] })).body
const call = async (
  operation: PrivateOperationId,
  method: 'POST' | 'PATCH' | 'DELETE' | 'PUT',
  path: string,
  body?: unknown,
) => {
  const got = await served.call({ method, url: `/v1${path}`, body })
  assertDescribed(operation, got)
  expect(got.status, got.text).toBeLessThan(300)
  return got.body.data
}
const tell = (type: string, record: unknown): void => {
  told.set(type, [...(told.get(type) ?? []), record])
}
const place = async (account: AccountName, wanted: Parameters<ServedAccounts['order']>[0]): Promise<string> => {
  const body = await served.order(wanted, account)
  const got = await served.call({ method: 'POST', url: '/v1/orders', body, key: served.keys[account] })
  expect(got.status, got.text).toBe(201)
  return got.body.data.order_id
}
const settlement = async (type: string, id: string) => tell(type, (await get(`/settlements/${id}`)).data)

/** Trades 10 at 0.40. @returns the settlement of acct_a */
async function trade(): Promise<string> {
  await place('acct_b', { side: 'SELL', limit_price: '0.40', quantity: '10' })
  await place('acct_a', { limit_price: '0.40', quantity: '10' })
  const { settlement_id } = (await get('/fills?limit=1')).data[0]
  await settlement('settlement.created', settlement_id)
  return settlement_id
}

async function happen(): Promise<void> {
  const one = await trade()
  await served.act(submitting([one]))
  await served.act(concluding([one], 'failed'))
  await settlement('settlement.failed', one)
  await served.act(submitting([one], 2))
  await served.act(concluding([one], 'confirmed', 2))
  await settlement('settlement.confirmed', one)
  await served.act({ kind: 'reverse_settlement', reversal_id: 'rev_1', settlement_id: one, ...EVIDENCE })
  await settlement('settlement.reversed', one)
  // What a reversed or confirmed settlement was stays, whatever an adjustment makes of it later.
  await bust(one, 'adj_reversed')
  const confirmed = await trade()
  await served.act(submitting([confirmed]))
  await served.act(concluding([confirmed], 'confirmed'))
  await settlement('settlement.confirmed', confirmed)
  await bust(confirmed, 'adj_confirmed')
  await bust(await trade(), 'adj_1')
  await transfers()
  await keysAndWebhooks()
  await risks()
}

async function bust(settlement_id: string, adjustment_id: string): Promise<void> {
  const fill_id = settlement_id.replace('stl', 'fill')
  const deltas = { quantity_delta: null, notional_delta: null, fee_delta: null, supersedes_adjustment_id: null }
  await served.act({ kind: 'adjust_fill', adjustment_id, fill_id, adjustment_type: 'bust', ...deltas, ...EVIDENCE })
  await settlement('settlement.adjusted', settlement_id)
  const adjustments = (await get('/adjustments')).data as { adjustment_id: string }[]
  tell(
    'adjustment.created',
    adjustments.find((one) => one.adjustment_id === adjustment_id),
  )
}

const EVIDENCE = { reason_code: 'X', rationale: 'a test', evidence: ['case-1'], approved_by: 'second' }

async function transfers(): Promise<void> {
  const ask = async (direction: string) => {
    const body = { account_id: 'acct_a', direction, asset_id: 'asset_usd', amount: '5' }
    return call('request_transfer', 'POST', '/account/transfers', body)
  }
  const [held, requested, canceled] = [await ask('withdrawal'), await ask('deposit'), await ask('withdrawal')]
  for (const transfer of [held, canceled]) tell('transfer.held', transfer)
  tell('transfer.requested', requested)
  const conclude = async (transfer_id: string, result: 'confirmed' | 'failed') => {
    const outcome = { external_reference: 'wire 1', failure: result === 'failed' ? 'closed' : null }
    await served.act({ kind: 'conclude_transfer', transfer_id, result, ...outcome })
    tell(`transfer.${result}`, (await get(`/account/transfers/${transfer_id}`)).data)
  }
  await conclude(held.transfer_id, 'confirmed')
  await conclude(requested.transfer_id, 'failed')
  const path = `/account/transfers/${canceled.transfer_id}/cancel`
  tell('transfer.canceled', await call('cancel_transfer', 'POST', path, { reason: 'changed plans' }))
}

async function keysAndWebhooks(): Promise<void> {
  const key = async (key_id: string) => {
    const keys = (await get('/account/api-keys?limit=1000')).data as { key_id: string }[]
    return { ...keys.find((one) => one.key_id === key_id), last_used_at: null }
  }
  const { key_id } = await served.newKey({})
  tell('api_key.created', await key(key_id))
  const rotated = await served.call({
    ...{
      method: 'POST',
      url: `/v1/account/api-keys/${served.keys.acct_a.key_id}/rotate`,
      body: { overlap_seconds: 600 },
    },
  })
  expect(rotated.status, rotated.text).toBe(200)
  tell('api_key.rotated', await key(served.keys.acct_a.key_id))
  await served.act({ kind: 'revoke_key', key_id, reason: 'test' })
  tell('api_key.revoked', await key(key_id))
  const hook = { url: 'https://8.8.8.8/hook', event_types: ['transfer.held'] }
  const { webhook_id } = await call('create_webhook', 'POST', '/webhooks', hook)
  const path = `/webhooks/${webhook_id}`
  tell('webhook.created', (await get(path)).data)
  await call('rotate_webhook_secret', 'POST', `${path}/rotate-secret`, { overlap_seconds: 600 })
  tell('webhook.secret_rotated', (await get(path)).data)
  tell('webhook.updated', await call('update_webhook', 'PATCH', path, { description: 'desk' }))
  await served.act({ kind: 'disable_webhook', webhook_id, projection_version: 3, disabled_reason: 'failing' })
  tell('webhook.disabled', (await get(path)).data)
  await call('delete_webhook', 'DELETE', path)
}

async function risks(): Promise<void> {
  const order_id = await place('acct_a', { limit_price: '0.10', quantity: '10', cancel_on_pause: true })
  await place('acct_b', { side: 'SELL', limit_price: '0.10', quantity: '4' })
  const { settlement_id } = (await get('/fills?limit=1')).data[0]
  await settlement('settlement.created', settlement_id)
  await served.act({ kind: 'move_market', market_id: MARKET_ID, to: 'paused' })
  tell('order.canceled', await endOf(order_id))
  // The ended order changes once more, which is not its end.
  await bust(settlement_id, 'adj_2')
  await served.act({ kind: 'move_market', market_id: MARKET_ID, to: 'open' })
  const policy = async (type: string) => tell(type, (await get('/account/policy')).data)
  for (const blocked of [true, false]) {
    await served.act({ kind: 'block_account', account_id: 'acct_a', blocked })
    await policy(blocked ? 'account.suspended' : 'account.resumed')
  }
  const canceled_by_time = await place('acct_a', { limit_price: '0.10' })
  await call('set_cancel_after', 'PUT', '/account/cancel-after', { timeout_ms: 5_000 })
  await call('set_cancel_after', 'PUT', '/account/cancel-after', { timeout_ms: 0 })
  await call('set_cancel_after', 'PUT', '/account/cancel-after', { timeout_ms: 5_000 })
  const ended = await endOf(canceled_by_time)
  await policy('account.cancel_after_fired')
  tell('order.canceled', ended)
  await endsOfOwnRules()
  await served.act({ kind: 'move_market', market_id: MARKET_ID, to: 'closed' })
}

/** Ends by self-trade prevention and by a market maker's protection. */
async function endsOfOwnRules(): Promise<void> {
  const protect = { fill_count_max: 1, quantity_max: null, window_ms: 60_000, frozen_ms: 1_000 }
  await call('set_market_maker_protection', 'PUT', `/account/market-maker-protections/${MARKET_ID}`, protect)
  const sell = { side: 'SELL', quantity: '1' } as const
  await place('acct_a', { ...sell, limit_price: '0.90' })
  const protected_id = await place('acct_a', { ...sell, limit_price: '0.91' })
  tell('order.canceled', await endOf(await place('acct_a', { limit_price: '0.90', quantity: '1' })))
  await place('acct_b', { limit_price: '0.90', quantity: '1' })
  await settlement('settlement.created', (await get('/fills?limit=1')).data[0].settlement_id)
  tell('order.canceled', await endOf(protected_id))
}

/** An order as a list shows it once it is canceled: in one of the batches after that of its cause. */
async function endOf(order_id: string): Promise<unknown> {
  return vi.waitFor(
    async () => {
      const orders = (await get('/orders?limit=1000')).data as { order_id: string; status: string }[]
      const found = orders.find((order) => order.order_id === order_id)
      expect(found?.status).toBe('canceled')
      return found
    },
    { timeout: 100_000, interval: 50 },
  )
}

const events = async (query = '', account: AccountName = 'acct_a'): Promise<WebhookEvent[]> => {
  const got = await served.call({ method: 'GET', url: `/v1/webhook-events${query}`, key: served.keys[account] })
  assertDescribed('list_webhook_events', got)
  return got.body.data
}

test.each([
  ...['settlement.created', 'settlement.confirmed', 'settlement.failed', 'settlement.reversed', 'settlement.adjusted'],
  ...['adjustment.created', 'transfer.requested', 'transfer.held', 'transfer.confirmed', 'transfer.failed'],
  ...['transfer.canceled', 'order.canceled', 'account.suspended', 'account.resumed', 'account.cancel_after_fired'],
  ...['api_key.rotated', 'api_key.revoked'],
  ...['webhook.created', 'webhook.updated', 'webhook.secret_rotated', 'webhook.disabled'],
])('%s shows the record as the API showed it then', async (type) => {
  const found = await events(`?event_type=${type}`)
  expect(found.map(({ data }) => data)).toEqual(told.get(type))
})

test('a key that was made, a webhook that was deleted, and the market that the account holds', async () => {
  const created = await events('?event_type=api_key.created')
  expect(created.at(-1)!.data).toEqual(told.get('api_key.created')![0])
  expect((await events('?event_type=webhook.deleted')).length).toBe(1)
  const markets = await events('?event_type=market.paused,market.resumed,market.closed')
  expect(markets.map(({ event_type, data }) => [event_type, data.market_id, data.status])).toEqual([
    ['market.paused', MARKET_ID, 'paused'],
    ['market.resumed', MARKET_ID, 'open'],
    ['market.closed', MARKET_ID, 'closed'],
  ])
  expect(await events('?event_type=market.paused,market.closed', 'acct_empty')).toEqual([])
})

test('the list is in order, the same page by page and type by type, and the same each time it is asked for', async () => {
  const all = await events('?limit=1000')
  expect(all.length).toBeGreaterThan(20)
  expect(all.map(({ sequence }) => sequence)).toEqual([...all.map(({ sequence }) => sequence)].sort((a, b) => a - b))
  expect(new Set(all.map(({ event_id }) => event_id)).size).toBe(all.length)
  expect(await events('?limit=1000')).toEqual(all)
  for (const limit of [1, 3, 7]) {
    const paged: WebhookEvent[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { data: WebhookEvent[]; page: { next_cursor: string | null } } = await get(
        `/webhook-events?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      expect(page.data.length).toBeLessThanOrEqual(limit)
      paged.push(...page.data)
      cursor = page.page.next_cursor
    }
    expect(paged).toEqual(all)
  }
  const by_type = (
    await Promise.all(WEBHOOK_EVENT_TYPES.map((type) => events(`?event_type=${type}&limit=1000`)))
  ).flat()
  expect(by_type.sort((a, b) => a.sequence - b.sequence)).toEqual(all)
  const middle = all[Math.floor(all.length / 2)]!
  expect(await events(`?limit=1000&after=${middle.sequence}`)).toEqual(
    all.filter((one) => one.sequence > middle.sequence),
  )
})

test('a disarmed switch has not fired, a submitted settlement and an order that its account canceled are no events', async () => {
  expect(await events('?event_type=account.cancel_after_fired')).toHaveLength(1)
  const states = (await events('?event_type=settlement.created,settlement.confirmed,settlement.failed&limit=1000')).map(
    ({ data }) => data.state,
  )
  expect(states).not.toContain('submitted')
  const ended = await events('?event_type=order.canceled')
  expect(ended.map(({ data }) => data.terminal_reason)).toEqual([
    ...['CANCEL_ON_PAUSE', 'CANCEL_AFTER', 'SELF_TRADE_PREVENTION', 'MARKET_MAKER_PROTECTION'],
  ])
})

test.each([
  [{ url: 'https://8.8.8.8/', event_types: [] }, 'VALIDATION_BODY_INVALID'],
  [{ url: 'https://8.8.8.8/', event_types: ['order.placed'] }, 'VALIDATION_BODY_INVALID'],
  [{ url: 'https://8.8.8.8/', event_types: ['transfer.held', 'transfer.held'] }, 'VALIDATION_BODY_INVALID'],
  [{ url: `https://8.8.8.8/${'x'.repeat(2033)}`, event_types: ['transfer.held'] }, 'VALIDATION_BODY_INVALID'],
  [{ url: 'hooks.example.com', event_types: ['transfer.held'] }, 'VALIDATION_BODY_INVALID'],
  [{ url: 'https://10.0.0.1/', event_types: ['transfer.held'] }, 'WEBHOOK_URL_REFUSED'],
  [{ url: 'http://8.8.8.8/', event_types: ['transfer.held'] }, 'WEBHOOK_URL_REFUSED'],
  [{ url: 'https://user:pw@8.8.8.8/', event_types: ['transfer.held'] }, 'WEBHOOK_URL_REFUSED'],
] as const)('%j is refused: %s', async (body, code) => {
  assertRefused('create_webhook', await served.call({ method: 'POST', url: '/v1/webhooks', body }), code)
})

test('the longest url is accepted, a private one is refused in a change too, and five webhooks are the limit', async () => {
  const longest = { url: `https://8.8.8.8/${'x'.repeat(2032)}`, event_types: ['transfer.held'] }
  const { webhook_id } = await call('create_webhook', 'POST', '/webhooks', longest)
  const body = { url: 'https://192.168.0.1/' }
  const changed = await served.call({ method: 'PATCH', url: `/v1/webhooks/${webhook_id}`, body })
  assertRefused('update_webhook', changed, 'WEBHOOK_URL_REFUSED')
  const nothing = await served.call({ method: 'PATCH', url: `/v1/webhooks/${webhook_id}`, body: {} })
  assertRefused('update_webhook', nothing, 'VALIDATION_BODY_INVALID')
  const secrets = await served.pool.query('SELECT material, url FROM trading.webhook WHERE webhook_id = $1', [
    webhook_id,
  ])
  expect(secrets.rows[0].material).toMatch(/^[0-9a-f]{100,}$/)
  for (let n = 1; n < 5; n += 1) await call('create_webhook', 'POST', '/webhooks', longest)
  const sixth = await served.call({ method: 'POST', url: '/v1/webhooks', body: longest })
  assertRefused('create_webhook', sixth, 'WEBHOOK_LIMIT_EXCEEDED')
  const first = await get('/webhooks?limit=2')
  const rest = await get(`/webhooks?limit=5&cursor=${first.page.next_cursor}`)
  expect([first.data.length, rest.data.length]).toEqual([2, 3])
  expect(JSON.stringify([first, rest])).not.toMatch(/whsec_|material/)
})

test('a key learns of no records by events that it may not read itself', async () => {
  const key = await served.newKey({ scopes: ['webhooks:write', 'account:read'] })
  const ask = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
    served.call({ method, url: `/v1${path}`, body, key })
  const groups = (got: { body: { data: WebhookEvent[] } }) =>
    [...new Set(got.body.data.map(({ event_type }) => event_type.split('.')[0]))].sort()
  expect(groups(await ask('GET', '/webhook-events?limit=1000'))).toEqual(['account', 'market', 'transfer', 'webhook'])
  const refused = await ask('GET', '/webhook-events?event_type=transfer.held,settlement.created')
  assertRefused('list_webhook_events', refused, 'AUTH_SCOPE_INSUFFICIENT')
  const [{ webhook_id }] = (await get('/webhooks')).data
  const types = { event_types: ['api_key.created'] }
  const url = 'https://8.8.8.8/'
  assertRefused('create_webhook', await ask('POST', '/webhooks', { url, ...types }), 'AUTH_SCOPE_INSUFFICIENT')
  assertRefused('update_webhook', await ask('PATCH', `/webhooks/${webhook_id}`, types), 'AUTH_SCOPE_INSUFFICIENT')
  expect((await ask('PATCH', `/webhooks/${webhook_id}`, { url })).status).toBe(200)
  await call('update_webhook', 'PATCH', `/webhooks/${webhook_id}`, { event_types: ['settlement.created'] })
  assertRefused('update_webhook', await ask('PATCH', `/webhooks/${webhook_id}`, { url }), 'AUTH_SCOPE_INSUFFICIENT')
})

/** Changes that an audit must find. */
const PLANTED: readonly PlantedChange[] = [
  ['D11', "UPDATE trading.webhook SET url = 'https://evil.example.com/' WHERE deleted_at IS NULL"],
  ['D11', "UPDATE trading.webhook SET status = 'disabled' WHERE deleted_at IS NULL"],
]

test('the books agree with it, and the audit finds each change', async () => {
  const audited = await auditTrading(served.pool)
  expect(audited.flatMap(({ invariant_id, violations }) => violations.map((one) => [invariant_id, one]))).toEqual([])
  expect(await notFound(served.pool, PLANTED)).toEqual([])
})
