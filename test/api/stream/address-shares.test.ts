import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { AddressShares, SnapshotCredit } from '../../../api/stream/address-shares.ts'
import { streamProjections } from '../../../api/stream/projections.ts'
import { STREAM_LIMITS } from '../../../api/stream/stream-limits.ts'
import { createPublicStream, type PublicStream } from '../../../client/stream/public-stream.ts'
import type { StreamSocket } from '../../../client/trading/stream/stream-socket.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { FakeLog, fakeReader } from './fake-reader.ts'
import { CATALOG, levelRow } from './small-world.ts'
import { StreamClient } from './stream-client.ts'
import { type RunningStream, startStream } from './stream-server.ts'

type StreamError = { readonly retry_after_ms: number }

const ASK = { op: 'subscribe', topic: 'index.price' } as const

let server: RunningStream | null = null
afterEach(() => server?.stop())

/** A stream of an index with one level. */
async function started(options: Parameters<typeof startStream>[1]) {
  const log = new FakeLog()
  const reader = fakeReader(log, CATALOG)
  log.append('index_observation', [levelRow('idx_a', 1), levelRow('idx_b', 1)])
  reader.catchUp()
  server = await startStream(reader, options)
  return { server, reader }
}

/** Asks for one more connection, and reads why it is not given. */
async function refusedUpgrade(port: number) {
  const headers = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'x',
  }
  const asked = request({ port, path: '/v1/ws', headers })
  const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage]
  return { headers: answer.headers, error: ((await json(answer)) as { error: Record<string, unknown> }).error }
}

const refusalOf = (client: StreamClient) =>
  new Promise<string>((resolve) => client.socket.once('error', ({ message }) => resolve(message)))

test('an address opens as many connections as allowed, and another one once one is closed', async () => {
  const { server } = await started({ limits: { connections_per_address_max: 2 } })
  const [first, second] = [await StreamClient.open(server.url), await StreamClient.open(server.url)]
  for (const client of [first!, second!]) await client.ask({ ...ASK, id: 'a', index_id: 'idx_a' })
  expect(await refusalOf(new StreamClient(server.url))).toContain('429')
  const { headers, error } = await refusedUpgrade(server.port)
  expect([error.code, headers['retry-after'], error.retry_after_ms]).toEqual(['RATE_LIMIT_EXCEEDED', '1', 1000])
  let following: PublicStream | null = null as PublicStream | null
  const problem = await new Promise((onProblem) => {
    const open = (url: string) => new WebSocket(url) as unknown as StreamSocket
    const base_url = `http://127.0.0.1:${server.port}`
    following = createPublicStream({ base_url, open, onProblem })
    following.follow('index.price', { index_id: 'idx_a' })
  })
  following?.close()
  expect(problem).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', message: expect.stringContaining('429') })
  await first!.close()
  await expect.poll(() => server.stream.stats().connections).toBe(1)
  await StreamClient.open(server.url)
})

test('in a full address the oldest connection that asks for nothing gives way to a new one', async () => {
  const { server } = await started({ limits: { connections_per_address_max: 3 } })
  const begun = await StreamClient.open(server.url)
  await begun.ask({ ...ASK, id: 'a', index_id: 'idx_a' })
  const [oldest, newer] = [await StreamClient.open(server.url), await StreamClient.open(server.url)]
  const ended = new Promise((resolve) => oldest!.socket.once('close', resolve))
  const newest = await StreamClient.open(server.url)
  expect(await ended).toBe(1013)
  for (const client of [begun, newer!, newest]) {
    client.send({ op: 'ping', id: 'p' })
    expect(await client.next(({ type }) => type === 'pong')).toMatchObject({ id: 'p' })
  }
  expect(server.stream.stats().connections).toBe(3)
})

test('an address opens connections no faster than allowed', async () => {
  let now = 1_700_000_000_000
  const { server } = await started({ now: () => now, limits: { connects: { rate: 2, burst: 2 } } })
  for (let n = 0; n < 2; n += 1) await (await StreamClient.open(server.url)).close()
  const { headers, error } = await refusedUpgrade(server.port)
  expect([error.code, headers['retry-after'], error.retry_after_ms]).toEqual(['RATE_LIMIT_EXCEEDED', '1', 500])
  now += 500
  await StreamClient.open(server.url)
})

test('connections without auth leave room for one that authenticates, and one that did not begin makes room in time', async () => {
  let now = 1_700_000_000_000
  const { connections_per_address_max, anonymous_per_address_max } = STREAM_LIMITS
  const { server } = await started({ now: () => now })
  const ask = (client: StreamClient) => client.ask({ ...ASK, id: 'a', index_id: 'idx_a' })
  const anonymous: StreamClient[] = []
  for (let n = 0; n < anonymous_per_address_max; n += 1) {
    anonymous.push(await StreamClient.open(server.url))
    expect(await ask(anonymous[n]!)).toMatchObject({ type: 'subscribed' })
  }
  const waiting: StreamClient[] = []
  const room = connections_per_address_max - anonymous_per_address_max
  for (let n = 0; n < room; n += 1) waiting.push(await StreamClient.open(server.url))
  const refused = await ask(waiting[0]!)
  const message = 'the address has 80 connections with subscriptions and without auth; allowed: at most 80'
  expect(refused).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED', message: expect.stringContaining(message) } })
  expect((refused as unknown as { error: object }).error).not.toHaveProperty('retry_after_ms')
  // One that unsubscribed keeps its place: it lasts.
  await anonymous[0]!.ask({ op: 'unsubscribe', id: 'u', sid: 'index.price:idx_a' })
  expect(await ask(waiting[0]!)).toMatchObject({ type: 'error' })
  now += STREAM_LIMITS.first_message_ms
  await expect.poll(() => server.stream.stats().connections, { timeout: 5_000 }).toBe(anonymous_per_address_max)
  const later = await StreamClient.open(server.url)
  expect(await ask(later)).toMatchObject({ type: 'error' })
  await anonymous[1]!.close()
  await expect.poll(() => server.stream.stats().connections).toBe(anonymous_per_address_max)
  expect(await ask(later)).toMatchObject({ type: 'subscribed' })
})

test('the connections of an address share their subscriptions', async () => {
  const { server } = await started({ limits: { subscriptions_per_address_max: 2 } })
  const [one, two] = [await StreamClient.open(server.url), await StreamClient.open(server.url)]
  expect(await one.ask({ ...ASK, id: 'a', index_id: 'idx_a' })).toMatchObject({ type: 'subscribed' })
  const subscribed = await two.ask({ ...ASK, id: 'b', index_id: 'idx_a' })
  expect(await two.ask({ ...ASK, id: 'c', index_id: 'idx_b' })).toMatchObject({
    error: {
      ...{
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'the address has 2 subscriptions; allowed: at most 2',
        retryable: true,
      },
      request_id: expect.any(String),
    },
  })
  await two.ask({ op: 'unsubscribe', id: 'd', sid: subscribed.sid })
  expect(await two.ask({ ...ASK, id: 'e', index_id: 'idx_b' })).toMatchObject({ type: 'subscribed' })
})

test('snapshots are sent on credit, which the next subscription of the address has to wait for', async () => {
  let now = 1_700_000_000_000
  const { server } = await started({ now: () => now, limits: { snapshot_bytes: { rate: 100, burst: 100 } } })
  const client = await StreamClient.open(server.url)
  await client.ask({ ...ASK, id: 'a', index_id: 'idx_a' })
  await client.next(({ type }) => type === 'snapshot')
  const other = await StreamClient.open(server.url)
  const { error } = (await other.ask({ ...ASK, id: 'b', index_id: 'idx_b' })) as unknown as { error: StreamError }
  expect(error).toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    message: expect.stringContaining(`wait ${error.retry_after_ms} ms`),
  })
  await client.close()
  await other.close()
  const again = await StreamClient.open(server.url)
  expect(await again.ask({ ...ASK, id: 'c', index_id: 'idx_b' })).toMatchObject({ type: 'error' })
  now += error.retry_after_ms - 1
  expect(await again.ask({ ...ASK, id: 'e', index_id: 'idx_b' })).toMatchObject({ error: { retry_after_ms: 1 } })
  now += 1
  expect(await again.ask({ ...ASK, id: 'd', index_id: 'idx_b' })).toMatchObject({ type: 'subscribed' })
})

test('an address is forgotten when it has left and its credit is paid back', () => {
  const shares = new AddressShares({ ...STREAM_LIMITS, snapshot_bytes: { rate: 10, burst: 10 } })
  const share = shares.of('192.0.2.1')
  share.credit.spend(20, 0)
  shares.check(1000)
  expect(shares.of('192.0.2.1')).toBe(share)
  shares.check(2000)
  expect(shares.of('192.0.2.1')).not.toBe(share)
})

test('credit is exact: a snapshot is allowed while nothing is owed', () => {
  const credit = new SnapshotCredit({ rate: 10, burst: 10 })
  credit.require(0)
  credit.spend(11, 0)
  expect(() => credit.require(99)).toThrow('wait 1 ms')
  expect(() => credit.require(100)).not.toThrow()
})

test('many messages of one client are answered one in each turn of the event loop, so that others are served between', async () => {
  let made = 0
  let most = 0
  const log = new FakeLog()
  const reader = fakeReader(log, CATALOG)
  log.append('index_observation', [levelRow('idx_a', 1)])
  reader.catchUp()
  const projected = streamProjections(reader)
  const project = {
    ...projected,
    indexObservation: (row: Row, at: Micros | null) => {
      made += 1
      return projected.indexObservation(row, at)
    },
  }
  server = await startStream(reader, { project })
  const client = await StreamClient.open(server.url)
  let watching = true
  const watch = () => {
    most = Math.max(most, made)
    made = 0
    if (watching) setImmediate(watch)
  }
  watch()
  for (let n = 0; n < 200; n += 1) {
    client.send({ ...ASK, id: `s${n}`, index_id: 'idx_a' })
    client.send({ op: 'unsubscribe', id: `u${n}`, sid: 'index.price:idx_a' })
  }
  const asked = new Promise<number | undefined>((resolve) => {
    request({ port: server!.port, path: '/healthz', agent: false }, ({ statusCode }) => resolve(statusCode)).end()
  })
  await asked
  await client.next(({ id }) => id === 'u199')
  watching = false
  expect(most).toBe(1)
})
