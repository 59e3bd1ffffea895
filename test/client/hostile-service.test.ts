import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPublicClient } from '../../client/http/public-client.ts'
import type { Fetch } from '../../client/http/transport.ts'
import { WAITING_MS_MAX, waitMs } from '../../client/http/waits.ts'
import { TidemarkError } from '../../client/tidemark-error.ts'
import { createAccountMirror } from '../../client/trading/account-mirror.ts'
import type { TopicListener } from '../../client/trading/stream/followed-topic.ts'
import { createOrderSocket } from '../../client/trading/stream/order-socket.ts'
import type { StreamSocket } from '../../client/trading/stream/stream-socket.ts'
import { createTradingClient } from '../../client/trading/trading-client.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { namesOtherKey } from '../../protocol/signing/canonical-request.ts'
import answers from '../../python/tests/data/hostile-answers.json' with { type: 'json' }
import { echoAnswer } from '../support/echo-answer.ts'

/** Answers of a service that is broken or hostile, for both clients: that of Python reads the same file. */
type Hostile = {
  readonly name: string
  readonly reads: string
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Bodies of the further answers; the last one stays. */
  readonly next?: readonly string[]
  readonly code?: string
  readonly says?: string
  readonly requests_max?: number
  /** The call is repeated after waits that grow. */
  readonly waits?: boolean
}
type Asked = { readonly method: string; readonly headers: IncomingHttpHeaders; readonly body: string }

let server: Server
let base_url = ''
let answer: Hostile
let asked: Asked[] = []
const ACCOUNT = {
  ...{ account_id: 'acct_a', key_id: 'key_0123456789abcdef', secret: '5e'.repeat(32), environment: 'sandbox' },
  signer_private_key: `0x${'1'.repeat(64)}`,
}
const TERMS = {
  ...{ market_id: 'mkt_a', outcome_id: 'out_a', limit_price: '0.5', quantity: '1', maximum_fee: '1' },
  side: 'BUY',
} as const

beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked.push({ method: request.method!, headers: request.headers, body: await text(request) })
    const bodies = [answer.body, ...(answer.next ?? [])]
    const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name, encoded(value)] as const)
    response.writeHead(answer.status, Object.fromEntries(headers))
    response.end(bodies[Math.min(asked.length, bodies.length) - 1])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
})

const encoded = (value: string) => Buffer.from(value, 'utf8').toString('latin1')
const trader = (more = {}) => createTradingClient({ ...ACCOUNT, base_url, retry: { within_ms: 1_500 }, ...more })
const thrown = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
const whole = async (list: AsyncIterable<unknown>) => {
  for await (const _ of list);
}

const CALLS: readonly [string, Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>][] = [
  [
    'public',
    {
      record: (signal) => createPublicClient(base_url, { signal }).getTime(),
      list: (signal) => whole(createPublicClient(base_url, { signal }).listIndexes()),
    },
  ],
  [
    'trading',
    {
      record: (signal) => trader({ signal }).policy(),
      list: (signal) => whole(trader({ signal }).fills()),
    },
  ],
]
const HOSTILE = answers as readonly Hostile[]

describe.each(CALLS)('the %s client', (_kind, calls) => {
  test.each(HOSTILE.filter(({ waits }) => waits !== true))('refuses $name', async (one) => {
    answer = one
    const error = await thrown(calls[one.reads]!(AbortSignal.timeout(5_000)))
    expect(error).toBeInstanceOf(TidemarkError)
    const { code, message, retryable, field_violations } = error as TidemarkError
    expect([code, Array.isArray(field_violations)]).toEqual([one.code, true])
    expect(message).toContain(one.says ?? '')
    if (one.code === 'SERVICE_UNAVAILABLE') expect(retryable).toBe(false)
    expect(asked.length).toBeLessThanOrEqual(one.requests_max ?? 1)
  })

  test.each(HOSTILE.filter(({ waits }) => waits === true))('does not hurry after $name', async (one) => {
    answer = one
    await thrown(calls[one.reads]!(AbortSignal.timeout(400)))
    expect(asked.length).toBeLessThanOrEqual(5)
  })

  test('refuses JSON that is nested too deep', async () => {
    answer = { name: '', reads: '', status: 200, body: `{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}` }
    expect(await thrown(calls.record!(AbortSignal.timeout(5_000)))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

test('waits grow without a usable one, never fall below a least one, and end', async () => {
  const rule = { first_ms: 250, max_ms: 4_000 }
  expect([1, 2, 3, 9].map((n) => waitMs(rule, null, n, 0))).toEqual([125, 250, 500, 2_000])
  expect([1, 2, 3, 9].map((n) => waitMs(rule, 0.001, n, 0))).toEqual([25, 50, 100, 1_000])
  expect(waitMs(rule, 7_000, 3, 0)).toBe(7_000)
  answer = {
    name: '',
    reads: '',
    status: 429,
    body: refusal('RATE_LIMIT_EXCEEDED', { retry_after_ms: WAITING_MS_MAX }),
    headers: { 'retry-after': String(WAITING_MS_MAX / 1000) },
  }
  await expect(createPublicClient(base_url).getTime()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  await expect(createPublicClient(base_url).getLogVkey()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(asked).toHaveLength(2)
})

const refusal = (code: string, more: object) =>
  JSON.stringify({ error: { code, message: 'm', retryable: true, request_id: null, ...more } })

describe('a signed write', () => {
  test('follows no redirect, so no other host gets its signature', async () => {
    const elsewhere = `${base_url}/elsewhere`
    for (const status of [302, 307]) {
      answer = { name: '', reads: '', status, body: '', headers: { location: elsewhere } }
      const error = await thrown(trader().placeOrder(TERMS))
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status, retryable: false })
      expect((error as Error).message).toContain(elsewhere)
    }
    expect(asked).toHaveLength(2)
  })

  test('is not dated by a clock that differs by more than minutes; the error names both clocks', async () => {
    const server_time_ms = Date.now() + 86_400_000
    answer = { name: '', reads: '', status: 401, body: refusal('AUTH_TIMESTAMP_OUT_OF_WINDOW', { server_time_ms }) }
    const error = (await thrown(trader().placeOrder(TERMS))) as TidemarkError
    expect(error).toMatchObject({ code: 'AUTH_TIMESTAMP_OUT_OF_WINDOW', retryable: false })
    expect(error.message).toContain(new Date(server_time_ms).toISOString())
    expect(error.message).toMatch(/^the clock of this machine says \d{4}-\d\d-\d\dT[\d:.]+Z, the service /)
    expect(asked).toHaveLength(1)
  })

  test('names its Idempotency-Key in each signed nonce, so that nobody can send it under another one', async () => {
    answer = { name: '', reads: '', status: 503, body: refusal('SERVICE_UNAVAILABLE', { retry_after_ms: 1 }) }
    await thrown(trader({ retry: { attempts_max: 3 } }).requestTransfer({ direction: 'withdrawal', amount: '1' }))
    await thrown(trader({ retry: { attempts_max: 1 } }).cancelTransfer('trf_a'))
    await thrown(trader({ retry: { attempts_max: 1 } }).removeProtection('mkt_a'))
    expect(asked).toHaveLength(5)
    for (const { headers } of asked) {
      const nonce = String(headers['svc-access-nonce'])
      expect(nonce).toMatch(/^[A-Za-z0-9_-]{64}$/)
      expect(namesOtherKey(nonce, sha256Hex(String(headers['idempotency-key'])))).toBe(false)
      expect(namesOtherKey(nonce, sha256Hex('another'))).toBe(true)
    }
    expect(new Set(asked.map(({ headers }) => headers['svc-access-nonce'])).size).toBe(5)
  })
})

describe('an answer that is about something else than what was sent', () => {
  const changed =
    (change: object, list: string | null = null): Fetch =>
    async (url, { body }) => {
      const { data, ...rest } = (await echoAnswer(url, body).json()) as { data: Record<string, unknown> }
      const items = (list === null ? [] : list === '' ? data : data[list]) as Record<string, unknown>[]
      const other = items.map((item) => ({ ...item, ...change }))
      const all =
        list === null
          ? { ...data, ...change, replacement: { ...(data.replacement as object), ...change } }
          : list === ''
            ? other
            : { ...data, [list]: other }
      return new Response(JSON.stringify({ data: all, ...rest }))
    }
  const refused = async (fetch: Fetch, call: (client: ReturnType<typeof trader>) => Promise<unknown>) => {
    let sent = 0
    const counted: Fetch = (url, request) => {
      sent += 1
      return fetch(url, request)
    }
    const error = await thrown(call(trader({ fetch: counted })))
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: false })
    expect((error as Error).message).toContain('ask what came of it, and do not send it again')
    expect(sent).toBe(1)
  }

  test.each([
    { account_id: null },
    { market_id: 'mkt_b' },
    { outcome_id: 'out_b' },
    { side: 'SELL' },
    { limit_price: '0.99' },
    { original_quantity: '999' },
    { client_order_id: 'other' },
  ])('is no order: %o', async (change) => {
    await refused(changed(change), (client) => client.placeOrder(TERMS))
    await refused(changed(change), (client) => client.amendOrder('ord_a', 1, TERMS))
  })

  test.each([{ amount: '1000' }, { direction: 'deposit' }, { destination: 'bank-2' }, { asset_id: 'asset_b' }])(
    'is no transfer: %o',
    async (change) =>
      refused(changed(change), (client) =>
        client.requestTransfer({ direction: 'withdrawal', amount: '1', destination: 'bank-1' }),
      ),
  )

  test('is no list of orders, no ladder, and no cancel of the order', async () => {
    const other = { order: { side: 'SELL' }, replacement: { side: 'SELL' } }
    await refused(changed(other, ''), (client) => client.placeOrders([TERMS]))
    await refused(changed({ index: 4 }, ''), (client) => client.placeOrders([TERMS]))
    await refused(changed(other, ''), (client) =>
      client.amendOrders([{ order_id: 'ord_a', expected_order_version: 1, terms: TERMS }]),
    )
    await refused(changed(other, 'orders'), (client) =>
      client.massQuote({ market_id: 'mkt_a', quote_set_id: 'q', orders: [TERMS] }),
    )
    await refused(changed({ order_id: 'ord_b' }), (client) => client.cancelOrder('ord_a'))
  })

  test('is the same order where decimals differ in zeros alone', async () => {
    const client = trader({ fetch: changed({ limit_price: '0.5000', original_quantity: '1.0' }) })
    expect(await client.placeOrder(TERMS)).toMatchObject({ side: 'BUY' })
  })
})

test('a socket of orders that sends no JSON ends its requests, and throws nothing on its own', async () => {
  const listeners = new Map<string, (event: never) => void>()
  const socket: StreamSocket = {
    send: () => undefined,
    close: () => undefined,
    addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
  }
  const key = { ...ACCOUNT, algorithm: 'hmac-sha256' } as const
  const orders = createOrderSocket({ base_url, key, open: () => socket })
  const sent = orders.send({ method: 'POST', path: '/v1/orders', headers: {}, body: '' }, 5_000)
  listeners.get('message')!({ data: '{"type":' } as never)
  await expect(sent).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

describe('before anything is sent', () => {
  test.each(['http://user:passSECRET@127.0.0.1:1', 'http://:passSECRET@h', 'ftp://u:passSECRET@h', 'u:passSECRET@h:x'])(
    'credentials in base_url are refused without being shown: %s',
    async (address) => {
      for (const create of [
        () => createPublicClient(address),
        () => trader({ base_url: address }),
        () =>
          createOrderSocket({
            base_url: address,
            key: { ...ACCOUNT, algorithm: 'hmac-sha256' },
            open: () => null as never,
          }),
      ]) {
        const error = await thrown((async () => create())())
        expect(error).toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
        expect((error as Error).message).toMatch(/^base_url is "(?!.*SECRET)/)
      }
    },
  )

  test.each(['.', '..'])('%s is no id', async (id) => {
    const message = expect.stringMatching(/_id is "\.\.?"/)
    const error = { code: 'VALIDATION_USAGE_INVALID', message }
    await expect(trader().order(id)).rejects.toMatchObject(error)
    await expect(trader().cancelOrder(id)).rejects.toMatchObject(error)
    await expect(createPublicClient(base_url).getIndex({ index_id: id })).rejects.toMatchObject(error)
    for (const path of [`/orders/${id}`, `/orders/${id}/cancel`, '/orders/%2E%2e?a=b', '/orders\\..'])
      await expect(trader().http.send({ method: 'GET', path })).rejects.toMatchObject({
        code: 'VALIDATION_USAGE_INVALID',
      })
    expect(asked).toEqual([])
  })
})

test('an answer in JSON that is too long is asked for once, and a table may be longer', async () => {
  const [part, parts] = [Buffer.alloc(1 << 20, ' '), 80]
  let [requests, taken] = [0, 0]
  const body = async function* () {
    for (taken = 0; taken < parts; taken += 1) yield part
  }
  const long = createServer((_, response) => {
    requests += 1
    pipeline(body, response).catch(() => undefined)
  })
  await new Promise<void>((resolve) => long.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(long.address() as AddressInfo).port}`
  for (const call of [() => createPublicClient(address).getTime(), () => trader({ base_url: address }).policy()]) {
    const error = await thrown(call())
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: false, status: 200 })
    expect((error as Error).message).toContain('it has more than 67108864 bytes')
    expect(taken).toBeLessThan(parts)
  }
  expect(requests).toBe(2)
  expect(await trader({ base_url: address }).table('fills', 'csv')).toHaveLength(parts * part.length)
  long.closeAllConnections()
  long.close()
})

describe('records of another account', () => {
  const lists = (...data: readonly object[]) => {
    const meta = { stream_cursor: { epoch: 'e', seq: 1 } }
    const body = JSON.stringify({ data, meta, page: { next_cursor: null } })
    answer = { name: '', reads: '', status: 200, body }
  }

  test('are refused wherever they stand in a list', async () => {
    lists({ account_id: 'acct_a' }, { account_id: 'acct_other' })
    expect(await thrown(whole(trader().balances()))).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' })
  })

  test('are not mirrored when the stream brings them; the next comparison names them', async () => {
    lists()
    const listeners = new Map<string, TopicListener>()
    const follow = (topic: string, listener: TopicListener) => {
      listeners.set(topic, listener)
      return () => null
    }
    const mirror = createAccountMirror(trader(), { follow, close: () => undefined })
    await mirror.start()
    const bring = (account_id: string) =>
      listeners.get('account.balance')!({
        ...{ type: 'event', kind: 'k', event_id: 'e', seq: 2, engine_sequence: 2, projection_version: 1 },
        data: { account_id, balance_id: `bal_${account_id}` },
        resume: { epoch: '0123456789abcdef', after_seq: 2 },
      })
    bring('acct_other')
    expect(mirror.state().balances).toEqual([])
    expect(await mirror.reconcile(0)).toEqual({ equal: false, differing: ['bal_acct_other'] })
    expect(await mirror.reconcile(0)).toEqual({ equal: true, differing: [] })
    bring('acct_a')
    expect(mirror.state().balances).toHaveLength(1)
    mirror.stop()
  })
})
