import { afterEach, expect, test, vi } from 'vitest'
import { STREAM_LIMITS } from '../../../api/stream/stream-limits.ts'
import { FakeLog, fakeReader } from './fake-reader.ts'
import { bookRow, CATALOG, levelRow, quoteRow } from './small-world.ts'
import { FollowedSubscription, StreamClient } from './stream-client.ts'
import { type RunningStream, startStream } from './stream-server.ts'

const BOUND = 256 * 1024
/** Most bytes that the kernels of both sides may buffer for one connection. */
const KERNEL_MAX = 16 * 1024 * 1024
const PRICE = { op: 'subscribe', id: '1', topic: 'index.price', index_id: 'idx_a' } as const
const BOOK = { op: 'subscribe', id: '2', topic: 'market.orderbook', market_id: 'mkt_1', outcome_id: 'out_mkt_1_yes' }
const TICKER = { op: 'subscribe', id: '3', topic: 'market.ticker', market_id: 'mkt_1' }

/** The clock of the server stands still until a test moves it: how long the pumping takes says nothing of the socket. */
const clock = { now_ms: Date.now() }
const ENDED_MS = 50_000
let server: RunningStream
afterEach(async () => {
  await server.stop()
  expect(server.failures).toEqual([])
})

/** Levels that are worth 32 kB each, so that a few hundred fill a socket. */
const wide = (tick: number) => levelRow('idx_a', tick, { reason_codes: ['x'.repeat(32 * 1024)] })

async function slowWorld(limits: Parameters<typeof startStream>[1] = {}) {
  const log = new FakeLog()
  log.append('index_observation', [levelRow('idx_a', 0)])
  const reader = fakeReader(log, CATALOG)
  const now = () => clock.now_ms
  server = await startStream(reader, { ...limits, now, limits: { buffered_bytes_max: BOUND, ...limits.limits } })
  const client = await StreamClient.open(server.url)
  /** Commits a tick of everything again and again; gives the most that waited. */
  const pump = async (ticks: number, from: number) => {
    let buffered_max = 0
    for (let tick = from; tick < from + ticks; tick += 1) {
      log.append('index_observation', [wide(tick)])
      log.append('order_book', [bookRow('mkt_1', tick, { [1 + (tick % 90)]: tick }, { 99: tick })])
      log.append('market_quote', [quoteRow('mkt_1', tick)])
      reader.catchUp()
      buffered_max = Math.max(buffered_max, server.stream.stats().buffered_bytes)
      if (tick % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    return buffered_max
  }
  return { log, reader, client, pump }
}

test('what waits for a socket that does not read is bounded; then the gap is said and fresh snapshots follow', async () => {
  const { client, reader, pump } = await slowWorld()
  await client.ask(PRICE)
  await client.ask(BOOK)
  await client.ask(TICKER)
  client.socket.pause()
  const buffered_max = await pump(500, 1)
  expect(buffered_max).toBeGreaterThan(BOUND / 2)
  expect(buffered_max).toBeLessThanOrEqual(BOUND)
  client.socket.resume()
  const head = reader.feed.head('order_book')
  await client.next(
    ({ type, sid, seq }) => sid === 'market.orderbook:mkt_1:out_mkt_1_yes' && type === 'snapshot' && seq === head,
  )
  await client.next(({ topic, seq }) => topic === 'market.ticker' && seq === reader.feed.head('market_quote'))
  await client.next(
    ({ topic, type, seq }) =>
      topic === 'index.price' && type === 'snapshot' && seq === reader.feed.head('index_observation'),
  )
  await pump(5, 2000)
  await client.ask({ op: 'ping', id: 'end' })

  const price = new FollowedSubscription()
  const book = new FollowedSubscription()
  for (const said of client.said) {
    if (said.sid === 'index.price:idx_a') price.hear(said)
    if (said.sid === 'market.orderbook:mkt_1:out_mkt_1_yes') book.hear(said)
  }
  for (const followed of [price, book]) {
    expect(followed.gaps).toMatchObject([{ reason: 'slow_consumer' }])
    const { from_seq, to_seq } = followed.gaps[0] as unknown as { from_seq: number; to_seq: number }
    expect(followed.taken.map(({ seq }) => seq)).toContain(from_seq)
    expect(to_seq).toBeGreaterThan(from_seq)
    expect([followed.missing, followed.repeated]).toEqual([[], []])
  }
  const stored = reader.latest.book('mkt_1', 'out_mkt_1_yes')!
  expect(book.book).toMatchObject({ sequence: stored.seq, bids: [{ quantity: '2004.000000' }] })

  // A conflated topic has no gap and ends with the newest, in order.
  const ticks = client.data('market.ticker:mkt_1').map(({ seq }) => seq)
  expect(ticks.length).toBeLessThan(500)
  expect(ticks).toEqual([...ticks].sort((a, b) => a - b))
  expect(ticks.at(-1)).toBe(reader.feed.head('market_quote'))
  await client.close()
}, 120_000)

test('a socket that takes nothing for too long is told and ended, and frees what waited for it', async () => {
  const { client, pump } = await slowWorld()
  await client.ask(PRICE)
  client.socket.pause()
  expect(await pump(600, 1)).toBeGreaterThan(0)
  clock.now_ms += STREAM_LIMITS.stalled_ms - 1
  // Two looks of the server at its sockets.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(server.stream.stats().connections).toBe(1)
  clock.now_ms += 1
  await vi.waitFor(() => expect(server.stream.stats()).toMatchObject({ connections: 0, buffered_bytes: 0 }), ENDED_MS)
  expect(server.stream.stats().ended).toEqual({ 1013: 1 })
  expect(server.stream.stats().dropped).toBeGreaterThan(0)
  await client.close()
}, 120_000)

test('a client that asks and does not read the answers is ended', async () => {
  const { client } = await slowWorld({ limits: { messages: { rate: 1e9, burst: 1e9 } } })
  client.socket.pause()
  // Its answer repeats the field and its value: the longer it is, the fewer of them fill the kernels.
  const unknown = '☂'.repeat(80)
  const question = JSON.stringify({ op: 'ping', id: 'x'.repeat(64), [unknown]: unknown })
  const bytes_max = KERNEL_MAX + BOUND
  const at_once = 100
  for (let sent = 0; sent < bytes_max && server.stream.stats().connections > 0; sent += at_once * question.length) {
    for (let n = 0; n < at_once; n++) client.send(question)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await vi.waitFor(() => expect(server.stream.stats().connections).toBe(0), ENDED_MS)
  await client.close()
}, 120_000)
