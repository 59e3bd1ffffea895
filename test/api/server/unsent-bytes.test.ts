import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { connectionCounts } from '../../../api/server/connection-limit.ts'
import { type ApiServerOptions, createApiServer, LOAD, type Load } from '../../../api/server/create-api-server.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader } from '../../support/fake-reader.ts'

const MIB = 1024 * 1024
/** Longer than every buffer between two sockets. */
const ANSWER_BYTES = 16 * MIB
const TEXT = JSON.stringify('x'.repeat(ANSWER_BYTES))

let app: FastifyInstance
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app.close()
})

async function serve(options: Partial<ApiServerOptions>): Promise<void> {
  const data = Buffer.from(TEXT)
  app = await createApiServer({
    reader: fakeReader(),
    handlers: fakeHandlers({ get_index: () => ({ data }) }),
    environment: 'test',
    rate_limits: 'off',
    ...options,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
}

/** Connects from an address, and writes `requests` requests for the long answer without reading any. */
async function unread(localAddress = '127.0.0.1', requests = 1): Promise<Socket> {
  const socket = await connected(localAddress)
  socket.pause()
  socket.write('GET /v1/indexes/idx_a HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests))
  return socket
}

async function connected(localAddress: string): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

/** Start of the answer to a short request of an address. */
async function answered(localAddress: string, headers = ''): Promise<string> {
  const socket = await connected(localAddress)
  socket.write(`GET /v1/time HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
  return String((await once(socket, 'data'))[0])
}

const stats = () => app.getDecorator<Load>(LOAD).unsent.stats()
const bytes = () => stats().bytes
const LONG = { timeout: 30_000 }
/** Envelope around the text. */
const SLACK = 1000

describe('answers that nobody reads', () => {
  test('count until they are read, and then no more', async () => {
    await serve({})
    const socket = await unread()
    await expect.poll(bytes, LONG).toBeGreaterThan(ANSWER_BYTES)
    expect(bytes()).toBeLessThan(ANSWER_BYTES + SLACK)
    socket.resume()
    await expect.poll(bytes, LONG).toBe(0)
  })

  test('count until their connection ends', async () => {
    await serve({})
    const socket = await unread()
    await expect.poll(bytes, LONG).toBeGreaterThan(0)
    socket.destroy()
    await expect.poll(bytes, LONG).toBe(0)
  })

  test('are also those that wait behind another one on their connection; all are gone with it', async () => {
    await serve({ unsent_bytes: { per_address_max: 1024 * MIB, max: 2048 * MIB } })
    const socket = await unread('127.0.0.1', 3)
    await expect.poll(bytes, LONG).toBeGreaterThan(ANSWER_BYTES)
    socket.destroy()
    await expect.poll(bytes, LONG).toBe(0)
  })

  test('of as many bytes as its limit get an address refused, one byte fewer do not; others are served', async () => {
    await serve({})
    await unread('127.0.0.2')
    await expect.poll(bytes, LONG).toBeGreaterThan(0)
    const held = bytes()
    await app.close()
    await serve({ unsent_bytes: { per_address_max: held + 1 } })
    await unread('127.0.0.2')
    await expect.poll(bytes, LONG).toBe(held)
    expect(await answered('127.0.0.2')).toMatch(/^HTTP\/1.1 200/)
    await app.close()
    await serve({ unsent_bytes: { per_address_max: held } })
    await unread('127.0.0.2')
    await expect.poll(bytes, LONG).toBe(held)
    const refused = await answered('127.0.0.2')
    expect(refused).toMatch(/^HTTP\/1.1 429/)
    expect(refused).toMatch(/retry-after: 1\r\n/)
    expect(refused).toContain('"code":"RATE_LIMIT_EXCEEDED"')
    expect(refused).toContain(`allowed: fewer than ${held}`)
    expect(await answered('127.0.0.3')).toMatch(/^HTTP\/1.1 200/)
    expect(stats().limited).toEqual({ per_address_max: 1, max: 0 })
  })

  test('of a trusted proxy refuse none of its clients, but count for the process', async () => {
    await serve({
      trusted_proxies: ['127.0.0.2'],
      unsent_bytes: { per_address_max: 1, max: ANSWER_BYTES + SLACK },
    })
    const first = await unread('127.0.0.2')
    await expect.poll(bytes, LONG).toBeGreaterThan(0)
    expect(await answered('127.0.0.2', 'X-Forwarded-For: 192.0.2.1\r\n')).toMatch(/^HTTP\/1.1 200/)
    await unread('127.0.0.2')
    await expect.poll(() => stats().limited, LONG).toEqual({ per_address_max: 0, max: 1 })
    first.resume()
    await once(first, 'close')
  })

  test('beyond the bound of the process close the oldest connections, and only so many', async () => {
    await serve({ unsent_bytes: { per_address_max: 64 * MIB, max: 2 * ANSWER_BYTES + SLACK } })
    const oldest = await unread('127.0.0.2')
    await expect.poll(bytes, LONG).toBeGreaterThan(0)
    const second = await unread('127.0.0.3')
    await expect.poll(bytes, LONG).toBeGreaterThan(2 * ANSWER_BYTES)
    expect(stats().limited.max).toBe(0)
    const newest = await unread('127.0.0.4')
    await expect.poll(() => stats().limited.max, LONG).toBe(1)
    oldest.resume()
    await once(oldest, 'close')
    expect(bytes()).toBeGreaterThan(2 * ANSWER_BYTES)
    expect([second.closed, newest.closed]).toEqual([false, false])
  })

  test.each([
    ['with a further request now and then', () => 'GET /v1/time HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['with a byte of a further request now and then', (n: number) => (n === 0 ? 'GET /' : 'x')],
  ])('are closed after stalled_ms, also %s', async (_, sent) => {
    await serve({ connections: { stalled_ms: 1000, headers_ms: 60_000 } })
    const socket = await unread()
    let sends = 0
    const sending = setInterval(() => socket.write(sent(sends++)), 400)
    await expect.poll(bytes, LONG).toBeGreaterThan(0)
    await expect.poll(bytes, LONG).toBe(0)
    clearInterval(sending)
    // The client stops reading; otherwise about thirty requests arrive first, and each prolongs the wait.
    expect(sends).toBeLessThan(20)
    await expect.poll(() => connectionCounts(app.server), LONG).toMatchObject({ open: 0 })
    expect(connectionCounts(app.server).timed_out).toEqual({
      headers_ms: 0,
      request_ms: 0,
      stalled_ms: 1,
      idle_ms: 0,
    })
  })

  test('that are read late are followed by those to the requests sent meanwhile', async () => {
    await serve({})
    const socket = await unread()
    await expect.poll(bytes, LONG).toBeGreaterThan(0)
    socket.write('GET /v1/time HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    let read = 0
    let tail = ''
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length
      tail = (tail + chunk.toString('latin1')).slice(-2000)
    })
    socket.resume()
    await once(socket, 'close')
    expect(read).toBeGreaterThan(ANSWER_BYTES)
    expect(tail).toMatch(/HTTP\/1.1 200 OK\r\n/)
    expect(tail).toContain('server_time_ms')
  })
})
