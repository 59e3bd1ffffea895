import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_KEYS, REJECTED_ORDERS } from '../../../protocol/limits.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { createKeyBody } from '../../support/trading/private-requests.ts'
import { type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'

const database = withDatabase()
let served: ServedAccounts
beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
}, 180_000)
afterAll(() => served.close())

const countOf = async (table: string, account_id: string): Promise<number> =>
  (await served.pool.query(`SELECT count(*) AS n FROM trading.${table} WHERE account_id = $1`, [account_id])).rows[0].n

test('rejected orders beyond the budget are answered 429 with Retry-After, leave no row, and may come again', async () => {
  await served.act({ kind: 'block_account', account_id: 'acct_empty', blocked: true })
  const post = (url: string, body: unknown, idempotency_key?: string) =>
    served.call({
      method: 'POST',
      url,
      body,
      key: served.keys.acct_empty,
      ...(idempotency_key !== undefined && { idempotency_key }),
    })
  const budget = REJECTED_ORDERS.burst / REJECTED_ORDERS.blocked_cost
  const all = Array.from({ length: budget }, () => served.order({ limit_price: '0.02' }, 'acct_empty'))
  const first = await post('/v1/orders/batch', { orders: await Promise.all(all) })
  expect(first.body.data.map((item: { error: { code: string } }) => item.error.code)).toEqual(
    Array(budget).fill('RISK_ACCOUNT_BLOCKED'),
  )
  const body = await served.order({ limit_price: '0.02', quantity: '1', maximum_fee: '0' }, 'acct_empty')
  const refused = await post('/v1/orders', body, 'later')
  assertRefused('place_order', refused, 'RATE_LIMIT_EXCEEDED')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(refused.body.error.message).toContain('would be rejected: RISK_ACCOUNT_BLOCKED')
  const batch = await post('/v1/orders/batch', { orders: [body] }, 'batch')
  assertRefused('place_orders', batch, 'RATE_LIMIT_EXCEEDED')
  expect(await countOf('orders', 'acct_empty')).toBe(budget)
  expect(await countOf('order_nonce', 'acct_empty')).toBe(budget)
  expect(await countOf('idempotent_answer', 'acct_empty')).toBe(1)

  // The same signed order under the same key is decided anew: the account is no longer blocked, and a tenth of the tokens pays for it.
  await served.act({ kind: 'block_account', account_id: 'acct_empty', blocked: false })
  await expect.poll(async () => (await post('/v1/orders', body, 'later')).status, { timeout: 60_000 }).not.toBe(429)
  const again = await post('/v1/orders', body, 'later')
  assertDescribed('place_order', again)
  expect(again.headers['svc-idempotent-replay']).toBe('true')
})

test('an account has as many active keys as the table of limits says', async () => {
  const create = async () =>
    served.call({
      method: 'POST',
      url: '/v1/account/api-keys',
      body: await createKeyBody('acct_b'),
      key: served.keys.acct_b,
    })
  for (let n = 1; n < API_KEYS.active_max; n += 1) expect((await create()).status).toBe(201)
  assertRefused('create_api_key', await create(), 'API_KEY_LIMIT_EXCEEDED')
  expect(await countOf('api_key', 'acct_b')).toBe(API_KEYS.active_max)
  const { limits } = (await served.call({ method: 'GET', url: '/v1/capabilities', key: null })).body.data
  expect(limits).toContainEqual(expect.objectContaining({ name: 'api_keys.active_max', value: API_KEYS.active_max }))
})
