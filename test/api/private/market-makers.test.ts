import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createAccountStream } from '../../../client/trading/stream/account-stream.ts'
import type { TopicChange } from '../../../client/trading/stream/followed-topic.ts'
import { createOrderSocket } from '../../../client/trading/stream/order-socket.ts'
import type { StreamSocket } from '../../../client/trading/stream/stream-socket.ts'
import { createTradingClient, type TradingClient } from '../../../client/trading/trading-client.ts'
import { PROTECTIONS, SIGNED_REQUESTS } from '../../../protocol/limits.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import { notFound, type PlantedChange } from '../../support/trading/audit-after.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import {
  type AccountName,
  ENVIRONMENT,
  MARKET_ID,
  OUTCOME_ID,
  PRIVATE_KEYS,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'
import { type ServedStream, serveStream } from '../../support/trading/served-streams.ts'

const database = withDatabase()
let served: ServedAccounts
let stream: ServedStream
let client: TradingClient
const RATE = { order_write: { keyed: { rate: 0.001, burst: 150 }, anonymous: null } }
const open = (url: string) => new WebSocket(url) as unknown as StreamSocket
const QUOTES = '/v1/orders/mass-quote'
const PROTECTION = `/v1/account/market-maker-protections/${MARKET_ID}`

beforeAll(async () => {
  served = await serveAccounts((await database()).pool, { rate_limits: RATE })
  stream = await serveStream(served, { app: served.app })
  client = clientOf('acct_a')
}, 180_000)
afterAll(async () => {
  await stream.stop()
  await served.close()
})

function clientOf(account_id: AccountName, over: Partial<Parameters<typeof createTradingClient>[0]> = {}) {
  const key = served.keys[account_id]
  const { secret } = key as { secret: string }
  const signer_private_key = `0x${PRIVATE_KEYS[account_id].repeat(32)}`
  return createTradingClient({
    ...{ base_url: stream.base_url, environment: ENVIRONMENT, account_id, signer_private_key },
    ...{ key_id: key.key_id, secret },
    ...over,
  })
}

const both = { outcome_id: OUTCOME_ID, quantity: '10', maximum_fee: '10' } as const
const bid = (limit_price: string) => ({ ...both, side: 'BUY', limit_price }) as const
const ask = (limit_price: string) => ({ ...both, side: 'SELL', limit_price }) as const
const ladder = { market_id: MARKET_ID, quote_set_id: 'main' }
const put = (body: unknown) => served.call({ method: 'PUT', url: PROTECTION, body })

describe('a mass quote', () => {
  test('replaces a ladder over REST; its label is kept and filters the list', async () => {
    const orders = [await served.order({ limit_price: '0.05' }), await served.order({ limit_price: '0.04' })]
    const call = { method: 'POST', url: QUOTES, body: { ...ladder, orders }, idempotency_key: 'one ladder' } as const
    const got = await served.call(call)
    assertDescribed('mass_quote', got)
    expect(got.body.data.orders.map(({ status }: { status: string }) => status)).toEqual(['accepted', 'accepted'])
    expect(got.headers['svc-ratelimit-limit-class']).toBe('order_write')
    const again = await served.call(call)
    expect([again.body.data, again.headers['svc-idempotent-replay']]).toEqual([got.body.data, 'true'])
    const listed = await served.call({ method: 'GET', url: '/v1/orders?quote_set_id=main&working=true' })
    assertDescribed('list_orders', listed)
    expect(listed.body.data.map(({ quote_set_id }: { quote_set_id: string }) => quote_set_id)).toEqual(['main', 'main'])
    const other = await served.call({ method: 'GET', url: '/v1/orders?quote_set_id=none' })
    expect(other.body.data).toEqual([])
    const ended = await client.massQuote({ ...ladder, orders: [] })
    expect(ended.canceled.map(({ order_id }) => order_id)).toEqual(
      got.body.data.orders.map(({ order_id }: { order_id: string }) => order_id),
    )
    expect((await client.order(ended.canceled[0]!.order_id)).cancel_command_id).toBe(ended.command_id)
  })

  test('over the WebSocket does the same', async () => {
    const order_socket = createOrderSocket({ base_url: stream.base_url, key: served.keys.acct_a, open })
    const over = clientOf('acct_a', { order_socket })
    const first = await over.massQuote({ ...ladder, orders: [bid('0.05'), ask('0.95')] })
    expect(first.orders.map(({ order }) => order!.quote_set_id)).toEqual(['main', 'main'])
    expect((await client.massQuote({ ...ladder, orders: [] })).canceled).toHaveLength(2)
    order_socket.close()
  })

  test('is refused whole, with the described answer', async () => {
    const quote = (body: object) => served.call({ method: 'POST', url: QUOTES, body: { ...ladder, ...body } })
    const [low, high] = [
      await served.order({ limit_price: '0.05' }),
      await served.order({ side: 'SELL', limit_price: '0.05' }),
    ]
    const crossed = await quote({ orders: [low, high] })
    assertRefused('mass_quote', crossed, 'ORDER_MASS_QUOTE_CROSSED')
    expect(crossed.body.error.message).toContain('orders[0]')
    const theirs = await quote({ orders: [low, await served.order({}, 'acct_b')] })
    assertRefused('mass_quote', theirs, 'ACCOUNT_NOT_FOUND')
    const forged = await quote({ orders: [low, { ...high, limit_price: '0.90' }] })
    assertRefused('mass_quote', forged, 'SIGNATURE_ORDER_MISMATCH')
    const elsewhere = await quote({ orders: [{ ...low, market_id: 'mkt_other' }] })
    assertRefused('mass_quote', elsewhere, 'VALIDATION_BODY_INVALID')
    expect(elsewhere.text).toContain('orders[0].market_id')
    assertRefused('mass_quote', await quote({ market_id: 'mkt_none', orders: [] }), 'MARKET_NOT_FOUND')
    assertRefused('mass_quote', await quote({ quote_set_id: 'a b', orders: [] }), 'VALIDATION_BODY_INVALID')
    const many = Array.from({ length: SIGNED_REQUESTS.mass_quote_orders_max + 1 }, () => low)
    assertRefused('mass_quote', await quote({ orders: many }), 'VALIDATION_BODY_INVALID')
    expect((await quote({ orders: [low] })).status).toBe(200)
    await quote({ orders: [] })
  })

  test('costs a token for each order, and one without orders', async () => {
    const key = await served.newKey({ account_id: 'acct_b' })
    const left = async (orders: readonly unknown[]) => {
      const got = await served.call({ method: 'POST', url: QUOTES, body: { ...ladder, orders }, key })
      return [got.status, Number(got.headers['svc-ratelimit-remaining'])]
    }
    const orders = await Promise.all(
      Array.from({ length: SIGNED_REQUESTS.mass_quote_orders_max }, () =>
        served.order({ limit_price: '0.02' }, 'acct_b'),
      ),
    )
    const [, before] = await left([])
    expect(await left(orders)).toEqual([200, before! - orders.length])
    expect(await left([])).toEqual([200, before! - orders.length - 1])
    const refused = await served.call({ method: 'POST', url: QUOTES, body: { ...ladder, orders }, key })
    assertRefused('mass_quote', refused, 'RATE_LIMIT_EXCEEDED')
  })
})

describe('a protection', () => {
  const limits = { fill_count_max: 2, quantity_max: '500', window_ms: 60_000, frozen_ms: 3_600_000 }

  test('is set, read, listed, reset and removed', async () => {
    const set = await put(limits)
    assertDescribed('set_market_maker_protection', set)
    expect(set.body.data).toMatchObject({ ...limits, quantity_max: '500.00', frozen_until: null, trigger_count: 0 })
    const read = async (operation_id: 'get_market_maker_protection' | 'list_market_maker_protections', url: string) => {
      const got = await served.call({ method: 'GET', url })
      assertDescribed(operation_id, got)
      return got.body
    }
    expect((await read('get_market_maker_protection', PROTECTION)).data).toEqual(set.body.data)
    const listed = await read('list_market_maker_protections', '/v1/account/market-maker-protections')
    expect([listed.data, listed.page]).toEqual([[set.body.data], { next_cursor: null, has_more: false }])
    const reset = await served.call({ method: 'POST', url: `${PROTECTION}/reset`, body: {} })
    assertDescribed('reset_market_maker_protection', reset)
    const removed = await served.call({ method: 'DELETE', url: PROTECTION })
    assertDescribed('remove_market_maker_protection', removed)
    expect(removed.status).toBe(200)
    for (const operation_id of ['get_market_maker_protection', 'remove_market_maker_protection'] as const) {
      const method = operation_id === 'get_market_maker_protection' ? 'GET' : 'DELETE'
      assertRefused(operation_id, await served.call({ method, url: PROTECTION }), 'PROTECTION_NOT_FOUND')
    }
  })

  test.each([
    [{ fill_count_max: 0 }],
    [{ fill_count_max: PROTECTIONS.fill_count_max + 1 }],
    [{ window_ms: 0 }],
    [{ window_ms: PROTECTIONS.window_ms + 1 }],
    [{ frozen_ms: 0 }],
    [{ frozen_ms: PROTECTIONS.frozen_ms + 1 }],
    [{ quantity_max: '0.001' }],
    [{ quantity_max: '-1' }],
    [{ more: 1 }],
  ])('with %j is refused', async (change) => {
    assertRefused('set_market_maker_protection', await put({ ...limits, ...change }), 'VALIDATION_BODY_INVALID')
  })

  test('of a market that is not listed is refused', async () => {
    const url = '/v1/account/market-maker-protections/mkt_none'
    const got = await served.call({ method: 'PUT', url, body: limits })
    assertRefused('set_market_maker_protection', got, 'MARKET_NOT_FOUND')
    expect(got.status).toBe(404)
  })

  test('cancels at its limit, tells the stream, and refuses until its reset; the audit finds all of it in order', async () => {
    const account = createAccountStream({ base_url: stream.base_url, key: served.keys.acct_a, open })
    const heard: TopicChange[] = []
    account.follow('account.protection', (change) => heard.push(change))
    const kinds = () => heard.filter(({ type }) => type === 'event').map((change) => (change as { kind: string }).kind)
    await expect.poll(() => heard).toMatchObject([{ type: 'snapshot', resources: [] }])
    await client.protect(MARKET_ID, { ...limits, quantity_max: '15' })
    await client.massQuote({ ...ladder, orders: [ask('0.50'), ask('0.51'), bid('0.05')] })
    const taker = clientOf('acct_b')
    const taken = await taker.placeOrder({ ...bid('0.60'), market_id: MARKET_ID, quantity: '20', time_in_force: 'FAK' })
    expect([taken.filled_quantity, taken.terminal_reason]).toEqual(['15.00', 'FAK_REMAINDER'])
    const orders = await all(client.orders({ quote_set_id: 'main', working: false }))
    const ends = orders.slice(0, 3).map(({ terminal_reason, status }) => terminal_reason ?? status)
    expect(ends.sort()).toEqual(['MARKET_MAKER_PROTECTION', 'MARKET_MAKER_PROTECTION', 'filled'])
    const refused = await served.call({ method: 'POST', url: '/v1/orders', body: await served.order() })
    assertRefused('place_order', refused, 'RISK_MARKET_MAKER_PROTECTION')
    const protection = await client.protection(MARKET_ID)
    expect(protection).toMatchObject({ trigger_count: 1, frozen_until: expect.any(String) })
    expect(refused.body.error.message).toContain(protection.frozen_until)
    await expect.poll(kinds).toEqual(['set', 'triggered'])
    await client.resetProtection(MARKET_ID)
    expect((await client.placeOrder({ ...bid('0.05'), market_id: MARKET_ID })).status).toBe('open')
    await client.removeProtection(MARKET_ID)
    await expect.poll(kinds).toEqual(['set', 'triggered', 'reset', 'removed'])
    expect(await all(client.protections())).toEqual([])
    account.close()
    const audited = await auditTrading(served.pool)
    expect(audited.flatMap(({ invariant_id, violations }) => violations.map((one) => [invariant_id, one]))).toEqual([])
    expect(await notFound(served.pool, PLANTED)).toEqual([])
  })
})

/** Changes that an audit must find, by invariant. */
const PLANTED: readonly PlantedChange[] = [
  ['D11', 'UPDATE trading.market_maker_protection SET fill_count_max = fill_count_max + 1'],
  ['D11', 'UPDATE trading.market_maker_protection SET is_active = NOT is_active'],
]

async function all<T>(rows: AsyncGenerator<T>): Promise<T[]> {
  const found: T[] = []
  for await (const row of rows) found.push(row)
  return found
}
