import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type RequestKey, signRequest } from '../../../../client/signing/sign-request.ts'
import { createOrderSocket } from '../../../../client/trading/stream/order-socket.ts'
import { createTradingClient } from '../../../../client/trading/trading-client.ts'
import { wallClock } from '../../../../primitives/wall-clock.ts'
import { STREAM } from '../../../../protocol/limits.ts'
import { withDatabase } from '../../../support/trading/postgres.ts'
import {
  ENVIRONMENT,
  MARKET_ID,
  OUTCOME_ID,
  PRIVATE_KEYS,
  type ServedAccounts,
  serveAccounts,
} from '../../../support/trading/served-accounts.ts'
import { type ServedStream, serveStream } from '../../../support/trading/served-streams.ts'
import { type Said, StreamClient } from '../stream-client.ts'
import { openAccount } from './account-client.ts'

const database = withDatabase()
let served: ServedAccounts
let stream: ServedStream
/** Instant at which the clock of the API stands, so that no token comes back; null: it runs. */
let stopped: number | null = null
/** Resolves when the engine may be asked. */
let held: Promise<void> = Promise.resolve()

beforeAll(async () => {
  served = await serveAccounts((await database()).pool, {
    rate_limits: { order_write: { keyed: { rate: 1, burst: 40 }, anonymous: null } },
    now: () => stopped ?? wallClock(),
    engine: (real) => ({
      ...real,
      submit: async (submission) => {
        await held
        return real.submit(submission)
      },
    }),
  })
  stream = await serveStream(served, { app: served.app, limits: { requests_in_flight_max: 3 } })
}, 180_000)
afterAll(async () => {
  await stream.stop()
  await served.close()
})

type Ask = {
  readonly method?: string
  readonly path?: string
  readonly body: unknown
  readonly key?: RequestKey
  readonly idempotency_key?: string
  readonly nonce?: string
}
let made = 0
/** A message with a request that is signed as REST signs it. */
const request = ({ method = 'POST', path = '/v1/orders', key = served.keys.acct_a, nonce, ...ask }: Ask) => {
  made += 1
  const body = JSON.stringify(ask.body)
  const timestamp_ms = Math.floor((stopped ?? wallClock()) / 1000)
  const signed = signRequest({ method, target: path, body, timestamp_ms, ...(nonce !== undefined && { nonce }) }, key)
  const headers = { ...signed, 'Idempotency-Key': ask.idempotency_key ?? `ws-${made}` }
  return { op: 'request', id: `r${made}`, method, path, headers, body }
}
const bodyOf = (said: object) => (said as { body: ReturnType<typeof JSON.parse> }).body

describe('a request over the stream', () => {
  test('is answered as REST answers it, and known to REST by its Idempotency-Key', async () => {
    const client = await StreamClient.open(stream.url)
    const body = await served.order({ limit_price: '0.05' })
    const placed = await client.ask(request({ body, idempotency_key: 'both ways' }))
    expect(placed).toMatchObject({ type: 'response', status: 201 })
    const { order_id } = bodyOf(placed).data
    expect(placed.headers).toMatchObject({
      location: `/v1/orders/${order_id}`,
      'svc-ratelimit-limit-class': 'order_write',
    })
    const call = { method: 'POST', url: '/v1/orders', body, idempotency_key: 'both ways' } as const
    const again = await served.call(call)
    expect([again.status, again.body.data, again.headers['svc-idempotent-replay']]).toEqual([
      201,
      bodyOf(placed).data,
      'true',
    ])
    const replayed = await client.ask(request({ body, idempotency_key: 'both ways' }))
    expect([replayed.status, bodyOf(replayed).data]).toEqual([201, again.body.data])
    const other = await client.ask(request({ body: await served.order(), idempotency_key: 'both ways' }))
    expect([other.status, bodyOf(other).error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    const amend = { ...(await served.order({ limit_price: '0.06' })), expected_order_version: 3 }
    const amended = await client.ask(request({ path: `/v1/orders/${order_id}/amend`, body: amend }))
    expect([amended.status, bodyOf(amended).data.replacement.status]).toEqual([200, 'open'])
    const { client_order_id } = bodyOf(amended).data.replacement
    const path = `/v1/orders/by-client-id/${client_order_id}/cancel`
    expect((await client.ask(request({ path, body: {} }))).status).toBe(200)
    const put = await client.ask(request({ method: 'PUT', path: '/v1/account/cancel-after', body: { timeout_ms: 0 } }))
    expect(put.status).toBe(200)
    await client.close()
  })

  test('passes the same stages: identity, replay, signature, scope', async () => {
    const client = await StreamClient.open(stream.url)
    const body = await served.order({ limit_price: '0.05' })
    const code = async (message: ReturnType<typeof request>) => {
      const { status, ...said } = await client.ask(message)
      return [status, bodyOf(said).error.code]
    }
    const tampered = request({ body })
    expect(await code({ ...tampered, body: tampered.body.replace('0.05', '0.06') })).toEqual([
      401,
      'AUTH_CREDENTIALS_INVALID',
    ])
    expect(await code({ ...request({ body }), headers: {} as never })).toEqual([401, 'AUTH_CREDENTIALS_INVALID'])
    expect(await code({ ...request({ body }), path: '/v1/orders/preview' })).toEqual([401, 'AUTH_CREDENTIALS_INVALID'])
    const reader = await served.newKey({ scopes: ['orders:read'] })
    expect(await code(request({ body, key: reader }))).toEqual([403, 'AUTH_SCOPE_INSUFFICIENT'])
    const once = request({ body, nonce: 'nonce-of-stream-1' })
    expect((await client.ask(once)).status).toBe(201)
    expect(await code({ ...once, id: 'again' })).toEqual([409, 'REPLAY_REQUEST_NONCE_REUSED'])
    const forged = { ...(await served.order({ limit_price: '0.05' })), quantity: '11' }
    expect(await code(request({ body: forged }))).toEqual([400, 'SIGNATURE_ORDER_MISMATCH'])
    const theirs = request({ path: '/v1/orders/ord_absent/cancel', body: {}, key: served.keys.acct_b })
    expect(await code(theirs)).toEqual([404, 'ORDER_NOT_FOUND'])
    expect(await code({ ...request({ body }), body: '{' })).toEqual([400, 'VALIDATION_BODY_INVALID'])
    await client.close()
  })

  test('may hold a write of orders only', async () => {
    const client = await StreamClient.open(stream.url)
    const refused = async (message: object) => (await client.ask(message as never)).error
    for (const wrong of [
      { method: 'POST', path: '/v1/account/api-keys' },
      { method: 'POST', path: '/v1/orders?x=1' },
      { method: 'PUT', path: '/v1/orders' },
      { method: 'POST', path: '/internal/ingest' },
    ])
      expect(await refused({ ...request({ body: {} }), ...wrong })).toMatchObject({
        code: 'VALIDATION_MESSAGE_INVALID',
        message: expect.stringContaining('POST /v1/orders/{order_id}/cancel'),
      })
    const header = { ...request({ body: {} }), headers: { 'X-Forwarded-For': '203.0.113.9' } }
    expect(await refused(header)).toMatchObject({ message: expect.stringContaining('headers.X-Forwarded-For') })
    expect(await refused({ ...request({ body: {} }), method: 'GET' })).toMatchObject({
      code: 'VALIDATION_MESSAGE_INVALID',
    })
    await client.close()
  })
})

test('the tokens of REST and stream are one bucket', async () => {
  const client = await StreamClient.open(stream.url)
  const key = await served.newKey({ account_id: 'acct_b' })
  stopped = wallClock()
  const remaining = async () => {
    const body = await served.order({ limit_price: '0.05' }, 'acct_b')
    const over_stream = await client.ask(request({ body, key }))
    const preview = await served.call({ method: 'POST', url: '/v1/orders/preview', body, key })
    return [
      Number((over_stream.headers as Record<string, string>)['svc-ratelimit-remaining']),
      Number(preview.headers['svc-ratelimit-remaining']),
    ]
  }
  const [first, second] = await remaining()
  expect(second).toBeLessThanOrEqual(first!)
  const orders = await Promise.all(Array.from({ length: 39 }, () => served.order({ limit_price: '0.05' }, 'acct_b')))
  const refused = await client.ask(request({ path: '/v1/orders/batch', body: { orders: orders.slice(0, 5) }, key }))
  expect(refused.status).toBe(200)
  const rest = await served.call({ method: 'POST', url: '/v1/orders/batch', body: { orders }, key })
  expect([rest.status, rest.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
  stopped = null
  await client.close()
})

test('a long request needs auth; more in flight than allowed are rejected, and none is lost', async () => {
  const key = served.keys.acct_a
  const orders = await Promise.all(Array.from({ length: 21 }, () => served.order({ limit_price: '0.05' })))
  const long = request({ path: '/v1/orders/cancel-batch', body: { orders: [{ order_id: 'ord_a' }], reason: 'x' } })
  const padded = { ...request({ path: '/v1/orders/batch', body: { orders } }) }
  expect(JSON.stringify(padded).length).toBeGreaterThan(STREAM.message_bytes_max)
  const anonymous = await StreamClient.open(stream.url)
  anonymous.send(padded)
  const closing = await anonymous.next(({ type }) => type === 'closing')
  expect(closing.reason).toMatch(/^a message has \d+ bytes; allowed: 16384, for a request after auth 524288$/)
  const client = await openAccount(stream.url, key)
  expect((await client.ask(padded)).status).toBe(200)
  const wrong = [
    [{ ...padded, method: 'GET' }, /method is "GET"/],
    [{ ...padded, more: 1 }, /more/],
    [{ op: 'ping', id: 'p', more: 'x'.repeat(20_000) }, /more/],
    [
      `${JSON.stringify({ op: 'ping', id: 'p' })}${' '.repeat(20_000)}`,
      /has \d+ bytes; allowed: 16384, unless it is a request/,
    ],
  ] as const
  for (const [message, why] of wrong) {
    const from = client.said.length
    client.send(message)
    const { error } = (await client.next(({ type }) => type === 'error', from)) as unknown as { error: Said }
    expect(error).toMatchObject({ code: 'VALIDATION_MESSAGE_INVALID', message: expect.stringMatching(why) })
  }
  const several = Array.from({ length: 24 }, () =>
    request({ path: '/v1/orders/cancel-batch', body: { orders: [{ order_id: 'ord_a' }] } }),
  )
  let release = () => {}
  held = new Promise((resolve) => {
    release = resolve
  })
  for (const message of several) client.send(message)
  const [first, others] = [several.slice(0, 3), several.slice(3)]
  for (const { id } of others)
    expect(await client.next((said) => said.id === id)).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
  release()
  for (const { id } of first) expect((await client.next((said) => said.id === id)).type).toBe('response')
  expect((await client.ask(long)).status).toBe(200)
  await client.close()
})

test('the client sends writes of orders over its socket, and reconnects after an interruption', async () => {
  const key = served.keys.acct_empty
  const opened: WebSocket[] = []
  const open = (url: string) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    opened.push(socket)
    return socket as never
  }
  const order_socket = createOrderSocket({ base_url: stream.base_url, key, open })
  const owner_private_key = `0x${PRIVATE_KEYS.acct_empty.repeat(32)}`
  const client = createTradingClient({
    base_url: stream.base_url,
    environment: ENVIRONMENT,
    account_id: 'acct_empty',
    key_id: key.key_id,
    secret: 'secret' in key ? key.secret : '',
    signer_private_key: owner_private_key,
    order_socket,
  } as never)
  const terms = { market_id: MARKET_ID, outcome_id: OUTCOME_ID, side: 'BUY', limit_price: '0.05' } as const
  const placing = () => client.placeOrder({ ...terms, quantity: '1', maximum_fee: '1' })
  // It has no money: the refusal carries the order.
  await expect(placing()).rejects.toMatchObject({ code: 'BALANCE_INSUFFICIENT_COLLATERAL', status: 422 })
  opened[0]!.terminate()
  await expect.poll(() => opened[0]!.readyState).toBe(WebSocket.CLOSED)
  await expect(placing()).rejects.toMatchObject({ code: 'BALANCE_INSUFFICIENT_COLLATERAL' })
  expect(await client.cancelAfter(0)).toMatchObject({ timeout_ms: null })
  expect(opened).toHaveLength(2)
  let seen = 0
  for await (const order of client.orders()) seen += order.status === 'rejected' ? 1 : 0
  expect(seen).toBe(2)
  order_socket.close()
})
