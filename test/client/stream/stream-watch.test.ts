import { afterEach, expect, test, vi } from 'vitest'
import { createAccountStream } from '../../../client/trading/stream/account-stream.ts'
import type { StreamWatch } from '../../../client/trading/stream/stream-socket.ts'
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
