import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { KALSHI_STREAM } from '../../../connectors/venues/kalshi/kalshi-stream.ts'
import { marketChannel } from '../../../connectors/venues/polymarket/polymarket-connector.ts'
import type { StreamPolicy } from '../../../connectors/ws/stream-policy.ts'
import { openVenueStream, type VenueStream, type VenueStreamOptions } from '../../../connectors/ws/venue-stream.ts'
import { toMicros } from '../../../primitives/instants.ts'

const AT = toMicros('2026-01-05T10:00:00Z')
const QUICK: Partial<StreamPolicy> = { backoff_first_ms: 1, backoff_max_ms: 5, heartbeat_ms: 20, silence_ms: 60_000 }
const running: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

type Server = { readonly url: string; readonly heard: string[]; readonly sockets: WebSocket[] }

async function serve(on_subscribe: (socket: WebSocket, connection: number) => void): Promise<Server> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: true })
  await once(server, 'listening')
  const heard: string[] = []
  const sockets: WebSocket[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    const connection = sockets.length
    socket.on('message', (data) => {
      const text = String(data)
      heard.push(text)
      if (text !== 'PING') on_subscribe(socket, connection)
    })
  })
  running.push({
    close: async () => {
      for (const socket of sockets) socket.terminate()
      server.close()
    },
  })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/market`, heard, sockets }
}

function open(url: string, changes: Partial<VenueStreamOptions> = {}): VenueStream {
  const base = {
    venue_id: 'polymarket',
    url,
    protocol: marketChannel(() => undefined),
    names: ['1', '2'],
    now: () => AT,
  } as const
  const stream = openVenueStream({ ...base, ...changes, policy: { ...QUICK, ...changes.policy } })
  running.unshift(stream)
  return stream
}

async function until(done: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!done()) {
    if (performance.now() > deadline) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

const textsOf = (stream: VenueStream) =>
  stream.take().map((item) => ('payload' in item ? item.payload.text : item.quarantined.reason))

test('it subscribes, and every message is a payload as it came', async () => {
  const { url, heard } = await serve((socket) => socket.send('{"a": 1.10}'))
  const stream = open(url)
  await until(() => stream.state === 'open')
  expect(await stream.confirm()).toBe(true)
  expect(stream.take()).toEqual([
    {
      payload: {
        venue_id: 'polymarket',
        endpoint: 'ws market',
        request: null,
        received_at: AT,
        file: `${url}#1`,
        text: '{"a": 1.10}',
      },
    },
  ])
  expect(heard[0]).toBe('{"assets_ids":["1","2"],"type":"market"}')
  expect([stream.connections, stream.confirmed_at]).toEqual([1, AT])
})

test('a connection that the venue ends is made again, and begins with a whole book', async () => {
  const { url } = await serve((socket, connection) => {
    socket.send(`book ${connection}`)
    if (connection < 3) socket.close(1012)
  })
  const stream = open(url)
  await until(() => stream.connections === 3 && stream.state === 'open')
  await stream.confirm()
  expect(textsOf(stream)).toEqual(['book 1', 'book 2', 'book 3'])
  expect(stream.last_end).toContain('1012')
})

test.each([
  ['is no text', Buffer.from([0x7b, 0xff, 0x7d])],
  ['is cut', '{"event_type":"price_change","price_chan'],
])('a message that %s stands for one that is missing: the connection is made again', async (_what, message) => {
  const { url } = await serve((socket, connection) => socket.send(connection === 1 ? message : '{"book": 2}'))
  const stream = open(url)
  await until(() => stream.connections === 2)
  await stream.confirm()
  expect([stream.gaps, stream.last_end]).toEqual([1, 'a message cannot be read'])
  expect(textsOf(stream).at(-1)).toBe('{"book": 2}')
})

test('a half-open connection, on which nothing comes and no ping is answered, is made again', async () => {
  let accepted = 0
  const dead = createServer((socket) => {
    accepted += 1
    socket.once('data', (request) => {
      const key = /sec-websocket-key: (.+)\r\n/i.exec(String(request))![1]!
      socket.write(handshake(key))
    })
    socket.on('error', () => undefined)
  })
  dead.listen(0, '127.0.0.1')
  await once(dead, 'listening')
  running.push({ close: async () => void dead.close() })
  const stream = open(`ws://127.0.0.1:${(dead.address() as AddressInfo).port}`, { policy: { silence_ms: 60 } })
  await until(() => accepted >= 2)
  expect(stream.last_end).toContain('no sign of life for 60 ms')
})

test('a silent channel whose pings are answered is made again after a longer while', async () => {
  const { url } = await serve(() => undefined)
  const stream = open(url, { policy: { quiet_ms: 100 } })
  await until(() => stream.connections === 2)
  expect(stream.last_end).toContain('no message for 100 ms')
})

test('a lively channel lasts', async () => {
  const { url } = await serve((socket) => {
    const timer = setInterval(() => socket.send('x'), 10)
    socket.on('close', () => clearInterval(timer))
  })
  const stream = open(url, { policy: { quiet_ms: 100 } })
  await until(() => stream.connections === 1)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect([stream.connections, stream.state]).toEqual([1, 'open'])
})

test('a venue’s own ping is sent, and its answer is not kept', async () => {
  const { url, heard } = await serve((socket) => socket.send('PONG'))
  const stream = open(url)
  await until(() => heard.includes('PING'))
  await stream.confirm()
  expect(stream.take()).toEqual([])
})

test('answered pings are kept where the protocol says what they prove, from the first subscription on', async () => {
  const { url } = await serve((socket) =>
    socket.send('{"id":1,"type":"subscribed","msg":{"channel":"ticker","sid":4}}'),
  )
  const stream = open(url, { protocol: KALSHI_STREAM, venue_id: 'kalshi' })
  await until(() => stream.state === 'open')
  const kept: string[] = []
  await until(() => kept.push(...textsOf(stream)) > 2)
  expect(kept[0]).toContain('subscribed')
  expect(new Set(kept.slice(1))).toEqual(new Set(['{"type":"heartbeat","sids":[4]}']))
})

test('a ping that somebody waits for is not kept', async () => {
  const { url } = await serve((socket) => socket.send('{"type":"subscribed","msg":{"sid":4}}'))
  const stream = open(url, { protocol: KALSHI_STREAM, venue_id: 'kalshi', policy: { heartbeat_ms: 3_600_000 } })
  await until(() => stream.state === 'open')
  for (let n = 0; n < 3; n += 1) expect(await stream.confirm()).toBe(true)
  expect(textsOf(stream)).toHaveLength(1)
})

test('a message longer than allowed ends the connection', async () => {
  const { url } = await serve((socket) => socket.send('x'.repeat(101)))
  const stream = open(url, { policy: { message_bytes_max: 100 } })
  await until(() => stream.last_end !== null)
  expect(stream.last_end).toContain('Max payload size exceeded')
})

test('what is not taken is bounded: the socket is not read until it is, nothing is lost, and it stays connected', async () => {
  const count = 200
  const big = 'x'.repeat(64 * 1024)
  const { url, sockets } = await serve((socket) => {
    for (let n = 0; n < count; n += 1) socket.send(`${n} ${big}`)
  })
  const stream = open(url, { policy: { queue_max: 3 } })
  await until(() => sockets.length === 1)
  // Sent until nobody reads it any more.
  let [before, now] = [0, 0]
  while (now === 0 || before !== now) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    ;[before, now] = [now, sockets[0]!.bufferedAmount]
  }
  const first = stream.take()
  expect(first.length).toBeGreaterThanOrEqual(3)
  expect(first.length).toBeLessThan(20)
  const all = [...first]
  while (all.length < count) {
    all.push(...stream.take())
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const numbers = all.map((item) => ('payload' in item ? Number(item.payload.text.split(' ')[0]) : -1))
  expect(numbers).toEqual(Array.from({ length: count }, (_, n) => n))
  expect(stream.connections).toBe(1)
})

test('closing ends what waits for messages', async () => {
  const { url } = await serve((socket) => socket.send('a'))
  const stream = open(url)
  const seen: number[] = []
  const reading = (async () => {
    for await (const _item of stream) seen.push(1)
  })()
  await until(() => seen.length === 1)
  await stream.close()
  await reading
  expect(stream.state).toBe('closed')
})

describe('addresses', () => {
  test.each(['ws://venue.example/ws', 'http://127.0.0.1/ws', 'x'])('%j is refused', (url) => {
    expect(() => open(url)).toThrowError(/base_url is/)
  })

  test('a redirect is refused and tried again at the same place', async () => {
    let asked = 0
    const redirecting = createServer((socket) => {
      asked += 1
      socket.end('HTTP/1.1 302 Found\r\nlocation: ws://127.0.0.1:1/ws\r\nconnection: close\r\n\r\n')
    })
    redirecting.listen(0, '127.0.0.1')
    await once(redirecting, 'listening')
    running.push({ close: async () => void redirecting.close() })
    const stream = open(`ws://127.0.0.1:${(redirecting.address() as AddressInfo).port}`)
    await until(() => asked >= 2)
    expect(stream.last_end).toContain('Unexpected server response: 302')
    expect(stream.connections).toBe(0)
  })
})

function handshake(key: string): string {
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  return `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`
}
