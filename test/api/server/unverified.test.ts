import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { chargeUnverified } from '../../../api/server/charge-unverified.ts'
import { createClassLimiters } from '../../../api/server/class-limiters.ts'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import type { Exchange, ExchangeContext } from '../../../api/server/exchange.ts'
import { createUnsentBytes } from '../../../api/server/unsent-bytes.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { BODY_BYTES_MAX, PAGES, RATE_CLASSES, UNVERIFIED, UNVERIFIED_CANCEL_ALL } from '../../../protocol/limits.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader } from '../../support/fake-reader.ts'

const NOW = toMicros('2026-01-17T12:00:00Z')
let app: FastifyInstance | null = null
afterEach(() => app?.close())

/** A server whose clock stands, so that no token comes back. Without an engine it checks shapes all the same. */
async function served(): Promise<FastifyInstance> {
  app = await createApiServer({
    reader: fakeReader({ now: () => NOW }),
    handlers: fakeHandlers(),
    environment: 'test',
    now: () => NOW,
  })
  return app
}

const post = async (url: string, payload: string) => {
  const answer = await app!.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

describe('a request whose signature is not verified', () => {
  test('costs its address a token before the body is read; then it is refused, cancel-all by its own bucket alone', async () => {
    await served()
    const first = await post('/v1/orders', '{"account_id":')
    expect(first.headers).toMatchObject({
      'svc-ratelimit-limit-class': 'unverified',
      'svc-ratelimit-cost': '1',
      'svc-ratelimit-remaining': String(UNVERIFIED.burst - 1),
    })
    for (let sent = 1; sent < UNVERIFIED.burst; sent += 1) expect((await post('/v1/orders', '{')).status).toBe(400)
    const refused = await post('/v1/orders', '{')
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(refused.body.error.retry_after_ms).toBe(1000 / UNVERIFIED.rate)
    expect(refused.headers.connection).toBe('close')
    const cancel = await post('/v1/orders/cancel-all', '{')
    expect([cancel.status, cancel.headers['svc-ratelimit-remaining']]).toEqual([
      400,
      String(UNVERIFIED_CANCEL_ALL.burst - 1),
    ])
  })

  test('costs more tokens the longer its body is', async () => {
    await served()
    const costOf = async (bytes: number) =>
      Number((await post('/v1/orders', ' '.repeat(bytes))).headers['svc-ratelimit-cost'])
    expect(await costOf(UNVERIFIED.bytes_each - 1)).toBe(1)
    expect(await costOf(UNVERIFIED.bytes_each)).toBe(2)
    expect(await costOf(BODY_BYTES_MAX)).toBe(1 + BODY_BYTES_MAX / UNVERIFIED.bytes_each)
  })

  test('gets its tokens back once it is verified, and its work is not begun without tokens', async () => {
    const limiters = createClassLimiters(RATE_CLASSES)
    const context: ExchangeContext = {
      ...{ now: () => NOW, limiters, logger: null, observe: null, trusted_proxies: [] },
      unsent: createUnsentBytes(),
    }
    const [ip, request] = ['192.0.2.1', { raw: { headers: {} } }]
    let begun = 0
    const send = (answer: () => string | null) => {
      const exchange = { request, ip, headers: [], now: NOW } as unknown as Exchange
      return chargeUnverified(context, exchange, 'unverified', async () => {
        begun += 1
        return answer()
      })
    }
    for (let sent = 0; sent < 2 * UNVERIFIED.burst; sent += 1) expect(await send(() => 'caller')).toBe('caller')
    const wrong = () => {
      throw new ServiceError('AUTH_CREDENTIALS_INVALID', 'wrong')
    }
    begun = 0
    for (let sent = 0; sent < UNVERIFIED.burst - 1; sent += 1)
      await expect(send(wrong)).rejects.toMatchObject({ code: 'AUTH_CREDENTIALS_INVALID' })
    expect(await send(() => null)).toBeNull()
    await expect(send(() => 'caller')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
    expect(begun).toBe(UNVERIFIED.burst)
  })
})

test.each([
  '/openapi.json',
  '/docs',
  '/docs/stream',
  '/docs/errors',
  '/v1/ws',
  '/v1/%f',
  '/nowhere',
  '/internal/ingest',
])('%s costs tokens', async (url) => {
  await served()
  const { headers } = await app!.inject({ url, headers: { host: 'elsewhere.example' } })
  const { burst } = /^.(docs|open)/.test(url) ? PAGES : RATE_CLASSES.market_data.anonymous
  expect(Number(headers['svc-ratelimit-cost'])).toBeGreaterThan(0)
  expect(Number(headers['svc-ratelimit-remaining'])).toBeLessThan(burst)
})

test('pages have tokens of their own: whoever has used them up may still ask for data', async () => {
  const pages = await served()
  const { headers } = await pages.inject({ url: '/docs' })
  const told = ['limit-class', 'cost', 'remaining'].map((name) => headers[`svc-ratelimit-${name}`])
  expect(told).toEqual(['pages', String(PAGES.cost), String(PAGES.burst - PAGES.cost)])
  for (let left = PAGES.burst - PAGES.cost; left > 0; left -= PAGES.cost) await pages.inject({ url: '/docs/icon.svg' })
  expect((await pages.inject({ url: '/docs/icon.svg' })).json().error.message).toMatch(/^the pages tokens/)
  const data = await pages.inject({ url: '/v1/indexes/idx_a/prices?limit=1' })
  const left = String(RATE_CLASSES.market_data.anonymous.burst - Number(data.headers['svc-ratelimit-cost']))
  expect([data.headers['svc-ratelimit-limit-class'], data.headers['svc-ratelimit-remaining']]).toEqual([
    'market_data',
    left,
  ])
})
