import { getEventListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createGate } from '../../../client/http/gate.ts'
import { createPublicApi } from '../../../client/http/public-api.ts'
import { isServiceError } from '../../../primitives/errors.ts'

let server: Server | null = null
afterEach(() => server?.close())

/** A service that gives these answers one after the other, the last one for ever; and the paths it was asked for. */
async function answering(...answers: readonly (readonly [status: number, body: unknown])[]) {
  const asked: string[] = []
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const [status, body] = answers[Math.min(asked.length, answers.length - 1)]!
    asked.push(request.url!)
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const waits: [wait_ms: number, code: string][] = []
  const base_url = `http://127.0.0.1:${(server!.address() as AddressInfo).port}/`
  const api = createPublicApi(base_url, undefined, (wait_ms, code) => waits.push([wait_ms, code]))
  return { api, asked, waits }
}

const refusal = (code: string, retryable: boolean, more = {}) => ({
  error: { code, message: code, retryable, ...more },
})
const code = (wanted: Parameters<typeof isServiceError>[1]) => (error: unknown) => isServiceError(error, wanted)

test('a refusal for rate is waited out, however often, and each wait is reported', async () => {
  const slow = [429, refusal('RATE_LIMIT_EXCEEDED', true, { retry_after_ms: 1 })] as const
  const { api, asked, waits } = await answering(...Array.from({ length: 3 }, () => slow), [200, { data: { n: 1 } }])
  expect(await api.read('/time')).toEqual({ n: 1 })
  expect(asked).toHaveLength(4)
  // A service that keeps refusing after its own wait is asked less often.
  expect(waits).toEqual([25, 50, 100].map((wait_ms) => [wait_ms, 'RATE_LIMIT_EXCEEDED']))
})

test('requests that were refused for rate are repeated one at a time', async () => {
  const refused = new Set<string>()
  const repeats = { running: 0, most: 0 }
  server = createServer(({ url = '' }: IncomingMessage, response: ServerResponse) => {
    if (!refused.has(url)) {
      refused.add(url)
      response.writeHead(429).end(JSON.stringify(refusal('RATE_LIMIT_EXCEEDED', true, { retry_after_ms: 1 })))
      return
    }
    repeats.running += 1
    repeats.most = Math.max(repeats.most, repeats.running)
    setTimeout(() => {
      repeats.running -= 1
      response.writeHead(200).end(JSON.stringify({ data: { url } }))
    }, 5)
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const api = createPublicApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const names = Array.from({ length: 16 }, (_, n) => `/time?n=${n}`)
  expect(await Promise.all(names.map((name) => api.read(name)))).toEqual(names.map((name) => ({ url: `/v1${name}` })))
  expect([refused.size, repeats.most]).toEqual([16, 1])
})

test('what may pass is asked again a few times, then told', async () => {
  const busy = [503, refusal('SERVICE_UNAVAILABLE', true, { retry_after_ms: 1 })] as const
  const { api, asked } = await answering(busy)
  await expect(api.read('/time')).rejects.toSatisfy(code('SERVICE_UNAVAILABLE'))
  expect(asked).toHaveLength(5)
})

test('what will not pass is told at once, with its own code; what is absent is null where that is asked', async () => {
  const { api, asked } = await answering([404, refusal('MARKET_NOT_FOUND', false)])
  await expect(api.read('/markets/mkt_x')).rejects.toSatisfy(code('MARKET_NOT_FOUND'))
  expect(await api.find('/markets/mkt_x')).toBeNull()
  expect(asked).toHaveLength(2)
})

test.each([
  ['a page of somebody else', 200, '<html>'],
  ['JSON of somebody else', 200, { hello: 1 }],
  ['no such route', 404, refusal('ROUTE_NOT_FOUND', false)],
])('%s is not this API', async (_, status, body) => {
  const { api } = await answering([status, body])
  await expect(api.find('/time')).rejects.toSatisfy(code('SERVICE_UNAVAILABLE'))
})

test('a list follows its cursors and leaves out parameters without a value', async () => {
  const { api, asked } = await answering(
    [200, { data: [{ n: 1 }, { n: 2 }], page: { next_cursor: 'c', has_more: true } }],
    [200, { data: [{ n: 3 }], page: { next_cursor: null, has_more: false } }],
  )
  expect(await api.list('/markets', { status: undefined, venue_id: 'a b' })).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(asked).toEqual(['/v1/markets?venue_id=a+b&limit=1000', '/v1/markets?venue_id=a+b&limit=1000&cursor=c'])
})

describe('a page that is too large for the service', () => {
  const busy = [503, refusal('QUERY_TIMEOUT', true, { retry_after_ms: 1 })] as const
  const large = [422, refusal('VALIDATION_QUERY_LIMIT', false)] as const
  const page = (next_cursor: string | null) => [200, { data: [{ n: 1 }], page: { next_cursor } }] as const
  const limits = (asked: readonly string[]) => asked.map((path) => new URLSearchParams(path.split('?')[1]).get('limit'))

  test('is asked for again with half the records, and the next ones too', async () => {
    const { api, asked, waits } = await answering(busy, large, page('a'), busy, page(null))
    expect(await api.list('/markets')).toEqual([{ n: 1 }, { n: 1 }])
    expect(limits(asked)).toEqual(['1000', '500', '250', '250', '125'])
    expect(waits.map(([, why]) => why)).toEqual(['QUERY_TIMEOUT', 'VALIDATION_QUERY_LIMIT', 'QUERY_TIMEOUT'])
  })

  test('grows again after four pages that pass, up to the largest', async () => {
    const passing = Array.from({ length: 9 }, (_, n) => page(String(n)))
    const { api, asked } = await answering(busy, busy, ...passing, page(null))
    await api.list('/markets')
    const of_one_size = (limit: string) => limits(asked).filter((one) => one === limit).length
    expect(['1000', '500', '250'].map(of_one_size)).toEqual([3, 5, 4])
  })

  test('of one record is asked for a few times, then told; so is a read without pages', async () => {
    const { api, asked } = await answering(busy)
    await expect(api.list('/markets')).rejects.toSatisfy(code('QUERY_TIMEOUT'))
    expect(limits(asked)).toEqual([...'1000 500 250 125 62 31 15 7 3 1'.split(' '), ...'1111'])
    await expect(api.read('/markets')).rejects.toSatisfy(code('QUERY_TIMEOUT'))
    expect(asked).toHaveLength(14 + 5)
  })
})

test('no more requests than the gate is wide, in the order in which they came', async () => {
  const gate = createGate(3)
  const started: number[] = []
  let [running, most] = [0, 0]
  const task = async (n: number) => {
    started.push(n)
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, n % 3))
    running -= 1
    if (n === 4) throw new TypeError('one of them fails')
    return n
  }
  const ended = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => gate(() => task(n))))
  expect(most).toBe(3)
  expect(started).toEqual([...Array(12).keys()])
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1)
})

describe('tasks that wait at a gate for one signal', () => {
  const forever = () => new Promise<never>(() => undefined)
  const withResolvers = () => {
    let resolve: () => void = () => undefined
    const promise = new Promise<void>((settle) => {
      resolve = settle
    })
    return { promise, resolve }
  }

  test('have one listener, which goes with the last of them', async () => {
    const gate = createGate(1)
    const { signal } = new AbortController()
    const { promise, resolve } = withResolvers()
    const first = gate(() => promise, signal)
    const others = Array.from({ length: 20 }, () => gate(async () => undefined, signal))
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    resolve()
    await Promise.all([first, ...others])
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  test('end with it, and the tasks of another signal go on', async () => {
    const gate = createGate(1)
    const [ended, other] = [new AbortController(), new AbortController()]
    void gate(forever, ended.signal)
    const waiting = [1, 2].map(() => gate(async () => 'done', ended.signal))
    const going = gate(async () => 'done', other.signal)
    const results = Promise.allSettled(waiting)
    ended.abort(new Error('it was stopped'))
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(gate(async () => 'done', ended.signal)).rejects.toThrow('it was stopped')
    expect(getEventListeners(other.signal, 'abort')).toHaveLength(1)
    void going
  })
})

test('an answer with a doubled key is refused by name and not asked for again', async () => {
  const { api, asked } = await answering([200, '{"data":{"level":"1","level":"2"}}'])
  await expect(api.read('/time')).rejects.toThrow('answered 200 with a body that has the key "level" twice')
  expect(asked).toHaveLength(1)
})
