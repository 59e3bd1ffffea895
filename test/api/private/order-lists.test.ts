import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SIGNED_REQUESTS } from '../../../protocol/limits.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { type Got, type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'

const database = withDatabase()
let served: ServedAccounts
const MOST = SIGNED_REQUESTS.batch_orders_max

beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
}, 180_000)
afterAll(() => served.close())

type Wanted = Parameters<ServedAccounts['order']>[0]
const get = (url: string): Promise<Got> => served.call({ method: 'GET', url: `/v1${url}` })
const post = (url: string, body: unknown, idempotency_key?: string): Promise<Got> =>
  served.call({ method: 'POST', url: `/v1${url}`, body, ...(idempotency_key !== undefined && { idempotency_key }) })
const resting = async (wanted: Wanted = {}) => {
  const got = await post('/orders', await served.order({ limit_price: '0.05', ...wanted }))
  expect(got.body.data?.status, got.text).toBe('open')
  return got.body.data as { order_id: string; client_order_id: string; version: number }
}
const codes = ({ body }: Got) => body.data.map(({ error }: { error: { code: string } | null }) => error?.code ?? null)

describe('an order by its client id', () => {
  test('is read and canceled like by its own id', async () => {
    const { order_id, client_order_id } = await resting()
    const read = await get(`/orders/by-client-id/${client_order_id}`)
    assertDescribed('get_order_by_client_id', read)
    expect(read.body.data).toEqual((await get(`/orders/${order_id}`)).body.data)
    const stale = await post(`/orders/by-client-id/${client_order_id}/cancel`, { expected_order_version: 99 })
    assertRefused('cancel_order_by_client_id', stale, 'ORDER_VERSION_CONFLICT')
    const got = await post(`/orders/by-client-id/${client_order_id}/cancel`, { reason: 'done' }, 'cancel by name')
    assertDescribed('cancel_order_by_client_id', got)
    expect(got.body.data).toMatchObject({ order_id, status: 'canceled', cancel_reason: 'done' })
    const again = await post(`/orders/by-client-id/${client_order_id}/cancel`, { reason: 'done' }, 'cancel by name')
    expect([again.status, again.body.data]).toEqual([200, got.body.data])
    const ended = await post(`/orders/by-client-id/${client_order_id}/cancel`, {})
    assertRefused('cancel_order_by_client_id', ended, 'ORDER_NOT_CANCELABLE')
    expect(ended.body.data.order_id).toBe(order_id)
  })

  test('where the id was used again, is the working one, or else the newest', async () => {
    const [first, second] = await Promise.all(
      ['0.555', '0.05'].map((limit_price) => served.order({ client_order_id: 'again', limit_price })),
    )
    const batch = await post('/orders/batch', { orders: [first, second] })
    expect(codes(batch)).toEqual(['ORDER_TICK_SIZE_INVALID', null])
    const { order_id } = batch.body.data[1]
    expect((await get('/orders/by-client-id/again')).body.data.order_id).toBe(order_id)
    const got = await post('/orders/by-client-id/again/cancel', {})
    expect([got.status, got.body.data.order_id]).toEqual([200, order_id])
    expect((await get('/orders/by-client-id/again')).body.data.order_id).toBe(order_id)
    const ended = await post('/orders/by-client-id/again/cancel', {})
    assertRefused('cancel_order_by_client_id', ended, 'ORDER_NOT_CANCELABLE')
    expect(ended.body.data.order_id).toBe(order_id)
    expect((await get('/orders?client_order_id=again')).body.data).toHaveLength(2)
  })

  test('that is unknown, or no id', async () => {
    assertRefused('get_order_by_client_id', await get('/orders/by-client-id/absent'), 'ORDER_NOT_FOUND')
    assertRefused('cancel_order_by_client_id', await post('/orders/by-client-id/absent/cancel', {}), 'ORDER_NOT_FOUND')
    const long = await get(`/orders/by-client-id/${'x'.repeat(65)}`)
    assertRefused('get_order_by_client_id', long, 'VALIDATION_PARAMETER_INVALID')
    expect((await get(`/orders/by-client-id/${'x'.repeat(64)}`)).status).toBe(404)
  })
})

/** An order that a list names by no id of its own. */
const UNKNOWN = { client_order_id: 'absent' }
const ids = ({ body }: Got) => body.data.map(({ order_id }: { order_id: string | null }) => order_id)

describe('a list of cancels', () => {
  test('is answered item by item, once', async () => {
    const [a, b] = [await resting(), await resting()]
    const orders = [
      { order_id: a.order_id },
      { client_order_id: b.client_order_id },
      { order_id: 'ord_absent' },
      UNKNOWN,
    ]
    const got = await post('/orders/cancel-batch', { orders, reason: 'list' }, 'list 1')
    assertDescribed('cancel_orders', got)
    expect([got.status, codes(got)]).toEqual([200, [null, null, 'ORDER_NOT_FOUND', 'ORDER_NOT_FOUND']])
    expect(ids(got)).toEqual([a.order_id, b.order_id, 'ord_absent', null])
    for (const { order } of got.body.data.slice(0, 2))
      expect(order).toMatchObject({ status: 'canceled', terminal_reason: 'USER_CANCELED', cancel_reason: 'list' })
    const again = await post('/orders/cancel-batch', { orders, reason: 'list' }, 'list 1')
    expect([again.body.data, again.headers['svc-idempotent-replay']]).toEqual([got.body.data, 'true'])
    const { cancel_command_id } = got.body.data[0].order
    expect((await get(`/orders?command_id=${cancel_command_id}`)).body.data).toHaveLength(2)
  })

  test('names each order by exactly one id, and is at most as long as a batch', async () => {
    for (const wrong of [{}, { order_id: 'ord_a', client_order_id: 'a' }]) {
      const got = await post('/orders/cancel-batch', { orders: [{ order_id: 'ord_a' }, wrong] })
      assertRefused('cancel_orders', got, 'VALIDATION_BODY_INVALID')
      expect(got.body.error.field_violations).toMatchObject([{ field: 'orders[1]' }])
    }
    const list = (count: number) => ({ orders: Array.from({ length: count }, (_, n) => ({ order_id: `ord_${n}` })) })
    expect((await post('/orders/cancel-batch', list(MOST))).status).toBe(200)
    for (const count of [0, MOST + 1])
      assertRefused('cancel_orders', await post('/orders/cancel-batch', list(count)), 'VALIDATION_BODY_INVALID')
  })
})

describe('a list of amends', () => {
  const replacing = async ({ order_id, version }: { order_id: string; version: number }, wanted: Wanted = {}) => ({
    ...(await served.order({ limit_price: '0.06', ...wanted })),
    order_id,
    expected_order_version: version,
  })

  test('is answered item by item, once; a refused one leaves its order as it was', async () => {
    const [a, b, c] = [await resting(), await resting(), await resting()]
    const forged = { ...(await replacing(c)), limit_price: '0.07' }
    const orders = [
      await replacing(a),
      await replacing({ ...b, version: 99 }),
      forged,
      await replacing({ order_id: 'ord_absent', version: 1 }),
      await replacing(b, { limit_price: '0.555' }),
      await replacing(a),
      await replacing(b, { client_order_id: c.client_order_id }),
    ]
    const got = await post('/orders/amend-batch', { orders }, 'amends 1')
    assertDescribed('amend_orders', got)
    expect(codes(got)).toEqual([
      null,
      'ORDER_VERSION_CONFLICT',
      'SIGNATURE_ORDER_MISMATCH',
      'ORDER_NOT_FOUND',
      'ORDER_TICK_SIZE_INVALID',
      'ORDER_NOT_CANCELABLE',
      'ORDER_DUPLICATE_CLIENT_ID',
    ])
    expect(ids(got)).toEqual(orders.map(({ order_id }) => order_id))
    // A list of cancels names the same orders alike.
    const named = orders.map(({ order_id }) => ({ order_id, expected_order_version: 99 }))
    expect(ids(await post('/orders/cancel-batch', { orders: named }))).toEqual(ids(got))
    const [first, second] = got.body.data
    expect(first.order).toMatchObject({ order_id: a.order_id, status: 'canceled', terminal_reason: 'REPLACED' })
    expect(first.replacement).toMatchObject({ status: 'open', limit_price: '0.06' })
    expect(first.order.replaced_by_order_id).toBe(first.replacement.order_id)
    expect(second).toMatchObject({ order_id: b.order_id, order: { status: 'open' }, replacement: null })
    for (const { order_id } of [b, c]) expect((await get(`/orders/${order_id}`)).body.data.status).toBe('open')
    const again = await post('/orders/amend-batch', { orders }, 'amends 1')
    expect([again.body.data, again.headers['svc-idempotent-replay']]).toEqual([got.body.data, 'true'])
  })

  test('names the order of each item, and is at most as long as a batch', async () => {
    const order = await replacing({ order_id: 'ord_absent', version: 1 })
    const { order_id: _, ...nameless } = order
    const missing = await post('/orders/amend-batch', { orders: [order, nameless] })
    assertRefused('amend_orders', missing, 'VALIDATION_BODY_INVALID')
    expect(missing.body.error.field_violations).toMatchObject([{ field: 'orders[1].order_id' }])
    const list = (count: number) => ({ orders: Array.from({ length: count }, () => order) })
    expect((await post('/orders/amend-batch', list(MOST))).status).toBe(200)
    for (const count of [0, MOST + 1])
      assertRefused('amend_orders', await post('/orders/amend-batch', list(count)), 'VALIDATION_BODY_INVALID')
  })
})

test.each([
  ['/orders/ord_absent', '/orders/ord_absent/cancel', {}],
  ['/orders/by-client-id/absent', '/orders/by-client-id/absent/cancel', {}],
  ['/account/transfers/trf_absent', '/account/transfers/trf_absent/cancel', {}],
  [
    '/account/api-keys/key_absent0000000000/audit-log',
    '/account/api-keys/key_absent0000000000/rotate',
    { overlap_seconds: 0 },
  ],
])('what the account does not have is refused in the same words by GET %s and POST %s', async (read, write, body) => {
  const [of_read, of_write] = [await get(read), await post(write, body)]
  const said = ({ status, body: { error } }: Got) => [status, error.code, error.message]
  expect(said(of_write)).toEqual(said(of_read))
  expect(of_read.body.error.message).toMatch(/^\w+ is "\w+"; allowed: /)
})
