import { beforeEach, describe, expect, test } from 'vitest'
import { type SocketEvents, StreamClient, type StreamPorts } from '../../console/data/stream-client.ts'

/** A socket and a clock that the test moves by hand. */
function newWorld(more: Partial<StreamPorts> = {}) {
  const sent: Record<string, unknown>[] = []
  const told: string[] = []
  const timers = new Map<number, { call: () => void; millis: number }>()
  let sockets = 0
  let ids = 0
  let events: SocketEvents | null = null
  const client = new StreamClient({
    open: (opened) => {
      sockets += 1
      events = opened
      return { send: (text) => void sent.push(JSON.parse(text)), close: () => undefined }
    },
    setTimer: (call, millis) => {
      ids += 1
      timers.set(ids, { call, millis })
      return ids
    },
    clearTimer: (timer) => void timers.delete(timer as number),
    random: () => 0.5,
    onConnected: (connected) => told.push(connected ? 'connected' : 'lost'),
    ...more,
  })
  const fire = (millis: number) => {
    const [id, timer] = [...timers].find(([, one]) => one.millis === millis)!
    timers.delete(id)
    timer.call()
  }
  return {
    client,
    sent,
    told,
    fire,
    waits: () => [...timers.values()].map(({ millis }) => millis),
    sockets: () => sockets,
    receive: (message: object) => events!.onText(JSON.stringify(message)),
    end: () => events!.onEnd(),
  }
}

const WELCOME = { type: 'welcome', connection_id: 'con_a', server_time_ms: 0, heartbeat_ms: 15_000, protocol: '1' }
const event = (prev_seq: number, seq: number, data: unknown = seq, epoch = 'e') => ({
  type: 'event',
  sid: 's',
  epoch,
  prev_seq,
  seq,
  data,
})
const subscribed = (seq: number, mode = 'snapshot') => ({
  type: 'subscribed',
  id: '1',
  sid: 's',
  topic: 'index.price',
  mode,
  epoch: 'e',
  seq,
  effective: {},
})

let world: ReturnType<typeof newWorld>
let got: unknown[]
let gaps: number

beforeEach(() => {
  world = newWorld()
  got = []
  gaps = 0
})

function follow(topic: 'index.price' | 'market.ticker' = 'index.price') {
  const end = world.client.subscribe(topic, {}, { onData: (data) => got.push(data), onGap: () => (gaps += 1) })
  world.client.start()
  world.receive(WELCOME)
  world.receive(subscribed(10))
  return end
}

describe('messages', () => {
  test('are taken in order; a repetition is not taken twice', () => {
    follow()
    world.receive({ ...event(0, 10, 'snapshot'), type: 'snapshot' })
    for (const [prev_seq, seq] of [
      [10, 11],
      [11, 15],
      [11, 15],
      [9, 11],
      [15, 16],
    ] as const)
      world.receive(event(prev_seq, seq))
    expect(got).toEqual(['snapshot', 11, 15, 16])
    expect(gaps).toBe(0)
  })

  test('one that does not follow makes the subscription begin again, without a place to resume from', () => {
    follow()
    world.receive(event(12, 13))
    expect([got, gaps]).toEqual([[], 1])
    expect(world.sent.slice(1)).toEqual([
      { op: 'unsubscribe', id: '1', sid: 's' },
      { op: 'subscribe', id: '1', topic: 'index.price' },
    ])
    world.receive(subscribed(13))
    world.receive(event(13, 14))
    expect(got).toEqual([14])
  })

  test('of a topic of whole states need not follow each other', () => {
    follow('market.ticker')
    world.receive(event(40, 50))
    expect([got, gaps]).toEqual([[50], 0])
  })

  test('that the service gave up are told, and what follows is taken', () => {
    follow()
    world.receive({ type: 'gap', sid: 's', from_seq: 10, to_seq: 30, reason: 'slow_consumer' })
    world.receive(event(30, 31))
    expect([got, gaps]).toEqual([[31], 1])
  })

  test('that never came are found by the heartbeat', () => {
    follow()
    const beat = (last_seq: number) =>
      world.receive({ type: 'heartbeat', server_time_ms: 0, subscriptions: [{ sid: 's', last_seq }] })
    beat(10)
    expect(gaps).toBe(0)
    beat(11)
    expect([gaps, world.sent.at(-1)]).toEqual([1, { op: 'subscribe', id: '1', topic: 'index.price' }])
  })
})

describe('the connection', () => {
  test('that ends is opened again after a pause, and resumes behind the last message', () => {
    follow()
    world.receive(event(10, 11))
    world.end()
    expect(world.told).toEqual(['connected', 'lost'])
    world.fire(375) // half of 500 ms, and half of the other half
    expect(world.sockets()).toBe(2)
    world.receive(WELCOME)
    expect(world.sent.at(-1)).toEqual({
      op: 'subscribe',
      id: '1',
      topic: 'index.price',
      resume: { epoch: 'e', after_seq: 11 },
    })
    world.receive(subscribed(11, 'resumed'))
    world.receive(event(11, 12))
    expect([got, gaps, world.told.at(-1)]).toEqual([[11, 12], 0, 'connected'])
  })

  test('that could not resume is a gap', () => {
    follow()
    world.end()
    world.fire(375)
    world.receive(WELCOME)
    world.receive(subscribed(99))
    world.receive(event(99, 100))
    expect([got, gaps]).toEqual([[100], 1])
  })

  test('that is silent for two and a half heartbeats is lost', () => {
    follow()
    expect(world.waits()).toContain(37_500)
    world.fire(37_500)
    expect(world.told.at(-1)).toBe('lost')
  })

  test('that fails again and again is tried more rarely, and a stopped one never', () => {
    world.client.start()
    for (const millis of [375, 750, 1500]) {
      world.end()
      world.fire(millis)
    }
    world.end()
    world.client.stop()
    expect(world.waits()).toEqual([])
    expect(world.sockets()).toBe(4)
  })

  test('ends a subscription that nobody wants any more', () => {
    follow()()
    expect(world.sent.at(-1)).toEqual({ op: 'unsubscribe', id: '1', sid: 's' })
    world.receive(event(10, 11))
    expect(got).toEqual([])
  })

  test('asks again when the service could not subscribe just now', () => {
    world.client.subscribe('index.price', {}, { onData: () => undefined, onGap: () => undefined })
    world.client.start()
    world.receive(WELCOME)
    const error = { code: 'SERVICE_UNAVAILABLE', message: 'm', retryable: true, request_id: 'r' }
    world.receive({ type: 'error', id: '1', error })
    world.fire(2000)
    expect(world.sent.map(({ op }) => op)).toEqual(['subscribe', 'subscribe'])
  })
})

describe('an account', () => {
  const HELLO = { key_id: 'key_a', timestamp: '1', nonce: 'n', signature_version: 'v1', signature: 's' }
  const authenticated = { type: 'authenticated', id: 'auth', account_id: 'acct_a', key_id: 'key_a', scopes: [] }

  test('says who it is on every connection before it asks for anything, and goes on from where it was read', async () => {
    world = newWorld({ authenticate: async () => HELLO })
    const listener = { onData: (data: unknown) => got.push(data), onGap: () => (gaps += 1) }
    world.client.subscribe('account.order', {}, listener, { epoch: 'e', seq: 10 })
    world.client.start()
    world.receive(WELCOME)
    await Promise.resolve()
    expect(world.sent).toEqual([{ op: 'auth', id: 'auth', ...HELLO }])
    world.receive(authenticated)
    const resume = { epoch: 'e', after_seq: 10 }
    expect(world.sent[1]).toEqual({ op: 'subscribe', id: '1', topic: 'account.order', resume })
    world.receive(subscribed(10, 'resumed'))
    world.receive(event(7, 12))
    expect([got, gaps, world.told]).toEqual([[12], 0, ['connected']])
    world.receive(event(13, 14))
    expect([got, gaps]).toEqual([[12], 1])
  })

  test('that the service does not take is told once, and nothing is asked for', async () => {
    const refused: string[] = []
    world = newWorld({ authenticate: async () => HELLO, onRefused: ({ code }) => refused.push(code) })
    world.client.subscribe('account.order', {}, { onData: () => undefined, onGap: () => undefined })
    world.client.start()
    world.receive(WELCOME)
    await Promise.resolve()
    const error = { code: 'AUTH_CREDENTIALS_INVALID', message: 'why', retryable: false, request_id: 'r' }
    world.receive({ type: 'error', id: 'auth', error })
    world.end()
    expect([refused, world.sent.length, world.sockets()]).toEqual([['AUTH_CREDENTIALS_INVALID'], 1, 1])
  })
})
