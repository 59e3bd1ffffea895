import { isUtf8 } from 'node:buffer'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { recordVenue } from '../../../simulator/files/record-venue.ts'
import { createRuledFaults, parseFaultRule } from '../../../simulator/server/fault-rules.ts'
import { createSimulatedClock, type SimulatedClock } from '../../../simulator/server/simulated-clock.ts'
import {
  type SimulatorServer,
  type SimulatorServerOptions,
  startSimulatorServer,
} from '../../../simulator/server/start-simulator-server.ts'
import type { VenueWire } from '../../../simulator/wire/venue-wire.ts'
import { VENUES, type VenueId } from '../../../simulator/world/options.ts'
import { scriptedFaults } from '../../support/scripted-faults.ts'
import { MINUTE, SECOND, START, smallVenue } from '../support/small-world.ts'

const SMALLER = { markets: 6, interval: 5 * MINUTE }
const running: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

async function serve(
  venue_id: VenueId,
  changes: Partial<SimulatorServerOptions> = {},
): Promise<{ server: SimulatorServer; clock: SimulatedClock }> {
  const clock = createSimulatedClock(START)
  const server = await startSimulatorServer({ venue: smallVenue(venue_id, SMALLER), clock, ...changes })
  running.push(server)
  return { server, clock }
}

/** A client that keeps what it gets, and waits for a number of messages. */
async function connect(url: string, subscribe: object) {
  const socket = new WebSocket(url)
  const messages: string[] = []
  let woken: () => void = () => undefined
  let closed: number | null = null
  socket.on('message', (data) => {
    messages.push(String(data))
    woken()
  })
  socket.on('close', (code) => {
    closed = code
    woken()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  running.push({ close: async () => socket.terminate() })
  socket.send(JSON.stringify(subscribe))
  const until = async (done: () => boolean) => {
    while (!done()) {
      await new Promise<void>((resolve) => {
        woken = resolve
      })
    }
  }
  return {
    socket,
    messages,
    closedWith: () => closed,
    has: (count: number) => until(() => messages.length >= count || closed !== null),
    ended: () => until(() => closed !== null),
  }
}

const SUBSCRIBE: Readonly<Record<VenueId, object>> = {
  polymarket: { type: 'market' },
  kalshi: {
    id: 1,
    cmd: 'subscribe',
    params: { channels: ['orderbook_delta', 'ticker', 'trade', 'market_lifecycle_v2'] },
  },
  manifold: { type: 'subscribe', txid: 1, topics: ['global/new-bet'] },
}

type Step =
  | { readonly kind: 'request'; readonly at: number; readonly request: string; readonly body: string }
  | { readonly kind: 'subscribe'; readonly at: number; readonly texts: readonly string[] }
  | { readonly kind: 'messages'; readonly at: number; readonly texts: readonly string[] }
  | { readonly kind: 'down'; readonly at: number }

/** Returns the requests and answers of a recorder in this process, in order: the content of its files. */
function stepsOf(venue_id: VenueId): Step[] {
  const { world, wire } = smallVenue(venue_id, SMALLER)
  const steps: Step[] = []
  const watched: VenueWire = {
    ...wire,
    respond: (request, now) => {
      const response = wire.respond(request, now)
      steps.push({ kind: 'request', at: now, request, body: response.body })
      return response
    },
    subscribe: (now, markets) => {
      const subscription = wire.subscribe(now, markets)
      steps.push({ kind: 'subscribe', at: now, texts: subscription.opening.map(({ text }) => text) })
      return {
        opening: subscription.opening,
        add: subscription.add,
        frames: (batch) => {
          const frames = subscription.frames(batch)
          if (frames.length > 0) steps.push({ kind: 'messages', at: batch.at, texts: frames.map(({ text }) => text) })
          return frames
        },
      }
    },
  }
  let was_down = false
  for (const _payload of recordVenue(world, watched, ({ at, down }) => {
    if (down && !was_down) steps.push({ kind: 'down', at })
    was_down = down
  }));
  return steps
}

test.each(VENUES)('%s: what is fetched and pushed is what is in the files, to the letter', async (venue_id) => {
  const steps = stepsOf(venue_id)
  expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(['request', 'subscribe', 'messages', 'down']))
  const { server, clock } = await serve(venue_id, { limits: [] })
  let client: Awaited<ReturnType<typeof connect>> | null = null
  let expected = 0
  for (const step of steps) {
    clock.advanceTo(step.at)
    if (step.kind === 'request') {
      const response = await fetch(server.base_url + step.request)
      expect(await response.text()).toBe(step.body)
    } else if (step.kind === 'down') {
      await client?.ended()
      client = null
    } else {
      if (step.kind === 'subscribe') {
        client = await connect(server.stream_url, SUBSCRIBE[venue_id])
        expected = 0
      }
      expected += step.texts.length
      await client!.has(expected)
      expect(client!.messages.slice(expected - step.texts.length)).toEqual(step.texts)
    }
  }
})

describe('limits', () => {
  test('beyond the published rate a request is refused with 429 and the seconds to wait, after which it is answered', async () => {
    const { server, clock } = await serve('kalshi')
    const ask = () => fetch(`${server.base_url}/trade-api/v2/markets?limit=1`)
    for (let n = 0; n < 20; n += 1) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    clock.advanceTo(clock.now() + SECOND)
    expect((await ask()).status).toBe(200)
  })

  test('manifold counts 500 a minute', async () => {
    const { server, clock } = await serve('manifold')
    const statuses: number[] = []
    for (let n = 0; n < 501; n += 1) statuses.push((await fetch(`${server.base_url}/v0/markets?limit=1`)).status)
    expect(statuses.lastIndexOf(200)).toBe(499)
    clock.advanceTo(clock.now() + 20 * SECOND)
    const refused = await fetch(`${server.base_url}/v0/markets?limit=1`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40'])
  })
})

describe('pages', () => {
  async function pages<T>(first: string, nextOf: (body: T, url: URL) => string | null): Promise<T[]> {
    const bodies: T[] = []
    for (let url: string | null = first; url !== null; ) {
      const body = (await (await fetch(url)).json()) as T
      bodies.push(body)
      url = nextOf(body, new URL(url))
    }
    return bodies
  }

  test('polymarket: limit and offset until a page is short', async () => {
    const { server } = await serve('polymarket')
    const bodies = await pages<unknown[]>(`${server.base_url}/markets?limit=4&offset=0`, (body, url) => {
      url.searchParams.set('offset', String(Number(url.searchParams.get('offset')) + 4))
      return body.length < 4 ? null : url.href
    })
    expect(bodies.map(({ length }) => length)).toEqual([4, 2])
  })

  test('kalshi: the cursor until it is empty', async () => {
    const { server } = await serve('kalshi')
    type Body = { readonly cursor: string; readonly markets: readonly { readonly ticker: string }[] }
    const bodies = await pages<Body>(`${server.base_url}/trade-api/v2/markets?limit=4`, ({ cursor }, url) => {
      url.searchParams.set('cursor', cursor)
      return cursor === '' ? null : url.href
    })
    const tickers = bodies.flatMap(({ markets }) => markets.map(({ ticker }) => ticker))
    expect(bodies).toHaveLength(2)
    expect(new Set(tickers).size).toBe(6)
  })

  test('manifold: before the last id, newest first, until a page is short', async () => {
    const { server } = await serve('manifold')
    type Body = readonly { readonly id: string; readonly createdTime: number }[]
    const bodies = await pages<Body>(`${server.base_url}/v0/markets?limit=2`, (body, url) => {
      if (body.length < 2) return null
      url.searchParams.set('before', body.at(-1)!.id)
      return url.href
    })
    const times = bodies.flat().map(({ createdTime }) => createdTime)
    expect(times).toEqual([...times].sort((a, b) => b - a))
    expect(new Set(bodies.flat().map(({ id }) => id)).size).toBe(3)
  })
})

describe('faults on demand', () => {
  test('each is used once, by the next request to its path', async () => {
    const faults = scriptedFaults()
    const { server } = await serve('polymarket', { faults })
    const ask = () => fetch(`${server.base_url}/markets?limit=1`)
    faults.nextAnswer('/markets', { kind: 'cut' })
    faults.nextAnswer('/markets', { kind: 'rate_limit', retry_after_seconds: 7 })
    faults.nextAnswer('/markets', { kind: 'status', status: 502 })
    faults.nextAnswer('/markets', { kind: 'reset' })
    expect((await fetch(`${server.base_url}/events?limit=1`)).status).toBe(200)
    await expect((await ask()).json()).rejects.toThrow()
    const limited = await ask()
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
    expect((await ask()).status).toBe(502)
    await expect(ask()).rejects.toThrow('fetch failed')
    await expect((await ask()).json()).resolves.toHaveLength(1)
  })

  test('a stalled answer comes late, and is the same', async () => {
    const faults = scriptedFaults()
    const { server } = await serve('manifold', { faults })
    const url = `${server.base_url}/v0/markets?limit=1`
    const prompt = await (await fetch(url)).text()
    faults.nextAnswer('/v0/markets', { kind: 'stall', wait_ms: 200 })
    const signal = AbortSignal.timeout(50)
    await expect(fetch(url, { signal })).rejects.toMatchObject({ name: 'TimeoutError' })
    faults.nextAnswer('/v0/markets', { kind: 'stall', wait_ms: 60 })
    expect(await (await fetch(url)).text()).toBe(prompt)
  })

  test('a dropped message leaves a hole in the sequence; a malformed one is cut; a connection can be lost', async () => {
    const faults = scriptedFaults()
    const { server, clock } = await serve('kalshi', { faults })
    const subscribe = { id: 1, cmd: 'subscribe', params: { channels: ['orderbook_delta'] } }
    const client = await connect(server.stream_url, subscribe)
    const books = smallVenue('kalshi', SMALLER).world.markets.filter(({ stage }) => stage === 'open').length
    await client.has(1 + books)
    faults.nextMessage({ kind: 'drop' }, 1)
    faults.nextMessage({ kind: 'cut' }, 1)
    clock.advanceTo(clock.now() + 30 * MINUTE)
    await client.has(1 + books + 20)
    const [first, third, cut] = client.messages.slice(1 + books)
    const seq = (text: string) => (JSON.parse(text) as { seq: number }).seq
    expect(seq(first!)).toBe(books + 1)
    expect(seq(third!)).toBe(books + 3)
    expect(() => JSON.parse(cut!)).toThrow()
    faults.nextMessage({ kind: 'reset' })
    clock.advanceTo(clock.now() + 30 * MINUTE)
    await client.ended()
  })
})

describe('faults by rules', () => {
  const ruled = (venue_id: VenueId, ...texts: readonly string[]) =>
    createRuledFaults({ venue_id, rules: texts.map(parseFaultRule), seed: 'rules', stall_ms: 50 })

  test('an operator reads and replaces them while the server runs; a wrong one changes nothing', async () => {
    const { server } = await serve('kalshi', { rules: ruled('kalshi', 'garbage=1'), limits: [] })
    const rules = async (init: RequestInit = {}) => {
      const response = await fetch(`${server.base_url}/-/faults`, init)
      return [response.status, await response.json()]
    }
    const ask = () => fetch(`${server.base_url}/trade-api/v2/markets?limit=1`)
    expect(isUtf8(Buffer.from(await (await ask()).arrayBuffer()))).toBe(false)
    expect(await rules()).toEqual([200, { faults: [{ fault: 'garbage=1', hits: 1 }] }])
    expect(await rules({ method: 'PUT', body: 'slow=1' })).toEqual([
      400,
      { error: expect.stringContaining('fault is "slow=1"; allowed:') },
    ])
    expect((await rules({ method: 'PUT', body: 'shape=1\n503=0' }))[0]).toBe(200)
    expect(await (await ask()).json()).not.toHaveProperty('markets')
    expect(await rules({ method: 'PUT', body: '' })).toEqual([200, { faults: [] }])
    expect(await (await ask()).json()).toHaveProperty('markets')
    expect((await rules({ method: 'POST' }))[0]).toBe(405)
  })

  test('a handshake is refused with the status and the wait', async () => {
    const { server } = await serve('kalshi', { rules: ruled('kalshi', 'ws/429=1') })
    await expect(connect(server.stream_url, SUBSCRIBE.kalshi)).rejects.toThrow('429')
    expect((await fetch(`${server.base_url}/trade-api/v2/markets?limit=1`)).status).toBe(200)
  })

  test('stalled messages come late, all of them, in their order; garbage is no text', async () => {
    const rules = ruled('kalshi', 'ws/stall=1')
    const { server, clock } = await serve('kalshi', { rules })
    const client = await connect(server.stream_url, {
      id: 1,
      cmd: 'subscribe',
      params: { channels: ['orderbook_delta'] },
    })
    await client.has(2)
    clock.advanceTo(clock.now() + 30 * MINUTE)
    await client.has(20)
    const sequences = client.messages.slice(1).map((text) => (JSON.parse(text) as { seq: number }).seq)
    expect(sequences).toEqual(sequences.map((_, place) => place + 1))
    rules.replace([parseFaultRule('ws/garbage=1')])
    const before = client.messages.length
    clock.advanceTo(clock.now() + 30 * MINUTE)
    await client.has(before + 1)
    expect(() => JSON.parse(client.messages.at(-1)!)).toThrow()
  })
})

test('one subscribes to the markets that one names', async () => {
  const { server, clock } = await serve('kalshi')
  const [first] = (
    (await (await fetch(`${server.base_url}/trade-api/v2/markets`)).json()) as {
      markets: { ticker: string }[]
    }
  ).markets
  const params = { channels: ['orderbook_delta'], market_tickers: [first!.ticker] }
  const client = await connect(server.stream_url, { id: 1, cmd: 'subscribe', params })
  await client.has(2)
  clock.advanceTo(clock.now() + 60 * MINUTE)
  await client.has(10)
  const sequences = client.messages
    .slice(1)
    .map((text) => JSON.parse(text) as { seq: number; msg: { market_ticker: string } })
  expect(new Set(sequences.map(({ msg }) => msg.market_ticker))).toEqual(new Set([first!.ticker]))
  expect(sequences.map(({ seq }) => seq)).toEqual(sequences.map((_, place) => place + 1))
})

test('what is not there is 404, what one may not do is 405, and another path takes no websocket', async () => {
  const { server } = await serve('polymarket')
  const status = async (path: string, method = 'GET') => (await fetch(server.base_url + path, { method })).status
  expect(await status('/book?token_id=1')).toBe(404)
  expect(await status('/nothing')).toBe(404)
  expect(await status('/markets', 'POST')).toBe(405)
  await expect(connect(`${server.base_url.replace('http', 'ws')}/elsewhere`, {})).rejects.toThrow('404')
})

test('while the venue is down, it answers 503, ends its connections and takes none', async () => {
  const { server, clock } = await serve('manifold')
  const [outage] = smallVenue('manifold', SMALLER).world.outages
  const client = await connect(server.stream_url, SUBSCRIBE.manifold)
  await client.has(1)
  clock.advanceTo(outage!.from + 5 * MINUTE)
  await client.ended()
  expect(client.closedWith()).toBe(1012)
  expect((await fetch(`${server.base_url}/v0/markets`)).status).toBe(503)
  await expect(connect(server.stream_url, {})).rejects.toThrow('503')
  clock.advanceTo(outage!.to)
  expect((await fetch(`${server.base_url}/v0/markets`)).status).toBe(200)
})
