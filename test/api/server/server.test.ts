import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { type ApiServerOptions, createApiServer } from '../../../api/server/create-api-server.ts'
import type { RouteRequest } from '../../../api/server/handler.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { LIMITS } from '../../../protocol/limit-table.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader, READY } from '../../support/fake-reader.ts'
import { assertIsError, assertMatchesOperation } from '../../support/match-schema.ts'

const NOW = toMicros('2026-01-17T12:00:00Z')
let app: FastifyInstance

async function serve(options: Partial<ApiServerOptions> = {}): Promise<FastifyInstance> {
  app = await createApiServer({
    reader: fakeReader({ now: () => NOW }),
    handlers: fakeHandlers(),
    environment: 'test',
    now: () => NOW,
    ...options,
  })
  return app
}

/** Returns the values of the list `limits` of capabilities, by name. */
function limitsOf(answer: { json(): unknown }): Record<string, number> {
  const { limits } = (answer.json() as { data: { limits: { name: string; value: number }[] } }).data
  return Object.fromEntries(limits.map(({ name, value }) => [name, value]))
}

const serveAgain = async () => {
  await app.close()
  await serve()
  return app.inject({ url: '/v1/capabilities' })
}

afterEach(async () => {
  await app.close()
})

describe('envelope', () => {
  test('an answer has data, meta, an id of its own in header and meta, and what is left of the tokens', async () => {
    await serve()
    const answer = await app.inject({ url: '/v1/time', headers: { 'x-request-id': 'mine' } })
    assertMatchesOperation('get_time', answer.json())
    expect(answer.json().data).toEqual({ server_time: '2026-01-17T12:00:00Z', server_time_ms: 1768651200000 })
    expect(answer.json().meta.request_id).toBe(answer.headers['svc-request-id'])
    expect(answer.json().meta.request_id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'svc-ratelimit-limit-class': 'market_data',
      'svc-ratelimit-remaining': '199',
      'svc-ratelimit-cost': '1',
      'svc-ratelimit-reset': String(1768651200 + 1),
    })
    expect(answer.headers).not.toHaveProperty('server')
    expect(answer.headers).not.toHaveProperty('x-powered-by')
  })

  test('capabilities match their schema and state the limits in force', async () => {
    await serve({ rate_limits: { market_data: { keyed: { rate: 7, burst: 8 }, anonymous: { rate: 5, burst: 6 } } } })
    const answer = await app.inject({ url: '/v1/capabilities' })
    assertMatchesOperation('get_capabilities', answer.json())
    expect(answer.json().data.limit_classes).toContainEqual({
      limit_class: 'market_data',
      keyed: { rate: 7, burst: 8 },
      account: { rate: 28, burst: 32 },
      anonymous: { rate: 5, burst: 6 },
      tiers: [
        { limit_tier: 'standard', keyed: { rate: 7, burst: 8 }, account: { rate: 28, burst: 32 } },
        { limit_tier: 'advanced', keyed: { rate: 28, burst: 32 }, account: { rate: 112, burst: 128 } },
        { limit_tier: 'market_maker', keyed: { rate: 140, burst: 160 }, account: { rate: 560, burst: 640 } },
      ],
    })
    expect(limitsOf(answer)).toMatchObject({ 'market_data.rate': 7, 'market_data.anonymous.burst': 6 })
    expect(answer.json().data.signed_requests).toMatchObject({ batch_orders_max: 50, available: false })
    expect(answer.json().data.first_published_at).toBeNull()
  })

  test('capabilities state the connections that this process takes, and every other limit of its own', async () => {
    await serve({ connections_max: 321, connections: { headers_ms: 4321 } })
    const limits = limitsOf(await app.inject({ url: '/v1/capabilities' }))
    expect(limits['connections.max']).toBe(app.server.maxConnections)
    expect(limits).toMatchObject({ 'connections.max': 321, 'connections.headers_ms': app.server.headersTimeout })
    const defaults = Object.fromEntries(LIMITS.map(({ name, value }) => [name, value]))
    expect(limits).toEqual({ ...defaults, 'connections.max': 321, 'connections.headers_ms': 4321 })
    const usual = limitsOf(await serveAgain())
    expect([usual, app.server.maxConnections]).toEqual([defaults, defaults['connections.max']])
  })

  test('bytes that were built before are sent as they are, with what is spliced in', async () => {
    const data = Buffer.from('{"level":"38.9250","text":"Sjöfart 🌊"}')
    await serve({
      handlers: fakeHandlers({ get_index_price: () => ({ data, spliced: { freshness_ms: 12 }, max_age_ms: 5 }) }),
    })
    const answer = await app.inject({ url: '/v1/indexes/idx_a/price' })
    expect(answer.body).toContain(
      '{"data":{"level":"38.9250","text":"Sjöfart 🌊","freshness_ms":12},"meta":{"request_id":',
    )
    expect(answer.json().meta.max_age_ms).toBe(5)
    expect(+answer.headers['content-length']!).toBe(answer.rawPayload.length)
  })

  test('costs more the more rows it asks for; an invalid limit costs what an error costs', async () => {
    await serve()
    const tokensOf = async (url: string, accept = 'application/json') => {
      const { headers } = await app.inject({ url, headers: { accept } })
      return [headers['svc-ratelimit-cost'], headers['svc-ratelimit-remaining']].map(Number)
    }
    const prices = '/v1/indexes/idx_a/prices'
    expect(await tokensOf(`${prices}?limit=20`)).toEqual([5, 195])
    expect(await tokensOf(`${prices}?limit=500`)).toEqual([5, 190])
    expect(await tokensOf(`${prices}?limit=501`)).toEqual([10, 180])
    expect(await tokensOf(`${prices}?li%6Dit=1000`)).toEqual([10, 170])
    expect(await tokensOf(`${prices}?limit=9999`)).toEqual([5, 165])
    expect(await tokensOf(prices, 'text/csv')).toEqual([20, 145])
    expect(await tokensOf(`${prices}?limit=20`, 'text/csv')).toEqual([5, 140])
    for (let left = 130; left >= 0; left -= 10) expect(await tokensOf(`${prices}?limit=1000`)).toEqual([10, left])
    const refused = await app.inject({ url: `${prices}?limit=1000` })
    expect([refused.statusCode, refused.headers['svc-ratelimit-remaining']]).toEqual([429, '0'])
    const { costs } = (await serveAgain()).json().data
    expect(costs).toContainEqual(
      expect.objectContaining({ path: '/v1/indexes/{index_id}/prices', cost: 5, rows_each: 500 }),
    )
  })

  test('a page has its cursor, the next one begins after it, and both are of one instant', async () => {
    const seen: RouteRequest[] = []
    const next = { as_of: NOW - 5, key: ['2026-01-01T00:00:00Z', 7, null] }
    const list_indexes = (request: RouteRequest) => {
      seen.push(request)
      return { data: [], next: seen.length === 1 ? next : null }
    }
    await serve({ handlers: fakeHandlers({ list_indexes }) })
    const first = (await app.inject({ url: '/v1/indexes?family=a%20b&limit=1' })).json()
    expect(first.page).toEqual({ next_cursor: expect.any(String), has_more: true })
    const second = (await app.inject({ url: `/v1/indexes?family=a+b&limit=9&cursor=${first.page.next_cursor}` })).json()
    expect(second.page).toEqual({ next_cursor: null, has_more: false })
    expect(seen[1]!.cursor).toEqual(next)
    expect(seen[1]!.parameters).toMatchObject({ family: 'a b', limit: 9 })
  })
})

describe('as_of', () => {
  test('is sealed once the route has answered, and named by meta', async () => {
    const order: string[] = []
    const reader = fakeReader({ now: () => NOW, seal: (as_of) => void order.push(`seal ${NOW - as_of}`) })
    const get_index = ({ as_of }: RouteRequest) => {
      order.push(`route ${NOW - as_of!}`)
      return { data: {} }
    }
    await serve({ reader, handlers: fakeHandlers({ get_index }) })
    const answer = await app.inject({ url: '/v1/indexes/idx_a?as_of=2026-01-17T11:59:59.999999Z' })
    expect(order).toEqual(['route 1', 'seal 1'])
    expect(answer.json().meta.as_of).toBe('2026-01-17T11:59:59.999999Z')
    expect(answer.headers['cache-control']).toBe('public, max-age=3600')
  })

  test('seals nothing if the route refuses it', async () => {
    const sealed: number[] = []
    const reader = fakeReader({ now: () => NOW, seal: (as_of) => void sealed.push(as_of) })
    const get_index = () => {
      throw new ServiceError('INDEX_NOT_FOUND', 'there is no index idx_a')
    }
    await serve({ reader, handlers: fakeHandlers({ get_index }) })
    const answer = await app.inject({ url: '/v1/indexes/idx_a?as_of=2026-01-17T11:59:59.999999Z' })
    expect([answer.statusCode, sealed]).toEqual([404, []])
  })

  test('of the future is refused', async () => {
    await serve()
    const answer = await app.inject({ url: '/v1/indexes?as_of=2026-01-17T12:00:00.000001Z' })
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'VALIDATION_AS_OF_IN_FUTURE'])
    assertIsError(answer.json())
  })
})

describe('errors', () => {
  test('a failure of a route says nothing of its cause, which the log has', async () => {
    const logged: unknown[] = []
    const get_index = () => {
      throw new TypeError('secret detail')
    }
    await serve({ handlers: fakeHandlers({ get_index }), logger: { error: (facts) => logged.push(facts) } })
    const answer = await app.inject({ url: '/v1/indexes/idx_a' })
    assertIsError(answer.json())
    expect([answer.statusCode, answer.json().error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(answer.body).not.toContain('secret')
    expect(logged).toMatchObject([{ request_id: answer.json().error.request_id, operation: 'get_index' }])
    expect(answer.headers).not.toHaveProperty('etag')
  })

  test('a refusal of a route has its status, and an unavailable service says when to ask again', async () => {
    const get_index = async () => {
      throw new ServiceError('INDEX_NOT_FOUND', 'index_id is "idx_a"; allowed: one of GET /v1/indexes')
    }
    const list_events = () => {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'too many wait')
    }
    await serve({ handlers: fakeHandlers({ get_index, list_events }) })
    const missing = await app.inject({ url: '/v1/indexes/idx_a' })
    expect([missing.statusCode, missing.json().error.retryable]).toEqual([404, false])
    expect(missing.headers['cache-control']).toBe('no-store')
    const busy = await app.inject({ url: '/v1/events' })
    expect([busy.statusCode, busy.headers['retry-after'], busy.json().error.retryable]).toEqual([503, '1', true])
    assertIsError(busy.json())
  })

  test('the path of the stream asks for an upgrade; other methods are not allowed there', async () => {
    await serve()
    const plain = await app.inject({ url: '/v1/ws' })
    assertIsError(plain.json())
    expect([plain.statusCode, plain.json().error.code, plain.headers.upgrade]).toEqual([
      426,
      'UPGRADE_REQUIRED',
      'websocket',
    ])
    const posted = await app.inject({ method: 'POST', url: '/v1/ws' })
    expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'GET, OPTIONS'])
  })

  test.each(['starting', 'closed'] as const)('a reader that is %s is no answer', async (phase) => {
    await serve({ reader: fakeReader({ status: () => ({ ...READY, phase, reason: 'because' }) }) })
    const answer = await app.inject({ url: '/v1/indexes' })
    assertIsError(answer.json())
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
    expect(answer.json().error.message).toContain('because')
    expect((await app.inject({ url: '/readyz' })).statusCode).toBe(503)
    expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200)
  })

  test('a process that is ending answers, and is not ready for more', async () => {
    let is_closing = false
    await serve({ is_closing: () => is_closing })
    const ask = async (url: string) => (await app.inject({ url })).statusCode
    expect([await ask('/readyz'), await ask('/v1/time')]).toEqual([200, 200])
    expect((await app.inject({ url: '/v1/time' })).headers.connection).not.toBe('close')
    is_closing = true
    expect([await ask('/readyz'), await ask('/healthz'), await ask('/v1/time')]).toEqual([503, 200, 200])
    for (const url of ['/v1/time', '/v1/none', '/readyz'])
      expect([url, (await app.inject({ url })).headers.connection]).toEqual([url, 'close'])
  })

  test('the clock is told also before anything is published: orders may be signed by then', async () => {
    const starting = { ...READY, phase: 'starting', versions: {}, reason: 'there is no warehouse' } as const
    await serve({ reader: fakeReader({ now: () => NOW, status: () => starting }) })
    const answer = await app.inject({ url: '/v1/time' })
    expect(answer.statusCode).toBe(200)
    assertMatchesOperation('get_time', answer.json())
    expect(answer.json().data.server_time).toBe(formatMicros(NOW))
  })

  test('a stale reader is served and labeled, but not what is as of an instant', async () => {
    const stale = {
      ...READY,
      phase: 'stale',
      stale_since: '2026-01-17T11:00:00Z',
      reason: 'a file is damaged',
    } as const
    await serve({ reader: fakeReader({ now: () => NOW, status: () => stale }) })
    const now = await app.inject({ url: '/v1/indexes' })
    assertMatchesOperation('list_indexes', now.json())
    expect(now.json().meta).toMatchObject({ stale: true, stale_since: '2026-01-17T11:00:00Z' })
    expect(now.headers['svc-stale-since']).toBe('2026-01-17T11:00:00Z')
    const then = await app.inject({ url: '/v1/indexes?as_of=2026-01-17T10:00:00Z' })
    expect(then.json().meta).not.toHaveProperty('stale')
    expect((await app.inject({ url: '/readyz' })).json()).toMatchObject({ status: 'ok', phase: 'stale' })
  })

  test('a process that never read a table is not ready, and names the table and why', async () => {
    const status = { ...READY, phase: 'stale', unread: ['market_rating'], reason: 'a file is damaged' } as const
    await serve({ reader: fakeReader({ status: () => status }) })
    const ready = await app.inject({ url: '/readyz' })
    expect([ready.statusCode, ready.json()]).toMatchObject([
      503,
      { status: 'unavailable', unread: ['market_rating'], reason: 'a file is damaged' },
    ])
  })

  test('a value of now that is beyond its bound is labeled, in a 304 too, and a cache without the label is told so', async () => {
    let current_until: Micros = NOW
    await serve({
      reader: fakeReader({ now: () => NOW }),
      handlers: fakeHandlers({
        get_index_price: () => ({ data: { level: '1000.0000' }, max_age_ms: 125_000, current_until }),
      }),
    })
    const get = (query = '', headers = {}) => app.inject({ url: `/v1/indexes/idx_a/price${query}`, headers })
    const fresh = await get()
    expect(fresh.json().meta).not.toHaveProperty('stale')
    expect(fresh.headers['svc-stale-since']).toBeUndefined()
    current_until = NOW - 1
    const old = await get()
    expect(old.json().meta).toMatchObject({ stale: true, stale_since: formatMicros(NOW - 1), max_age_ms: 125_000 })
    expect(old.json().data).toEqual(fresh.json().data)
    const relabeled = await get('', { 'if-none-match': String(fresh.headers.etag) })
    expect([relabeled.statusCode, relabeled.json().meta.stale]).toEqual([200, true])
    const unchanged = await get('', { 'if-none-match': String(old.headers.etag) })
    expect([unchanged.statusCode, unchanged.headers['svc-stale-since']]).toEqual([304, formatMicros(NOW - 1)])
    current_until = NOW
    const again = await get('', { 'if-none-match': String(old.headers.etag) })
    expect([again.statusCode, again.json().meta.stale]).toEqual([200, undefined])
    const then = await get('?as_of=2026-01-17T10:00:00Z')
    expect(then.json().meta).not.toHaveProperty('stale')
  })

  test('there is no such path, or not with this method; an unread body ends the connection', async () => {
    await serve()
    const cases = [
      ['GET', '/v1/nope', 404, undefined],
      ['GET', '/v1/indexes/', 400, undefined],
      ['GET', '/V1/indexes', 404, undefined],
      ['POST', '/v1/indexes', 405, 'GET, HEAD, OPTIONS'],
      ['DELETE', '/v1/indexes/idx_a/prices/iob_b', 405, 'GET, HEAD, OPTIONS'],
      ['PUT', '/healthz', 405, 'GET, HEAD, OPTIONS'],
    ] as const
    for (const [method, url, status, allow] of cases) {
      const headers = { 'content-type': 'text/xml' }
      const answer = await app.inject({ method, url, headers, ...(method !== 'GET' && { payload: '<a/>' }) })
      assertIsError(answer.json())
      expect([url, answer.statusCode, answer.headers.allow]).toEqual([url, status, allow])
      expect(answer.headers.connection).toBe(method === 'GET' ? 'keep-alive' : 'close')
    }
  })

  test('a path whose percent-encoding is broken', async () => {
    await serve()
    const answer = await app.inject({ url: '/v1/indexes/%zz' })
    assertIsError(answer.json())
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'VALIDATION_REQUEST_MALFORMED'])
  })

  test.each([
    ['application/json', '{}', 400, 'VALIDATION_BODY_INVALID'],
    ['application/json; charset=utf-8', '{}', 400, 'VALIDATION_BODY_INVALID'],
    ['text/plain', 'x', 415, 'VALIDATION_MEDIA_TYPE_UNSUPPORTED'],
    ['application/json', 'x'.repeat(262_145), 413, 'VALIDATION_BODY_TOO_LARGE'],
  ])('a GET with a body of %s: %i', async (type, payload, status, code) => {
    await serve()
    const answer = await app.inject({ method: 'GET', url: '/v1/time', payload, headers: { 'content-type': type } })
    assertIsError(answer.json())
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, code])
  })

  test('an address is at most 8192 bytes long', async () => {
    await serve()
    const fits = await app.inject({ url: `/v1/time?${'a'.repeat(8192 - '/v1/time?'.length)}` })
    expect(fits.json().error.code).toBe('VALIDATION_PARAMETER_UNKNOWN')
    const long = await app.inject({ url: `/v1/time?${'a'.repeat(8193 - '/v1/time?'.length)}` })
    expect([long.statusCode, long.json().error.code]).toEqual([413, 'VALIDATION_BODY_TOO_LARGE'])
  })

  test.each([
    ['a parameter', '/v1/indexes/', ''],
    ['two parameters', '/v1/indexes/idx_a/versions/', '/constituents'],
    ['a parameter of a private route', '/v1/orders/', ''],
    ['a page', '/docs/', ''],
    ['a proof', '/v1/log/', ''],
    ['no route', '/v1/none/', ''],
    ['broken percent-encoding', '/v1/indexes/%zz', ''],
  ])('a path of %s has at most 8192 bytes, and its refusal shows a part of it', async (_name, start, end) => {
    await serve()
    const pathOf = (length: number) => `${start}${'a'.repeat(length - start.length - end.length)}${end}`
    const [fits, long, longest] = [
      await app.inject({ url: pathOf(8192) }),
      await app.inject({ url: pathOf(8193) }),
      await app.inject({ url: pathOf(15_000) }),
    ]
    expect(fits.statusCode).not.toBe(413)
    for (const { body } of [fits, long, longest]) expect(body.length).toBeLessThan(1500)
    for (const answer of [long, longest]) {
      assertIsError(answer.json())
      expect([answer.statusCode, answer.json().error.code]).toEqual([413, 'VALIDATION_BODY_TOO_LARGE'])
    }
  })
})

describe('preflight', () => {
  test('OPTIONS of a known path says what a page may send', async () => {
    await serve()
    const answer = await app.inject({ method: 'OPTIONS', url: '/v1/indexes' })
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(answer.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    })
    expect((await app.inject({ method: 'OPTIONS', url: '/v1/nope' })).statusCode).toBe(404)
    // A preflight has no body, so no type of one can be wrong.
    const headers = { 'content-type': 'gzip, br;q=0' }
    expect((await app.inject({ method: 'OPTIONS', url: '/v1/indexes', headers })).statusCode).toBe(204)
  })
})
