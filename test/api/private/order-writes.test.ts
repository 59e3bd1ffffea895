import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signOrder } from '../../../client/signing/sign-order.ts'
import { signRequest } from '../../../client/signing/sign-request.ts'
import type { ErrorCode } from '../../../primitives/error-codes.ts'
import { auditAfter, notFound, type PlantedChange } from '../../support/trading/audit-after.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import {
  ENVIRONMENT,
  type Got,
  MARKET_ID,
  OUTCOME_ID,
  type ServedAccounts,
  serveAccounts,
  signerOf,
} from '../../support/trading/served-accounts.ts'
import { highTwin } from '../../support/trading/signing-world.ts'
import { POLICY } from '../../support/trading/submissions.ts'

const database = withDatabase()
let served: ServedAccounts
type Wanted = Parameters<ServedAccounts['order']>[0]

beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
}, 180_000)
afterAll(() => served.close())

const place = async (wanted: Wanted = {}, more: Record<string, unknown> = {}): Promise<Got> =>
  served.call({ method: 'POST', url: '/v1/orders', body: { ...(await served.order(wanted)), ...more } })
const resting = async (wanted: Wanted = {}): Promise<string> => {
  const got = await place({ limit_price: '0.05', ...wanted })
  expect([got.status, got.body.data?.status], got.text).toEqual([201, 'open'])
  return got.body.data.order_id as string
}
const post = (url: string, body: unknown) => served.call({ method: 'POST', url: `/v1${url}`, body })
const countOrders = async (): Promise<number> =>
  (await served.pool.query('SELECT count(*) AS n FROM trading.orders')).rows[0].n

describe('placing', () => {
  test('201 with the order, where it is found, and what its signature was', async () => {
    const got = await place({}, { labels: { desk: 'a' } })
    assertDescribed('place_order', got)
    expect([got.status, got.body.data.labels]).toEqual([201, { desk: 'a' }])
    expect(got.headers.location).toBe(`/v1/orders/${got.body.data.order_id}`)
    expect(got.headers['cache-control']).toBe('no-store')
    const read = await served.call({ method: 'GET', url: String(got.headers.location) })
    assertDescribed('get_order', read)
    expect(read.body.data).toMatchObject(got.body.data)
    expect(read.text).not.toContain('order_signature')
  })

  test('a retry under its Idempotency-Key is answered as the first time, and does nothing', async () => {
    const body = await served.order({ limit_price: '0.03' })
    const call = { method: 'POST', url: '/v1/orders', body, idempotency_key: 'once 1' } as const
    const first = await served.call(call)
    const before = await countOrders()
    const again = await served.call(call)
    const respaced = await served.call({ ...call, body: JSON.stringify(body, null, 2) })
    for (const got of [again, respaced]) {
      expect([got.status, got.body.data, got.headers.location]).toEqual([201, first.body.data, first.headers.location])
      expect(got.headers['svc-idempotent-replay']).toBe('true')
    }
    expect(first.headers['svc-idempotent-replay']).toBeUndefined()
    const other = await served.call({ ...call, body: await served.order({ limit_price: '0.04' }) })
    assertRefused('place_order', other, 'IDEMPOTENCY_CONFLICT')
    expect(await countOrders()).toBe(before)
  })

  test.each([null, '', ' ', 'x'.repeat(65), 'gefüllt'])('Idempotency-Key %j is none', async (idempotency_key) => {
    const body = await served.order()
    const got = await served.call({ method: 'POST', url: '/v1/orders', body, idempotency_key })
    assertRefused('place_order', got, 'IDEMPOTENCY_KEY_REQUIRED')
  })

  test('two Idempotency-Key headers are none', async () => {
    const base = await served.app.listen({ port: 0, host: '127.0.0.1' })
    const body = JSON.stringify(await served.order())
    const signed = signRequest({ method: 'POST', target: '/v1/orders', body }, served.keys.acct_a)
    const headers = { ...signed, 'content-type': 'application/json', 'idempotency-key': ['one', 'two'] }
    const sent = request(`${base}/v1/orders`, { method: 'POST', headers }).end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const { error } = JSON.parse(await text(answer))
    expect([answer.statusCode, error.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
    expect(error.message).toContain('is given 2 times')
  })

  test('a nonce of a request is used once, whatever the request', async () => {
    const nonce = 'nonce-of-a-write'
    const call = async () =>
      served.call({ method: 'POST', url: '/v1/orders', body: await served.order({ limit_price: '0.02' }), nonce })
    expect((await call()).status).toBe(201)
    assertRefused('place_order', await call(), 'REPLAY_REQUEST_NONCE_REUSED')
  })

  test('an id of a working order is taken; nothing is recorded', async () => {
    const order_id = await resting({ client_order_id: 'taken' })
    const before = await countOrders()
    const refused = await place({ client_order_id: 'taken' })
    assertRefused('place_order', refused, 'ORDER_DUPLICATE_CLIENT_ID')
    expect(refused.body.error.message).toContain(`is that of order ${order_id}, which`)
    expect(await countOrders()).toBe(before)
  })
})

describe('signatures (stage 4): no order exists after it', () => {
  const refused = async (code: ErrorCode, got: Got): Promise<Got> => {
    assertRefused('place_order', got, code)
    expect(got.body.data).toBeUndefined()
    return got
  }

  test('that is none, or of high s', async () => {
    await refused('SIGNATURE_INVALID', await place({}, { order_signature: '0x1234' }))
    const order = await served.order()
    const got = await post('/orders', { ...order, order_signature: highTwin(String(order.order_signature)) })
    await refused('SIGNATURE_INVALID', got)
  })

  test('of a smart account, where no chain is asked', async () => {
    await refused('SIGNATURE_TYPE_UNSUPPORTED', await place({}, { signature_type: 'erc1271' }))
  })

  test('of another message: the answer says which was checked, and where the echo leaves it', async () => {
    const signed_message = { account: 'acct_a', limit_price_integer: 50 }
    const got = await refused('SIGNATURE_ORDER_MISMATCH', await place({}, { limit_price: '0.51', signed_message }))
    expect(got.body.error).toMatchObject({
      digest: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      domain_separator: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      expected_signer: signerOf('acct_a').account.address.toLowerCase(),
      recovered_signer: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      first_differing_field: expect.any(String),
    })
  })

  test('of a signer that may not act for the account', async () => {
    const order = (await served.order()) as unknown as Parameters<typeof signOrder>[0]
    const body = await signOrder(order, signerOf('acct_b'), ENVIRONMENT)
    const got = await refused('SIGNATURE_SIGNER_UNAUTHORIZED', await post('/orders', body))
    expect(got.body.error.digest).toMatch(/^0x/)
  })

  test('of an order that is over, or whose nonce was used', async () => {
    const over = { time_in_force: 'GTD', expires_at: '2020-01-01T00:00:00Z' }
    await refused('SIGNATURE_ORDER_EXPIRED', await place(over))
    await resting({ order_nonce: '77' })
    await refused('REPLAY_ORDER_NONCE_REUSED', await place({ order_nonce: '77' }))
  })
})

describe('rejections (stages 5 to 8): 422 with the error and the record', () => {
  const listed = { kind: 'add_market', outcome_ids: ['out_c_yes', 'out_c_no'] } as const
  beforeAll(async () => {
    const terms = {
      price_min: '0.01',
      price_max: '0.99',
      price_increment: '0.01',
      quantity_increment: '1',
      minimum_quantity: '1',
      settlement_asset_id: 'asset_usd',
      shorting_permitted: false,
    }
    const fees = { schedule_id: 'fee_1', schedule_version: 1, taker_rate: '0.02', maker_rate: '0' }
    await served.act({ ...listed, market_id: 'mkt_covered', terms, fees })
    await served.act({ kind: 'move_market', market_id: 'mkt_covered', to: 'open' })
    await served.act({ ...listed, outcome_ids: ['out_d_yes', 'out_d_no'], market_id: 'mkt_scheduled', terms, fees })
    const ask = await served.order({ side: 'SELL', limit_price: '0.90' }, 'acct_b')
    await served.call({ method: 'POST', url: '/v1/orders', body: ask, key: served.keys.acct_b })
  })

  const cases: readonly [ErrorCode, Wanted][] = [
    ['MARKET_NOT_FOUND', { market_id: 'mkt_absent' }],
    ['MARKET_OUTCOME_NOT_FOUND', { outcome_id: 'out_absent' }],
    ['MARKET_NOT_TRADABLE', { market_id: 'mkt_scheduled', outcome_id: 'out_d_yes' }],
    ['ORDER_SETTLEMENT_ASSET_INVALID', { settlement_asset_id: 'asset_eur' }],
    ['ORDER_TICK_SIZE_INVALID', { limit_price: '0.505' }],
    ['ORDER_PRICE_OUT_OF_RANGE', { limit_price: '1.50' }],
    ['ORDER_LOT_SIZE_INVALID', { quantity: '0.001' }],
    ['ORDER_TIF_INCOMPATIBLE', { post_only: true, time_in_force: 'FOK' }],
    ['RISK_MAX_NOTIONAL_EXCEEDED', { maximum_notional: '0.01' }],
    ['RISK_MAX_FEE_EXCEEDED', { maximum_fee: '0.0001' }],
    ['ORDER_REDUCE_ONLY_NO_POSITION', { reduce_only: true }],
    ['BALANCE_INSUFFICIENT_POSITION', { market_id: 'mkt_covered', outcome_id: 'out_c_yes', side: 'SELL' }],
    ['BALANCE_INSUFFICIENT_COLLATERAL', { quantity: '9000000', maximum_notional: '9000000', maximum_fee: '9000000' }],
    ['ORDER_POST_ONLY_WOULD_TAKE', { post_only: true, limit_price: '0.95' }],
  ]
  test.each(cases)('%s', async (code, wanted) => {
    const got = await place(wanted)
    assertDescribed('place_order', got)
    expect([got.status, got.body.error.code, got.body.data.status], got.text).toEqual([422, code, 'rejected'])
    expect(got.body.data.rejection).toEqual(got.body.error)
    expect(got.headers.location).toBe(`/v1/orders/${got.body.data.order_id}`)
    const read = await served.call({ method: 'GET', url: String(got.headers.location) })
    assertDescribed('get_order', read)
    expect(read.body.data.status).toBe('rejected')
  })

  test('RISK_PRICE_PROTECTION, RISK_POSITION_LIMIT_EXCEEDED, RISK_ACCOUNT_BLOCKED', async () => {
    const policy = { ...POLICY, policy_version: 2, price_band: '0.10', position_limit: '20' }
    await served.act({ kind: 'set_mark', market_id: MARKET_ID, outcome_id: OUTCOME_ID, mark: '0.50' })
    await served.act({ kind: 'set_policy', account_id: 'acct_empty', policy })
    const transfer_id = 'tr_more'
    await served.act({ kind: 'deposit', transfer_id, account_id: 'acct_empty', asset_id: 'asset_usd', amount: '1000' })
    const as_empty = async (wanted: Wanted) =>
      served.call({
        method: 'POST',
        url: '/v1/orders',
        body: await served.order(wanted, 'acct_empty'),
        key: served.keys.acct_empty,
      })
    const codes = async (wanted: Wanted) => (await as_empty(wanted)).body.error?.code
    expect(await codes({ limit_price: '0.70' })).toBe('RISK_PRICE_PROTECTION')
    expect(await codes({ quantity: '21' })).toBe('RISK_POSITION_LIMIT_EXCEEDED')
    await served.act({ kind: 'block_account', account_id: 'acct_empty', blocked: true })
    expect(await codes({})).toBe('RISK_ACCOUNT_BLOCKED')
    await served.act({ kind: 'block_account', account_id: 'acct_empty', blocked: false })
  })

  test('an unfilled FOK is no error', async () => {
    const got = await place({ time_in_force: 'FOK', limit_price: '0.06' })
    expect([got.status, got.body.data.status, got.body.data.terminal_reason]).toEqual([
      201,
      'canceled',
      'FOK_NOT_FILLED',
    ])
  })
})

describe('batches', () => {
  test('each item for itself, by its index', async () => {
    const good = await served.order({ limit_price: '0.02' })
    const bad = { ...(await served.order({ limit_price: '0.02' })), order_signature: '0x00' }
    const rejected = await served.order({ limit_price: '0.005' })
    const got = await post('/orders/batch', { orders: [good, bad, rejected, good] })
    assertDescribed('place_orders', got)
    type Item = { readonly index: number; readonly status: string; readonly error: { readonly code: string } | null }
    const told = (got.body.data as readonly Item[]).map(({ index, status, error }) => [index, status, error?.code])
    expect(told).toEqual([
      [0, 'accepted', undefined],
      [1, 'rejected', 'SIGNATURE_INVALID'],
      [2, 'rejected', expect.stringMatching(/^ORDER_/)],
      [3, 'rejected', 'ORDER_DUPLICATE_CLIENT_ID'],
    ])
  })

  test('51 orders are too many, and a fault of one refuses the whole request', async () => {
    const order = await served.order()
    const many = await post('/orders/batch', { orders: Array.from({ length: 51 }, () => order) })
    assertRefused('place_orders', many, 'VALIDATION_BODY_INVALID')
    const faulty = await post('/orders/batch', { orders: [order, { ...order, quantity: 10 }] })
    assertRefused('place_orders', faulty, 'VALIDATION_BODY_INVALID')
    expect(faulty.body.error.field_violations[0].field).toBe('orders[1].quantity')
  })

  test("an item of another account is refused alike whether that one has the item's client_order_id", async () => {
    const theirs = await served.order({ limit_price: '0.02', client_order_id: 'secret-of-b' }, 'acct_b')
    await served.call({ method: 'POST', url: '/v1/orders', body: theirs, key: served.keys.acct_b })
    const ask = async (client_order_id: string) =>
      (await post('/orders/batch', { orders: [{ ...theirs, client_order_id }] })).body.data[0].error
    const [taken, free] = [await ask('secret-of-b'), await ask('not-of-b')]
    expect([taken.code, taken.message]).toEqual(['ACCOUNT_NOT_FOUND', free.message])
  })
})

describe('cancel, amend, cancel-all', () => {
  test('a cancel ends what remains; of an ended order 409 with its projection', async () => {
    const order_id = await resting()
    const got = await post(`/orders/${order_id}/cancel`, { expected_order_version: 3, reason: 'test' })
    assertDescribed('cancel_order', got)
    expect([got.status, got.body.data.status, got.body.data.terminal_reason]).toEqual([
      200,
      'canceled',
      'USER_CANCELED',
    ])
    const again = await post(`/orders/${order_id}/cancel`, {})
    assertRefused('cancel_order', again, 'ORDER_NOT_CANCELABLE')
    expect(again.body.data).toEqual(got.body.data)
  })

  test('a version that has moved on: 409 with the latest projection', async () => {
    const order_id = await resting()
    const stale = await post(`/orders/${order_id}/cancel`, { expected_order_version: 1 })
    assertRefused('cancel_order', stale, 'ORDER_VERSION_CONFLICT')
    expect(stale.body.data).toMatchObject({ order_id, version: 3 })
    const amended = await post(`/orders/${order_id}/amend`, { ...(await served.order()), expected_order_version: 1 })
    assertRefused('amend_order', amended, 'ORDER_VERSION_CONFLICT')
  })

  test('an amend replaces, or changes nothing', async () => {
    const order_id = await resting()
    const amend = async (wanted: Wanted) =>
      post(`/orders/${order_id}/amend`, { ...(await served.order(wanted)), expected_order_version: 3 })
    assertRefused('amend_order', await amend({ time_in_force: 'FOK', limit_price: '0.06' }), 'ORDER_FOK_NOT_FILLABLE')
    assertRefused('amend_order', await amend({ time_in_force: 'FAK', limit_price: '0.06' }), 'ORDER_FAK_NOT_FILLABLE')
    assertRefused('amend_order', await amend({ outcome_id: 'out_http_no' }), 'ORDER_AMEND_NOT_ALLOWED')
    const got = await amend({ limit_price: '0.07' })
    assertDescribed('amend_order', got)
    const { replacement } = got.body.data
    expect([got.status, got.body.data.terminal_reason, replacement.limit_price]).toEqual([200, 'REPLACED', '0.07'])
    expect(got.body.data.replaced_by_order_id).toBe(replacement.order_id)
  })

  test('what does not exist is not found', async () => {
    assertRefused('cancel_order', await post('/orders/ord_absent/cancel', {}), 'ORDER_NOT_FOUND')
    const body = { ...(await served.order()), expected_order_version: 1 }
    assertRefused('amend_order', await post('/orders/ord_absent/amend', body), 'ORDER_NOT_FOUND')
  })

  test('cancel-all asks for its scope by name, and filters are combined', async () => {
    const account_id = 'acct_a'
    const all = (body: object) => post('/orders/cancel-all', { account_id, ...body })
    for (const body of [{}, { cancel_on_pause_only: false }, { scope: 'all_open_orders', market_id: MARKET_ID }]) {
      const got = await all(body)
      assertRefused('cancel_all_orders', got, 'VALIDATION_BODY_INVALID')
      expect(got.body.error.field_violations[0].field).toBe('scope')
    }
    await all({ scope: 'all_open_orders' })
    const [marked, other] = [await resting({ cancel_on_pause: true }), await resting()]
    assertRefused('cancel_all_orders', await all({ market_id: 'mkt_absent' }), 'MARKET_NOT_FOUND')
    assertRefused('cancel_all_orders', await all({ index_id: 'idx_absent' }), 'INDEX_NOT_FOUND')
    const misspelt = await all({ venue_id: 'tidemrak' })
    assertRefused('cancel_all_orders', misspelt, 'VALIDATION_BODY_INVALID')
    expect(misspelt.body.error.field_violations[0]).toMatchObject({ field: 'venue_id', value: 'tidemrak' })
    const elsewhere = await all({ venue_id: 'kalshi' })
    assertDescribed('cancel_all_orders', elsewhere)
    expect([elsewhere.status, elsewhere.body.data.targeted_count]).toEqual([200, 0])
    const some = await all({ market_id: MARKET_ID, venue_id: 'tidemark', cancel_on_pause_only: true })
    expect(some.body.data.orders.map(({ order_id }: { order_id: string }) => order_id)).toEqual([marked])
    const rest = await all({ scope: 'all_open_orders' })
    assertDescribed('cancel_all_orders', rest)
    expect(rest.body.data.orders.map(({ order_id }: { order_id: string }) => order_id)).toEqual([other])
  })

  test('the switch is set and disarmed', async () => {
    const put = (timeout_ms: unknown) =>
      served.call({ method: 'PUT', url: '/v1/account/cancel-after', body: { timeout_ms } })
    const set = await put(60_000)
    assertDescribed('set_cancel_after', set)
    expect(set.body.data.timeout_ms).toBe(60_000)
    expect((await put(0)).body.data.cancel_at).toBeNull()
    for (const wrong of [4_999, 300_001, '5000', 5000.5]) {
      assertRefused('set_cancel_after', await put(wrong), 'VALIDATION_BODY_INVALID')
    }
  })
})

test('a preview says what placing would, and uses nothing up', async () => {
  const body = await served.order({ limit_price: '0.02' })
  const before = await countOrders()
  const preview = () => served.call({ method: 'POST', url: '/v1/orders/preview', body, idempotency_key: null })
  for (const got of [await preview(), await preview()]) {
    assertDescribed('preview_order', got)
    expect([got.status, got.body.data.status]).toEqual([200, 'accepted'])
  }
  const bad = await post('/orders/preview', await served.order({ limit_price: '0.005' }))
  expect([bad.status, bad.body.data.status, bad.body.data.rejection.code]).toEqual([
    200,
    'rejected',
    expect.any(String),
  ])
  expect(await countOrders()).toBe(before)
  expect((await post('/orders', body)).status).toBe(201)
})

describe('the audit finds an order that nobody who may sign has signed', () => {
  const OPEN = "WHERE status = 'open' AND limit_price = '0.07'"
  const set = (change: string): PlantedChange => ['O10', `UPDATE trading.orders SET ${change} ${OPEN}`]
  const OTHER = `'0x${'1b'.repeat(20)}'`

  test('a row of the database', async () => {
    await resting({ limit_price: '0.07' })
    const planted: PlantedChange[] = [
      set("limit_price = '0.08'"),
      set("quantity = '1000000'"),
      set("side = CASE side WHEN 'BUY' THEN 'SELL' ELSE 'BUY' END"),
      set('post_only = NOT post_only'),
      set("maximum_fee = '999'"),
      set("outcome_id = 'out_other'"),
      set("order_nonce = '12345678901234567890'"),
      set("expires_at = '2100-01-01', time_in_force = 'GTD'"),
      set("digest = '0x' || repeat('ab', 32)"),
      set(`signer = ${OTHER}`),
      // Another byte, whatever it was: one signature in 256 has any byte that could be written here.
      set(
        "order_signature = overlay(order_signature placing CASE substr(order_signature, 5, 2) WHEN '00' THEN '01' ELSE '00' END from 5)",
      ),
      set("order_signature = '0x'"),
    ]
    const { pool } = served
    expect(await auditAfter(pool, 'SELECT 1', ['O10'])).toEqual([])
    expect(await notFound(pool, planted)).toEqual([])
  })
})
