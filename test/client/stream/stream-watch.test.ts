import { afterEach, describe, expect, test, vi } from 'vitest'
import { createPublicStream } from '../../../client/stream/public-stream.ts'
import { createAccountStream } from '../../../client/trading/stream/account-stream.ts'
import type { StreamSocket, StreamWatch } from '../../../client/trading/stream/stream-socket.ts'
import { FakeStream } from './fake-stream.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const KEY = { key_id: 'key_0123456789abcdef', environment: 'sandbox', secret: '5e'.repeat(32) }
/** Opens the stream of an account and keeps what its watcher hears. */
function watched(service: FakeStream, more: StreamWatch = {}) {
  const said: string[] = []
  const stream = createAccountStream({
    base_url: 'http://service.example',
    key: { ...KEY, algorithm: 'hmac-sha256' },
    open: service.open,
    retry_ms: { first: 5, max: 10 },
    onState: (state) => said.push(state),
    onProblem: ({ code, message }) => said.push(`${code} ${message}`),
    ...more,
  })
  return { stream, said }
}

test('a fault of a listener is thrown on its own: the connection stays, and others hear everything', async () => {
  const thrown: unknown[] = []
  const later = queueMicrotask
  vi.stubGlobal('queueMicrotask', (work: () => void) =>
    later(() => {
      try {
        work()
      } catch (error) {
        thrown.push(error)
      }
    }),
  )
  const service = new FakeStream(true, true)
  const { stream, said } = watched(service)
  const bug = new Error('a fault of the listener')
  stream.follow('account.fill', () => {
    throw bug
  })
  const heard: string[] = []
  stream.follow('account.fill', ({ type }) => heard.push(type))
  await vi.waitUntil(() => heard.length === 1)
  service.publish('sent')
  await vi.waitUntil(() => heard.length === 2)
  expect(heard).toEqual(['snapshot', 'event'])
  expect(thrown).toEqual([bug, bug])
  expect(said).toEqual(['connected'])
  stream.close()
})

test('a fault of the watcher is thrown on its own: the stream connects again', async () => {
  const thrown: unknown[] = []
  vi.stubGlobal('queueMicrotask', (work: () => void) =>
    Promise.resolve()
      .then(work)
      .catch((error) => thrown.push(error)),
  )
  const bug = new Error('a fault of the watcher')
  const service = new FakeStream(true, true)
  const onProblem = () => {
    throw bug
  }
  const { stream, said } = watched(service, { onProblem })
  stream.follow('account.fill', () => undefined)
  await vi.waitUntil(() => service.asked.some(({ op }) => op === 'subscribe'))
  service.cut()
  await vi.waitUntil(() => said.length === 3)
  expect(said).toEqual(['connected', 'disconnected', 'connected'])
  expect(thrown).toEqual([bug])
  stream.close()
})

test('a watcher hears why the service closes a connection, and when the next one is ready', async () => {
  const service = new FakeStream(true, true)
  const { stream, said } = watched(service)
  stream.follow('account.fill', () => undefined)
  await vi.waitUntil(() => service.asked.some(({ op }) => op === 'subscribe'))
  service.endWith('the key was revoked')
  await vi.waitUntil(() => said.length === 4)
  expect(said).toEqual([
    'connected',
    'disconnected',
    'SERVICE_UNAVAILABLE the service closes the connection: the key was revoked',
    'connected',
  ])
  stream.close()
})

test('a silent connection is asked for a sign of life, and lost without one', async () => {
  vi.useFakeTimers()
  const service = new FakeStream(true, true)
  const { stream, said } = watched(service, { silence_ms: 1_000 })
  await vi.advanceTimersByTimeAsync(4_900)
  expect(said).toEqual(['connected'])
  expect(service.asked.filter(({ op }) => op === 'ping')).toHaveLength(9)
  service.answers_pings = false
  await vi.advanceTimersByTimeAsync(1_101)
  expect(said.slice(0, 3)).toEqual(['connected', 'disconnected', 'SERVICE_UNAVAILABLE nothing came for 1000 ms'])
  stream.close()
  expect(() => watched(service, { silence_ms: 999 })).toThrow(
    'silence_ms is number 999; allowed: milliseconds, at least 1000',
  )
})

const EVENT = '"type":"event","sid":"s","kind":"k","event_id":"e","published_at":"t"'
const INTEGER = 'allowed: an integer from 0 to 9007199254740991'
const BROKEN = [
  [`{${EVENT},"seq":9,"data":{}}`, `prev_seq is undefined; ${INTEGER}`],
  [`{${EVENT},"prev_seq":"x","seq":9,"data":{}}`, `prev_seq is "x"; ${INTEGER}`],
  [`{${EVENT},"prev_seq":0,"seq":1e400,"data":{}}`, 'seq is number Infinity'],
  [`{${EVENT},"prev_seq":0,"seq":"9","data":{}}`, `seq is "9"; ${INTEGER}`],
  [`{${EVENT},"prev_seq":0,"seq":9007199254740992,"data":{}}`, 'seq is number 9007199254740992'],
  [`{${EVENT},"prev_seq":0,"seq":-1,"data":{}}`, 'seq is number -1'],
  [`{${EVENT},"prev_seq":0,"seq":9,"data":null}`, 'data is null; allowed: an object'],
  ['{"type":"snapshot","sid":"s","data":{}}', 'seq is undefined'],
  ['{"type":"gap","sid":"s","from_seq":1}', 'to_seq is undefined'],
  ['{"type":"heartbeat"}', 'it lacks what it must have'],
  ['{"type":"heartbeat","subscriptions":[{"sid":"s","last_seq":null}]}', 'last_seq is null'],
  ['{"type":"event"', 'it is no JSON object'],
  ['5', 'it is no JSON object'],
] as const

describe.each([true, false])('a stream, private: %s', (is_private) => {
  const followed = (open: FakeStream['open'], more: StreamWatch) => {
    const seqs: number[] = []
    const given = { base_url: 'http://service.example', open, ...more }
    if (is_private) {
      const stream = createAccountStream({ ...given, key: { ...KEY, algorithm: 'hmac-sha256' } })
      stream.follow('account.fill', (change) => void (change.type === 'event' && seqs.push(change.seq)))
      return { stream, seqs }
    }
    const stream = createPublicStream(given)
    void (async () => {
      for await (const change of stream.follow('index.price')) if (change.type === 'event') seqs.push(change.seq)
    })()
    return { stream, seqs }
  }

  test.each(BROKEN)('tells one problem of %s, and misses nothing after it', async (text, problem) => {
    const service = new FakeStream(true, is_private)
    const said: string[] = []
    const { stream, seqs } = followed(service.open, {
      retry_ms: { first: 0, max: 1 },
      onProblem: ({ code, message }) => said.push(`${code} ${message}`),
    })
    await vi.waitUntil(() => service.asked.some(({ op }) => op === 'subscribe'))
    service.publish('sent')
    service.sayText(text)
    await vi.waitUntil(() => said.length > 0)
    service.publish('sent')
    await vi.waitUntil(() => seqs.length === 2)
    expect(seqs).toEqual(service.log)
    expect(said).toEqual([
      expect.stringContaining(`SERVICE_UNAVAILABLE a message is not as this API sends them: ${problem}`),
    ])
    stream.close()
  })

  test.each([
    ['nothing after its subscription', null],
    ['a state and then half a message', '{'],
  ])('asks a service ever less often that sends %s', async (_, text) => {
    vi.useFakeTimers()
    const service = new FakeStream(text !== null, is_private)
    let opened = 0
    const open = (): StreamSocket => {
      opened += 1
      setTimeout(() => (text === null ? service.cut() : service.sayText(text)), 1)
      return service.open()
    }
    const { stream } = followed(open, { retry_ms: { first: 100, max: 10_000 } })
    await vi.advanceTimersByTimeAsync(3_000)
    expect(opened).toBe(5)
    stream.close()
  })
})
