import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import { tradingPorts } from '../../../api/trading-ports.ts'
import { signStreamAuth } from '../../../client/signing/sign-stream-auth.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader } from '../../support/fake-reader.ts'
import { assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { ENVIRONMENT, type ServedAccounts, send, serveAccounts } from '../../support/trading/served-accounts.ts'
import { serveStream } from '../../support/trading/served-streams.ts'
import { StreamClient } from '../stream/stream-client.ts'

/** A second API process over the same database, which trusts a proxy on this machine. */
const TRUSTED = ['127.0.0.1']
const database = withDatabase()
let served: ServedAccounts
let second: FastifyInstance
beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
  const { pool, engine } = served
  const { verifier, sealing } = served.trading
  second = await createApiServer({
    reader: fakeReader({}),
    handlers: fakeHandlers(),
    environment: ENVIRONMENT,
    rate_limits: 'off',
    trading: tradingPorts({ pool, engine, verifier, sealing }),
    trusted_proxies: TRUSTED,
  })
}, 180_000)
afterAll(async () => {
  await second.close()
  await served.close()
})

test('a captured request is refused by every process, a read like a write', async () => {
  const key = served.keys.acct_a
  const idempotency_key = 'captured'
  const write = { method: 'POST', url: '/v1/orders', body: await served.order({ limit_price: '0.02' }) } as const
  for (const [operation_id, call, status] of [
    ['list_orders', { method: 'GET', url: '/v1/orders' }, 200],
    ['place_order', { ...write, idempotency_key }, 201],
  ] as const) {
    const captured = { ...call, key, nonce: `captured_${operation_id}`, timestamp_ms: Date.now() }
    expect((await send(served.app, captured)).status).toBe(status)
    for (const app of [second, served.app]) {
      assertRefused(operation_id, await send(app, captured), 'REPLAY_REQUEST_NONCE_REUSED')
    }
    expect((await send(second, { ...call, key })).status).toBe(status)
  }
})

test('behind a trusted proxy the client’s address counts, and what a client writes does not', async () => {
  const key = await served.newKey({ ip_allowlist: ['203.0.113.0/24'] })
  const ask = (app: FastifyInstance, headers: Record<string, string>) =>
    send(app, { method: 'GET', url: '/v1/orders', key, headers })
  const inside = { 'x-forwarded-for': '203.0.113.5' }
  expect((await ask(second, inside)).status).toBe(200)
  expect((await ask(second, { forwarded: 'for=203.0.113.5' })).status).toBe(200)
  for (const headers of [{}, { 'x-forwarded-for': '203.0.113.5, 198.51.100.1' }])
    assertRefused('list_orders', await ask(second, headers), 'AUTH_IP_NOT_ALLOWED')
  assertRefused('list_orders', await ask(served.app, inside), 'AUTH_IP_NOT_ALLOWED')
})

test.each([
  [TRUSTED, 'authenticated'],
  [[], 'AUTH_IP_NOT_ALLOWED'],
])('a stream that trusts %j takes the address of its client from the proxy: %s', async (trusted_proxies, expected) => {
  const key = await served.newKey({ ip_allowlist: ['203.0.113.0/24'] })
  const stream = await serveStream(served, { trusted_proxies })
  const client = await StreamClient.open(stream.url, { 'x-forwarded-for': '203.0.113.5' })
  const answer = await client.ask({ ...signStreamAuth(key, { id: 'auth' }) })
  await client.close()
  await stream.stop()
  expect((answer.error as { code: string } | undefined)?.code ?? answer.type).toBe(expected)
})
