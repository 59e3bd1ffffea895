import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { connectionCounts, connectionLimit, fileLimit } from '../../../api/server/connection-limit.ts'
import { type ApiServerOptions, createApiServer } from '../../../api/server/create-api-server.ts'
import { CONNECTIONS } from '../../../protocol/limits.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader } from '../../support/fake-reader.ts'
import { tempFolder } from '../../support/temp-folder.ts'

let app: FastifyInstance | null = null
let socket: Socket | null = null
afterEach(async () => {
  socket?.destroy()
  await app?.close()
})

/** Returns a text of JSON that is longer than any buffer between two sockets. */
function longText(): Buffer {
  const text = Buffer.alloc(64 * 1024 * 1024, 'x')
  text.write('"', 0)
  text.write('"', text.length - 1)
  return text
}

/** Connects to a server with one short time-out; only an answer of get_index is long. */
async function connected(
  connections: ApiServerOptions['connections'],
  trusted_proxies: readonly string[] = [],
): Promise<Socket> {
  app = await createApiServer({
    reader: fakeReader(),
    handlers: fakeHandlers({ get_index: () => ({ data: longText() }) }),
    environment: 'test',
    trusted_proxies,
    ...(connections !== undefined && { connections }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const timedOut = () => connectionCounts(app!.server).timed_out
const connections = () =>
  new Promise<number>((resolve) => app!.server.getConnections((_error, count) => resolve(count)))

const NONE = { headers_ms: 0, request_ms: 0, stalled_ms: 0, idle_ms: 0 }
const POST = 'POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

/** Reads a connection to its end. */
async function closed(client: Socket): Promise<string> {
  let text = ''
  client.on('data', (bytes) => {
    text += String(bytes)
  })
  await once(client, 'close')
  return text
}

describe('a connection is closed', () => {
  test('when the headers of a request do not come', async () => {
    const client = await connected({ headers_ms: 200 })
    client.write('GET /v1/time HTTP/1.1\r\nHost: x\r\n')
    const [answer] = await once(client, 'data')
    expect(String(answer)).toContain('the request was not complete in time')
    await once(client, 'close')
    expect(timedOut()).toEqual({ ...NONE, headers_ms: 1 })
  })

  test('when the body of a request does not come, which is counted apart from its headers', async () => {
    // A machine that lets this process wait longer than headers_ms would count the request among those without headers.
    const client = await connected({ headers_ms: 3_000, request_ms: 3_500 })
    client.write(`${POST}Content-Length: 9\r\n\r\nabc`)
    expect(await closed(client)).toContain('the request was not complete in time')
    expect(timedOut()).toEqual({ ...NONE, request_ms: 1 })
  })

  test('when the headers of a further request do not come, whether or not the first one had a body', async () => {
    const client = await connected({ headers_ms: 2_000 })
    for (const first of ['GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', `${POST}Content-Length: 2\r\n\r\n{}`]) {
      const next = first.startsWith('GET') ? client : connect((app!.server.address() as AddressInfo).port, '127.0.0.1')
      next.write(first)
      await once(next, 'data')
      next.write('GET /healthz HTTP/1.1\r\n')
      await closed(next)
    }
    expect(timedOut()).toEqual({ ...NONE, headers_ms: 2 })
  })

  test('when its client does not read its answer', async () => {
    const client = await connected({ stalled_ms: 300 })
    await expect.poll(connections).toBe(1)
    client.pause()
    client.write('GET /v1/indexes/idx_a HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(connections, { timeout: 30_000 }).toBe(0)
    expect(timedOut()).toEqual({ ...NONE, stalled_ms: 1 })
  })

  test('when no further request comes', async () => {
    const client = await connected({ idle_ms: 200 })
    client.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(client, 'data')
    await once(client, 'close')
    expect(timedOut()).toEqual({ ...NONE, idle_ms: 1 })
  })
})

describe('the connections of one address', () => {
  const port = () => (app!.server.address() as AddressInfo).port
  const answered = async (client: Socket) => {
    client.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    return String((await once(client, 'data'))[0]).startsWith('HTTP/1.1 200')
  }

  test('are as many as its limit; one more is closed, until one of them ends', async () => {
    const first = await connected({ per_address_max: 2 })
    const second = connect(port(), '127.0.0.1')
    expect([await answered(first), await answered(second)]).toEqual([true, true])
    const third = connect(port(), '127.0.0.1')
    third.on('error', () => undefined)
    await once(third, 'close')
    expect(await answered(first)).toBe(true)
    second.destroy()
    await expect.poll(connections).toBe(1)
    const fourth = connect(port(), '127.0.0.1')
    expect(await answered(fourth)).toBe(true)
    fourth.destroy()
  })

  test('of a trusted proxy are not counted', async () => {
    const first = await connected({ per_address_max: 1 }, ['127.0.0.1'])
    const second = connect(port(), '127.0.0.1')
    expect([await answered(first), await answered(second)]).toEqual([true, true])
    second.destroy()
  })
})

describe('the limit of connections', () => {
  const { max, files_reserved } = CONNECTIONS

  test.each([
    [null, max],
    [files_reserved + 100, 100],
    [files_reserved + max - 1, max - 1],
    [files_reserved + max, max],
    [1_000_000, max],
  ])('of a process that may open %s files is %i', (files, connections) => {
    expect(connectionLimit(files)).toBe(connections)
  })

  test('is refused where it would be too low', () => {
    expect(() => connectionLimit(files_reserved + 99)).toThrow(/may open 611 files; allowed: at least 612/)
  })

  test('is read from what the system says; unknown where it says nothing', () => {
    const file = join(tempFolder(), 'limits')
    writeFileSync(
      file,
      'Limit   Soft Limit  Hard Limit  Units\nMax open files            1024                 4096      files\n',
    )
    expect(fileLimit(file)).toBe(1024)
    writeFileSync(file, 'Max open files            unlimited            unlimited            files\n')
    expect(fileLimit(file)).toBeNull()
    expect(fileLimit(join(tempFolder(), 'absent'))).toBeNull()
  })
})
