import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { HttpPolicy } from '../../../connectors/http/http-policy.ts'
import { createVenueHttpClient, type VenueHttpClient } from '../../../connectors/http/venue-http-client.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { type Answer, answer, serveAnswers } from './http-server.ts'

const AT = toMicros('2026-01-05T10:00:00Z')
const QUICK: Partial<HttpPolicy> = { backoff_first_ms: 1, backoff_max_ms: 2, answer_ms: 60_000, attempts_max: 3 }
const running: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

async function serve(answers: readonly Answer[], policy: Partial<HttpPolicy> = {}) {
  const server = await serveAnswers(...answers)
  const base = { venue_id: 'kalshi', base_url: `${server.base_url}/v2`, now: () => AT } as const
  const client = createVenueHttpClient({ ...base, limits: [], policy: { ...QUICK, ...policy } })
  running.push(client, server)
  return { server, client, ask: (request = '/markets?limit=1') => client.get('GET /markets', request) }
}

const never: Answer = () => undefined
const reset: Answer = (request) => void request.socket.destroy()
const good = answer(200, '{"markets":[0.10]}')

test('an answer is kept as it came, with what was asked for and when it was received', async () => {
  const { ask, server } = await serve([good])
  expect(await ask()).toEqual({
    payload: {
      venue_id: 'kalshi',
      endpoint: 'GET /markets',
      request: '/markets?limit=1',
      received_at: AT,
      file: `${server.base_url}/v2/markets?limit=1`,
      text: '{"markets":[0.10]}',
    },
  })
  expect(server.asked).toEqual(['/v2/markets?limit=1'])
})

test('what is not UTF-8 is quarantined', async () => {
  const { ask } = await serve([answer(200, Buffer.from([0xff, 0xfe]))])
  expect(await ask()).toMatchObject({
    quarantined: { reason: 'BAD_ENCODING' },
    unreadable: { endpoint: 'GET /markets', bytes: Buffer.from([0xff, 0xfe]), names_accounts: false },
  })
})

test('what a venue does not have is nothing, and no error', async () => {
  const { ask, server } = await serve([answer(404, '{"error":"no"}')])
  expect(await ask()).toBeNull()
  expect(server.asked).toHaveLength(1)
})

describe('hosts', () => {
  test('a redirect is refused and not followed', async () => {
    const other = await serveAnswers(good)
    running.push(other)
    const { ask, server } = await serve([answer(302, '', { location: `${other.base_url}/v2/markets` })])
    await expect(ask()).rejects.toMatchObject({
      code: 'VENUE_ANSWER_REFUSED',
      message: 'kalshi /v2/markets?limit=1 redirects (302), which is not followed',
    })
    expect([server.asked.length, other.asked.length]).toEqual([1, 0])
  })

  test.each([
    '//evil.example/x',
    'https://evil.example/x',
    '/../admin',
    '/a/%2e%2e/%2e%2e/admin',
    '/x#y',
    '/\\evil.example',
    '/a b',
    '@evil.example',
    '',
  ])('a request %j that leads elsewhere is refused before anything is sent', async (request) => {
    const { ask, server } = await serve([good])
    await expect(ask(request)).rejects.toMatchObject({ code: 'VENUE_ANSWER_REFUSED' })
    expect(server.asked).toEqual([])
  })

  test.each([
    'http://venue.example',
    'ftp://127.0.0.1',
    'https://user@venue.example',
    'https://venue.example/?a=1',
    'x',
  ])('a base URL %j is refused', (base_url) => {
    expect(() => createVenueHttpClient({ venue_id: 'kalshi', base_url, now: () => AT })).toThrowError(/base_url is/)
  })
})

describe('bounds', () => {
  test('a body of the limit is taken, a byte more is refused', async () => {
    const { ask } = await serve([answer(200, 'x'.repeat(100)), answer(200, 'x'.repeat(101))], { body_bytes_max: 100 })
    expect(await ask()).toMatchObject({ payload: { text: 'x'.repeat(100) } })
    await expect(ask()).rejects.toMatchObject({
      code: 'VENUE_ANSWER_REFUSED',
      message: 'kalshi /v2/markets?limit=1 sends more than 100 bytes',
    })
  })

  test('who does not answer in time is asked again, and is unavailable in the end', async () => {
    const { ask, server } = await serve([never], { answer_ms: 400, attempts_max: 2 })
    await expect(ask()).rejects.toMatchObject({
      code: 'VENUE_UNAVAILABLE',
      message: 'kalshi /v2/markets?limit=1 did not answer within 400 ms',
    })
    expect(server.asked).toHaveLength(2)
  })

  test('a body that stops in the middle is asked for again', async () => {
    const half: Answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
    }
    const { ask } = await serve([half, good], { answer_ms: 400 })
    expect(await ask()).toMatchObject({ payload: { text: '{"markets":[0.10]}' } })
  })
})

describe('patience', () => {
  test('5xx and cut connections are asked again until there is an answer', async () => {
    const { ask, server } = await serve([answer(500), reset, good])
    expect(await ask()).toMatchObject({ payload: {} })
    expect(server.asked).toHaveLength(3)
  })

  test('other refusals are final', async () => {
    const { ask, server } = await serve([answer(403)])
    await expect(ask()).rejects.toMatchObject({ code: 'VENUE_ANSWER_REFUSED' })
    expect(server.asked).toHaveLength(1)
  })

  test('a venue that asks for a wait gets it', async () => {
    const { ask } = await serve([answer(429, '', { 'retry-after': '1' }), good])
    const from = performance.now()
    expect(await ask()).toMatchObject({ payload: {} })
    expect(performance.now() - from).toBeGreaterThanOrEqual(990)
  })

  test('a longer wait than is allowed is the caller’s to decide', async () => {
    const { ask, server } = await serve([answer(429, '', { 'retry-after': '3600' }), good])
    await expect(ask()).rejects.toMatchObject({ code: 'VENUE_UNAVAILABLE', retry_after_ms: 3_600_000 })
    expect(server.asked).toHaveLength(1)
  })

  test('a caller who gives up is not kept waiting', async () => {
    const { client } = await serve([answer(503)], { backoff_first_ms: 10_000, backoff_max_ms: 10_000 })
    const signal = AbortSignal.timeout(50)
    await expect(client.get('GET /markets', '/markets', signal)).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

describe('breaker', () => {
  const policy = { attempts_max: 1, breaker_failures: 2, breaker_open_ms: 60 }
  const fails = async (ask: VenueHttpClient['get'] | (() => Promise<unknown>)) => {
    const error = await (ask as () => Promise<unknown>)().catch((thrown: unknown) => thrown)
    return isServiceError(error) ? error.message : 'answered'
  }

  test('opens after failures in a row, asks nothing while it is open, and closes after a good answer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const patient = { ...policy, breaker_open_ms: 600_000 }
    const { ask, server, client } = await serve([answer(503), answer(503), good], patient)
    expect(await fails(ask)).toContain('answers with 503')
    expect(client.breaker()).toBe('closed')
    expect(await fails(ask)).toContain('answers with 503')
    expect(client.breaker()).toBe('open')
    expect(await fails(ask)).toContain('gets no requests for 600000 ms: it failed 2 times in a row')
    expect(server.asked).toHaveLength(2)
    vi.setSystemTime(Date.now() + 600_000)
    expect(await fails(ask)).toBe('answered')
    expect([client.breaker(), server.asked.length]).toEqual(['closed', 3])
  })

  test('stays open where the trial fails', async () => {
    const { ask, server, client } = await serve([answer(503)], policy)
    for (let n = 0; n < 2; n += 1) await fails(ask)
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(await fails(ask)).toContain('answers with 503')
    expect([client.breaker(), server.asked.length]).toEqual(['open', 3])
  })

  test('a venue that asks for fewer requests is alive', async () => {
    const { ask, client } = await serve([answer(429)], policy)
    for (let n = 0; n < 4; n += 1) await fails(ask)
    expect(client.breaker()).toBe('closed')
  })
})
