import { createHmac, hash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { isTidemarkError, TidemarkError } from '../../../client/tidemark-error.ts'
import { createTradingClient } from '../../../client/trading/trading-client.ts'

const SECRET = '5e'.repeat(32)
const CREDENTIALS = { account_id: 'acct_a', key_id: 'key_0123456789abcdef', secret: SECRET, environment: 'sandbox' }
const RETRY = { attempts_max: 4, within_ms: 60_000 }

type Asked = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
type Reply = readonly [status: number, body: unknown, headers?: Record<string, string>] | 'cut'

let server: Server | null = null
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A service that gives these replies one after the other, the last one for ever; `cut`: the connection breaks instead. */
async function answering(...replies: readonly Reply[]) {
  const asked: Asked[] = []
  server = createServer(async (request, response) => {
    const reply = replies[Math.min(asked.length, replies.length - 1)]!
    asked.push({ method: request.method!, url: request.url!, headers: request.headers, body: await text(request) })
    if (reply === 'cut') return void request.socket.destroy()
    response.writeHead(reply[0], reply[2]).end(JSON.stringify(reply[1]))
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { client: createTradingClient({ ...CREDENTIALS, base_url, retry: RETRY }), asked }
}

const refusal = (code: string, retryable: boolean, more = {}) => ({
  error: { code, message: code, retryable, request_id: 'req_1', ...more },
})
const DONE = [200, { data: { order_id: 'ord_1', status: 'canceled' }, meta: {} }] as const

/** Verifies the headers' signature, derived here from the documentation alone. */
function isSigned({ method, url, headers, body }: Asked): boolean {
  const [path, query = ''] = url.split('?')
  const signed = [
    'SVC-Access-Signature-Version:v1',
    `method:${method}`,
    `path:${path}`,
    `query:${query.split('&').sort().join('&')}`,
    `body_sha256:${hash('sha256', body, 'hex')}`,
    `timestamp:${headers['svc-access-timestamp']}`,
    `nonce:${headers['svc-access-nonce']}`,
    `key_id:${CREDENTIALS.key_id}`,
    'environment:sandbox',
  ].join('\n')
  const wanted = createHmac('sha256', Buffer.from(SECRET, 'hex')).update(signed).digest('hex')
  return headers['svc-access-signature'] === wanted && headers['svc-access-key'] === CREDENTIALS.key_id
}

test('every request is signed as it is sent', async () => {
  const { client, asked } = await answering([200, { data: [], page: { next_cursor: null }, meta: {} }])
  for await (const _ of client.orders({ status: 'open', created_after: '2026-01-01T00:00:00Z', market_id: 'mkt_a' }))
    break
  for await (const _ of client.fills({ engine_sequence_after: 7 })) break
  for await (const _ of client.orders({ status: ['filled', 'expired'], working: false })) break
  expect(asked.map(isSigned)).toEqual([true, true, true])
  expect(asked[2]!.url).toBe('/v1/orders?status=filled%2Cexpired&working=false')
  expect(asked[0]!.url).toBe('/v1/orders?status=open&created_after=2026-01-01T00%3A00%3A00Z&market_id=mkt_a')
})

test.each([
  ['a refusal for rate', [429, refusal('RATE_LIMIT_EXCEEDED', true, { retry_after_ms: 1 })]],
  ['a service that starts', [503, refusal('SERVICE_UNAVAILABLE', true, { retry_after_ms: 1 })]],
  ['an outcome that is not known', [504, refusal('OUTCOME_UNKNOWN', true, { retry_after_ms: 1 })]],
  ['the same request under way', [409, refusal('IDEMPOTENCY_IN_PROGRESS', true, { retry_after_ms: 1 })]],
  ['a connection that breaks', 'cut'],
] as [string, Reply][])(
  '%s: a write is sent again under the same Idempotency-Key, signed anew',
  async (_name, reply) => {
    const { client, asked } = await answering(reply, reply, DONE)
    expect(await client.cancelOrder('ord_1')).toMatchObject({ status: 'canceled' })
    const of = (name: string) => new Set(asked.map(({ headers }) => headers[name]))
    expect([asked.length, of('idempotency-key').size, of('svc-access-nonce').size]).toEqual([3, 1, 3])
    expect(asked.every(isSigned)).toBe(true)
    expect(new Set(asked.map(({ body }) => body)).size).toBe(1)
  },
)

test('what will not pass is told at once, with its error object and its data', async () => {
  const data = { order_id: 'ord_1', version: 9 }
  const { client, asked } = await answering([409, { ...refusal('ORDER_VERSION_CONFLICT', false), data }])
  const error = await client.cancelOrder('ord_1', { expected_order_version: 3 }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TidemarkError)
  expect(error).toMatchObject({
    code: 'ORDER_VERSION_CONFLICT',
    status: 409,
    request_id: 'req_1',
    retryable: false,
    data,
  })
  expect(isTidemarkError(error, 'ORDER_VERSION_CONFLICT')).toBe(true)
  expect(asked).toHaveLength(1)
})

test('what does not pass in time is told after the last attempt', async () => {
  const { client, asked } = await answering('cut')
  await expect(client.policy()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: null, retryable: true })
  expect(asked).toHaveLength(RETRY.attempts_max)
})

test('a clock that is some minutes wrong is corrected by what the server says of its own', async () => {
  const AHEAD_MS = 240_000
  const server_time_ms = Date.now() + AHEAD_MS
  const late = refusal('AUTH_TIMESTAMP_OUT_OF_WINDOW', true, { server_time_ms, retry_after_ms: 1 })
  const { client, asked } = await answering([401, late], DONE)
  await client.cancelOrder('ord_1')
  const sent_ms = Number(asked[1]!.headers['svc-access-timestamp'])
  expect(sent_ms).toBeGreaterThanOrEqual(server_time_ms)
  expect(sent_ms).toBeLessThanOrEqual(Date.now() + AHEAD_MS)
})

test('pages are asked for one after the other, when they are reached', async () => {
  const page = (items: readonly object[], next_cursor: string | null) =>
    [200, { data: items, page: { next_cursor, has_more: next_cursor !== null }, meta: {} }] as const
  const { client, asked } = await answering(page([{ n: 1 }, { n: 2 }], 'c1'), page([{ n: 3 }], null))
  const seen: unknown[] = []
  for await (const balance of client.balances({ asset_id: 'asset_usd' })) seen.push(balance)
  expect(seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(asked.map(({ url }) => url)).toEqual([
    '/v1/balances?asset_id=asset_usd',
    '/v1/balances?asset_id=asset_usd&cursor=c1',
  ])
})

test('an answer of somebody else is no answer', async () => {
  const { client } = await answering([200, 'hello'])
  await expect(client.policy()).rejects.toMatchObject({
    message: expect.stringContaining('answered 200, not as this API'),
  })
})

test('orders need a signer, and are refused here without one', async () => {
  const { client, asked } = await answering(DONE)
  const terms = { market_id: 'mkt_a', outcome_id: 'out_a', limit_price: '0.5', quantity: '1', maximum_fee: '1' }
  await expect(client.placeOrder({ ...terms, side: 'BUY' })).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' })
  expect(asked).toEqual([])
})

test('records of another account than the options name are refused: a key reads its own', async () => {
  const { client } = await answering([
    200,
    { data: [{ account_id: 'acct_other' }], page: { next_cursor: null }, meta: {} },
  ])
  const first = async () => {
    for await (const balance of client.balances()) return balance
  }
  await expect(first()).rejects.toMatchObject({
    code: 'ACCOUNT_NOT_FOUND',
    message: expect.stringMatching('acct_other'),
  })
})

test('of a list of orders, the error names the one that it is about', async () => {
  const terms = { market_id: 'mkt_a', outcome_id: 'out_a', limit_price: '0.5', quantity: '1', maximum_fee: '1' }
  const signer_private_key = `0x${'1'.repeat(64)}`
  const client = createTradingClient({ ...CREDENTIALS, base_url: 'http://service.example', signer_private_key })
  const orders = [
    { ...terms, side: 'BUY' },
    { ...terms, side: 'BUY', quantity: '-1' },
  ] as const
  await expect(client.placeOrders(orders)).rejects.toMatchObject({
    code: 'VALIDATION_DECIMAL_INVALID',
    message: 'orders[1]: quantity is -1; allowed: a decimal without sign',
  })
})
