import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { streamProjections } from '../../../api/stream/projections.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { FakeLog, fakeReader } from './fake-reader.ts'
import { CATALOG, levelRow } from './small-world.ts'
import { StreamClient } from './stream-client.ts'
import { type RunningStream, startStream } from './stream-server.ts'

const PRICE = { op: 'subscribe', id: '1', topic: 'index.price', index_id: 'idx_a' } as const

let servers: RunningStream[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

async function started(...options: Parameters<typeof startStream>): Promise<RunningStream> {
  const server = await startStream(...options)
  servers = [...servers, server]
  return server
}

test('the first message is the welcome', async () => {
  const server = await started(fakeReader(new FakeLog(), CATALOG))
  const client = await StreamClient.open(server.url)
  expect(client.said).toMatchObject([{ type: 'welcome', heartbeat_ms: 15_000, protocol: '1' }])
  await client.close()
})

test('a connection that subscribes to nothing in time is told why and closed; refused messages do not count', async () => {
  let now_ms = 1_800_000_000_000
  const server = await started(fakeReader(new FakeLog(), CATALOG), {
    limits: { first_message_ms: 1000 },
    now: () => now_ms,
  })
  const client = await StreamClient.open(server.url)
  await client.ask({ ...PRICE, index_id: 'idx_none' })
  const kept = await StreamClient.open(server.url)
  await kept.ask(PRICE)
  now_ms += 1000
  const closed = new Promise((resolve) => client.socket.once('close', resolve))
  expect(await client.next(({ type }) => type === 'closing')).toMatchObject({
    reason: 'nothing was subscribed within 1000 ms',
  })
  expect(await closed).toBe(1008)
  expect(server.stream.stats()).toMatchObject({ refused: { INDEX_NOT_FOUND: 1 }, ended: { 1008: 1 } })
  expect(await kept.ask({ op: 'ping', id: 'p' })).toMatchObject({ type: 'pong' })
  await kept.close()
})

test('heartbeats come when nothing happens, with the position of each subscription', async () => {
  const log = new FakeLog()
  const reader = fakeReader(log, CATALOG)
  const server = await started(reader, { limits: { heartbeat_ms: 1000 } })
  const client = await StreamClient.open(server.url)
  await client.ask(PRICE)
  const beat = await client.next(({ type }) => type === 'heartbeat')
  expect(beat.subscriptions).toEqual([{ sid: 'index.price:idx_a', last_seq: 0 }])
  log.append('index_observation', [levelRow('idx_a', 1)])
  reader.catchUp()
  // One that was under way meanwhile has the position of before.
  const after = JSON.stringify([{ sid: 'index.price:idx_a', last_seq: 2 ** 20 }])
  await client.next(({ type, subscriptions }) => type === 'heartbeat' && JSON.stringify(subscriptions) === after)
  await client.close()
})

test('a peer that does not answer pings is taken for gone', async () => {
  const server = await started(fakeReader(new FakeLog(), CATALOG), { limits: { heartbeat_ms: 1000 } })
  const key = Buffer.from('0123456789abcdef').toString('base64')
  const socket = connect(server.port, '127.0.0.1')
  socket.write(
    `GET /v1/ws HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`,
  )
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  await expect.poll(() => server.stream.stats().connections).toBe(0)
})

test('a server that stops says so, keeps serving until the deadline, then closes with 1001', async () => {
  const log = new FakeLog()
  const reader = fakeReader(log, CATALOG)
  const NOW_MS = 1_800_000_000_000
  const server = await startStream(reader, { limits: { closing_ms: 300 }, now: () => NOW_MS })
  const client = await StreamClient.open(server.url)
  await client.ask(PRICE)
  const closed = new Promise((resolve) => client.socket.once('close', resolve))
  const begun_ms = performance.now()
  const stopped = server.stop()
  await new Promise((resolve) => setImmediate(resolve))
  log.append('index_observation', [levelRow('idx_a', 1)])
  reader.catchUp()
  expect(await closed).toBe(1001)
  expect(performance.now() - begun_ms).toBeGreaterThanOrEqual(300)
  await stopped
  const later = client.said.slice(2).filter(({ type }) => type !== 'snapshot')
  expect(later).toMatchObject([{ type: 'closing', deadline_ms: NOW_MS + 300 }, { type: 'event' }])
})

test('a reader that starts is said to be unavailable; one that is stale keeps its subscriptions', async () => {
  const reader = fakeReader(new FakeLog(), CATALOG)
  const server = await started(reader)
  const client = await StreamClient.open(server.url)
  reader.phase = 'starting'
  expect(await client.ask(PRICE)).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE', retryable: true } })
  reader.phase = 'stale'
  expect(await client.ask({ ...PRICE, id: '2' })).toMatchObject({ type: 'subscribed' })
  await client.close()
})

test('a message that cannot be made ends its own subscriptions, with a reason, and no other', async () => {
  const log = new FakeLog()
  const reader = fakeReader(log, CATALOG)
  const project = {
    ...streamProjections(reader),
    indexObservation(row: Row): Buffer {
      if (row.index_id === 'idx_a') throw new TypeError('planted')
      return Buffer.from('{}')
    },
  }
  const server = await started(reader, { project })
  const [client, other] = [await StreamClient.open(server.url), await StreamClient.open(server.url)]
  await client.ask(PRICE)
  await client.ask({ ...PRICE, id: 'b', index_id: 'idx_b' })
  await other.ask({ ...PRICE, index_id: 'idx_b' })
  log.append('index_observation', [levelRow('idx_a', 1), levelRow('idx_b', 1)])
  reader.catchUp()
  const ended = await client.next(({ type }) => type === 'error')
  expect(ended).toMatchObject({ id: null, sid: 'index.price:idx_a', error: { code: 'INTERNAL_ERROR' } })
  await client.next(({ type, sid }) => type === 'event' && sid === 'index.price:idx_b')
  await other.next(({ type }) => type === 'event')
  expect(server.failures.map(String)).toEqual(['Error: a message of index.price could not be built: planted'])
  expect(server.stream.stats()).toMatchObject({ subscriptions: 2, failures: 1 })
  // The state cannot be built either: the subscription ends again, and the connection stays.
  await client.ask({ ...PRICE, id: 'again' })
  await client.next(({ type, sid }) => type === 'error' && sid === ended.sid, client.said.indexOf(ended) + 1)
  expect(await client.ask({ op: 'ping', id: 'alive' })).toMatchObject({ type: 'pong' })
  await client.close()
  await other.close()
})

test.each([
  ['/v1/ws/', 404, 'ROUTE_NOT_FOUND'],
  ['/', 404, 'ROUTE_NOT_FOUND'],
  ['/v1/ws?topic=index.price', 400, 'VALIDATION_PARAMETER_UNKNOWN'],
])('an upgrade of %s is refused with the error object', async (path, status, code) => {
  const server = await started(fakeReader(new FakeLog(), CATALOG))
  const answer = await new Promise<{ status: number | undefined; body: string }>((resolve) => {
    const headers = { connection: 'upgrade', upgrade: 'websocket' }
    request({ port: server.port, host: '127.0.0.1', path, headers }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += String(chunk)
      })
      response.on('end', () => resolve({ status: response.statusCode, body }))
    }).end()
  })
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.body)).toMatchObject({ error: { code, request_id: expect.any(String) } })
})

test('connections are bounded', async () => {
  const server = await started(fakeReader(new FakeLog(), CATALOG), { limits: { connections_max: 1 } })
  const client = await StreamClient.open(server.url)
  const refused = new StreamClient(server.url)
  const message = await new Promise<string>((resolve) =>
    refused.socket.once('error', ({ message }) => resolve(message)),
  )
  expect(message).toContain('503')
  expect(server.stream.stats().refused).toEqual({ SERVICE_UNAVAILABLE: 1 })
  await client.close()
})
