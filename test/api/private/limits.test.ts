import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { PRIVATE_ENDPOINTS, type PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import { UNVERIFIED } from '../../../protocol/limits.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader } from '../../support/fake-reader.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'
import { POLICY } from '../../support/trading/submissions.ts'

const SMALL = { keyed: { rate: 1, burst: 3 }, anonymous: null }
const NOW_S = Math.floor(Date.now() / 1000)
const database = withDatabase()
let served: ServedAccounts
/** The clock stands: no token comes back while the tests run. */
const now = wallClock
let stopped: number | null = null
/** Error that the engine throws; null if it works normally. */
let failure: ServiceError | null = null

beforeAll(async () => {
  const engine = (real: EngineClient): EngineClient => ({
    ...real,
    submit: (submission) => (failure === null ? real.submit(submission) : Promise.reject(failure)),
  })
  const rate_limits = {
    order_write: SMALL,
    account_read: SMALL,
    cancel: SMALL,
    market_data: { keyed: { rate: 1, burst: 4 }, anonymous: { rate: 1, burst: 40 } },
  }
  served = await serveAccounts((await database()).pool, { rate_limits, engine, now: () => stopped ?? now() })
}, 180_000)
afterAll(() => served.close())

test('tokens are those of the key: its headers count down, then 429; another key has its own', async () => {
  stopped = now()
  const read = (key = served.keys.acct_a) => served.call({ method: 'GET', url: '/v1/orders', key })
  const left = [await read(), await read(), await read()].map(({ headers }) => headers['svc-ratelimit-remaining'])
  expect(left).toEqual(['2', '1', '0'])
  const refused = await read()
  assertRefused('list_orders', refused, 'RATE_LIMIT_EXCEEDED')
  expect(refused.headers).toMatchObject({ 'retry-after': '1', 'svc-ratelimit-limit-class': 'account_read' })
  expect(+String(refused.headers['svc-ratelimit-reset'])).toBeGreaterThan(NOW_S)
  expect((await read(served.keys.acct_b)).status).toBe(200)
  stopped = null
})

test('all keys of an account together have four buckets', async () => {
  stopped = now()
  const keys = await Promise.all(Array.from({ length: 5 }, () => served.newKey({ account_id: 'acct_empty' })))
  const statuses: number[] = []
  for (const key of keys) {
    for (let asked = 0; asked < 3; asked += 1)
      statuses.push((await served.call({ method: 'GET', url: '/v1/positions', key })).status)
  }
  expect(statuses).toEqual([...Array.from({ length: 12 }, () => 200), 429, 429, 429])
  stopped = null
})

test("an account's tier is in force within a second, though nobody tells this process, and is shown", async () => {
  const policy = { ...POLICY, policy_version: 2, limit_tier: 'market_maker' } as const
  const read = async () => {
    const { status, headers } = await served.call({ method: 'GET', url: '/v1/account/policy', key })
    return { status, remaining: Number(headers['svc-ratelimit-remaining']) }
  }
  const key = await served.newKey({ account_id: 'acct_b' })
  expect(await read()).toEqual({ status: 200, remaining: 2 })
  await served.act({ kind: 'set_policy', account_id: 'acct_b', policy })
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  // 20 times the burst of 3, less one.
  expect((await read()).remaining).toBe(59)
  const shown = await served.call({ method: 'GET', url: '/v1/account/policy', key })
  expect(shown.body.data).toMatchObject({ policy_version: 2, limit_tier: 'market_maker' })
  const other = await served.call({ method: 'GET', url: '/v1/account/policy', key: await served.newKey({}) })
  expect(other.body.data).toMatchObject({ limit_tier: 'standard' })
})

test('a batch costs its orders; cancel-all is never refused for lack of tokens', async () => {
  stopped = now()
  const key = await served.newKey({})
  const orders = await Promise.all(['0.02', '0.02', '0.02', '0.02'].map((limit_price) => served.order({ limit_price })))
  const batch = (count: number) =>
    served.call({ method: 'POST', url: '/v1/orders/batch', body: { orders: orders.slice(0, count) }, key })
  const two = await batch(2)
  expect([two.status, two.headers['svc-ratelimit-cost'], two.headers['svc-ratelimit-remaining']]).toEqual([
    200,
    '2',
    '1',
  ])
  assertRefused('place_orders', await batch(2), 'RATE_LIMIT_EXCEEDED')
  const cancelAll = () =>
    served.call({
      method: 'POST',
      url: '/v1/orders/cancel-all',
      body: { account_id: 'acct_a', scope: 'all_open_orders' },
      key,
    })
  const cancel = () => served.call({ method: 'POST', url: '/v1/orders/ord_absent/cancel', body: {}, key })
  for (let asked = 0; asked < 3; asked += 1) expect((await cancel()).status).toBe(404)
  assertRefused('cancel_order', await cancel(), 'RATE_LIMIT_EXCEEDED')
  for (let asked = 0; asked < 4; asked += 1) {
    const got = await cancelAll()
    assertDescribed('cancel_all_orders', got)
    expect([got.status, got.headers['svc-ratelimit-cost']]).toEqual([200, '0'])
  }
  stopped = null
})

test('public reads are counted by the key that is named, and by the address without one', async () => {
  stopped = now()
  const read = (key: typeof served.keys.acct_a | null) => served.call({ method: 'GET', url: '/v1/time', key })
  const keyed = await read(served.keys.acct_a)
  const anonymous = await read(null)
  expect([keyed.status, keyed.headers['svc-ratelimit-remaining']]).toEqual([200, '3'])
  expect(+String(anonymous.headers['svc-ratelimit-remaining'])).toBeGreaterThan(4)
  const wrong = await read({ ...served.keys.acct_a, key_id: 'key_absent0000000000' })
  expect([wrong.status, wrong.body.error.code]).toEqual([401, 'AUTH_CREDENTIALS_INVALID'])
  const narrow = await served.newKey({ scopes: ['orders:read'] })
  expect((await read(narrow)).status).toBe(200)
  stopped = null
})

test('guessing keys costs the tokens of the address', async () => {
  stopped = now()
  const wrong = { ...served.keys.acct_a, key_id: 'key_absent0000000000' }
  const statuses = new Set<number>()
  for (let asked = 0; asked < UNVERIFIED.burst + 10; asked += 1)
    statuses.add((await served.call({ method: 'GET', url: '/v1/orders', key: wrong })).status)
  expect([...statuses].sort()).toEqual([401, 429])
  stopped = null
})

test.each([
  ['OUTCOME_UNKNOWN', 504],
  ['SERVICE_UNAVAILABLE', 503],
  ['IDEMPOTENCY_IN_PROGRESS', 409],
] as const)('an engine that says %s: %i, retryable', async (code, status) => {
  failure = new ServiceError(code, 'the engine is recovering', { phase: 'recovering' })
  const key = await served.newKey({})
  const got = await served.call({ method: 'POST', url: '/v1/orders', body: await served.order(), key })
  failure = null
  assertRefused('place_order', got, code)
  expect([got.status, got.body.error.retryable, got.body.error.message]).toEqual([
    status,
    true,
    'the engine is recovering',
  ])
})

/** Queries of the routes that require one. */
const REQUIRED: Readonly<Record<string, string>> = {
  list_equity_history: '?start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z&interval=PT1H',
  get_redemption_preview: '?market_id=mkt_a',
}

test('without an engine every private route says so, whoever asks, and public ones are untouched', async () => {
  const app = await createApiServer({
    reader: fakeReader(),
    handlers: fakeHandlers(),
    environment: 'test',
    rate_limits: 'off',
  })
  for (const operation_id of Object.keys(PRIVATE_ENDPOINTS) as PrivateOperationId[]) {
    const { method, path, body } = PRIVATE_ENDPOINTS[operation_id]
    if (body !== null) continue
    const url = `/v1${path}`
      .replace('{order_id}', 'ord_a')
      .replace('{client_order_id}', 'a')
      .replace('{fill_id}', 'fill_a')
      .replace('{settlement_id}', 'stl_a')
      .replace('{transfer_id}', 'trf_a')
      .replace('{webhook_id}', 'whk_a')
      .replace('{market_id}', 'mkt_a')
      .replace('{key_id}', 'key_example0000000000')
    const range = REQUIRED[operation_id] ?? ''
    const got = await app.inject({ method, url: `${url}${range}` })
    expect([got.statusCode, got.json().error.message]).toEqual([
      503,
      expect.stringContaining('no engine is configured'),
    ])
  }
  expect((await app.inject({ url: '/v1/time', headers: { 'svc-access-key': 'key_a' } })).statusCode).toBe(200)
  expect((await app.inject({ url: '/v1/capabilities' })).json().data.signed_requests.available).toBe(false)
  await app.close()
})
