import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeLog, type FakeReader, fakeReader } from './fake-reader.ts'
import { bookRow, CATALOG, levelRow, quoteRow } from './small-world.ts'
import { StreamClient } from './stream-client.ts'
import { type RunningStream, startStream } from './stream-server.ts'

const PRICE = { op: 'subscribe', id: '1', topic: 'index.price', index_id: 'idx_a' } as const
const EPOCH = 'epoch-1-index_observation'
const seq = (version: number, ordinal = 0) => version * 2 ** 20 + ordinal

let log: FakeLog
let reader: FakeReader
let server: RunningStream
let client: StreamClient

beforeEach(async () => {
  log = new FakeLog()
  for (let tick = 1; tick <= 5; tick += 1)
    log.append('index_observation', [levelRow('idx_b', tick), levelRow('idx_a', tick)])
  reader = fakeReader(log, CATALOG)
  server = await startStream(reader)
  client = await StreamClient.open(server.url)
})

afterEach(async () => {
  await client.close()
  await server.stop()
  expect(server.failures).toEqual([])
})

async function resumed(message: Parameters<StreamClient['ask']>[0]) {
  const subscribed = await client.ask(message)
  await client.ask({ op: 'ping', id: 'p' })
  const later = client.said.slice(2, -1).map(({ type, kind, seq }) => [type, kind, seq])
  return { subscribed, later }
}

test('what is kept after the position is sent again, as it was sent first', async () => {
  const other = await StreamClient.open(server.url)
  await other.ask(PRICE)
  log.append('index_observation', [levelRow('idx_a', 6)])
  reader.catchUp()
  const first = await other.next(({ type }) => type === 'event')
  const { subscribed, later } = await resumed({ ...PRICE, resume: { epoch: EPOCH, after_seq: seq(4, 1) } })
  expect(subscribed).toMatchObject({ mode: 'resumed', seq: seq(4, 1) })
  expect(later).toEqual([
    ['event', 'published', seq(5, 1)],
    ['event', 'published', seq(6)],
  ])
  expect(client.data().at(-1)).toEqual(first)
  await other.close()
})

test('at the head nothing is sent; a position from a server that is further waits for this one', async () => {
  const { subscribed, later } = await resumed({ ...PRICE, resume: { epoch: EPOCH, after_seq: seq(6) } })
  expect([subscribed.mode, later]).toEqual(['resumed', []])
  log.append('index_observation', [levelRow('idx_a', 6)])
  log.append('index_observation', [levelRow('idx_a', 7)])
  reader.catchUp()
  expect(await client.next(({ type }) => type === 'event')).toMatchObject({ seq: seq(7) })
})

test('a position that no server can have reached is refused', async () => {
  const { subscribed } = await resumed({ ...PRICE, resume: { epoch: EPOCH, after_seq: seq(999_999) } })
  expect(subscribed).toMatchObject({ error: { code: 'VALIDATION_MESSAGE_INVALID' } })
})

test('what is not kept any more is said, and a snapshot follows', async () => {
  reader.forget(1)
  const { subscribed, later } = await resumed({ ...PRICE, resume: { epoch: EPOCH, after_seq: seq(2, 1) } })
  expect(subscribed).toMatchObject({ mode: 'snapshot', seq: seq(5, 1) })
  expect(later).toEqual([
    ['gap', undefined, undefined],
    ['snapshot', 'snapshot', seq(5, 1)],
  ])
  expect(client.said[2]).toMatchObject({ from_seq: seq(2, 1), to_seq: seq(5, 1), reason: 'retention' })
})

test('the last message before what is kept is enough: the first one kept follows it', async () => {
  reader.forget(1)
  const { subscribed, later } = await resumed({ ...PRICE, resume: { epoch: EPOCH, after_seq: seq(4, 1) } })
  expect(subscribed.mode).toBe('resumed')
  expect(later).toEqual([['event', 'published', seq(5, 1)]])
})

test('of an index that was quiet nothing is missed, whatever else is not kept any more', async () => {
  for (let tick = 6; tick <= 9; tick += 1) log.append('index_observation', [levelRow('idx_b', tick)])
  reader.catchUp()
  reader.forget(1)
  const { subscribed, later } = await resumed({ ...PRICE, resume: { epoch: EPOCH, after_seq: seq(5, 1) } })
  expect([subscribed.mode, later]).toEqual(['resumed', []])
  log.append('index_observation', [levelRow('idx_a', 10)])
  reader.catchUp()
  const next = await client.next(({ seq: at }) => at === seq(10))
  expect(next).toMatchObject({ type: 'event', prev_seq: seq(5, 1) })
  const earlier = await StreamClient.open(server.url)
  const answer = await earlier.ask({ ...PRICE, resume: { epoch: EPOCH, after_seq: seq(4, 1) } })
  expect(answer).toMatchObject({ mode: 'snapshot' }) // a level of its own is missed, and not kept
  await earlier.close()
})

test('another epoch is another numbering', async () => {
  const { subscribed } = await resumed({ ...PRICE, resume: { epoch: 'other', after_seq: seq(99) } })
  expect(subscribed).toMatchObject({ mode: 'snapshot', epoch: EPOCH })
  expect(client.said[2]).toMatchObject({ type: 'gap', reason: 'epoch_changed' })
})

test('a topic of whole states resumes with the newest one', async () => {
  log.append('market_quote', [quoteRow('mkt_1', 1)])
  log.append('market_quote', [quoteRow('mkt_1', 2)])
  reader.catchUp()
  const ticker = { op: 'subscribe', id: '1', topic: 'market.ticker', market_id: 'mkt_1' }
  const resume = { epoch: 'epoch-1-market_quote', after_seq: seq(1) }
  const { subscribed, later } = await resumed({ ...ticker, resume })
  expect([subscribed.mode, later]).toEqual(['snapshot', [['snapshot', 'snapshot', seq(2)]]])
})

test('all indexes resume as one sequence', async () => {
  const { later } = await resumed({
    op: 'subscribe',
    id: '1',
    topic: 'index.price',
    resume: { epoch: EPOCH, after_seq: seq(4) },
  })
  expect(later.map(([, , at]) => at)).toEqual([seq(4, 1), seq(5), seq(5, 1)])
  expect(client.data().map(({ prev_seq }) => prev_seq)).toEqual([seq(4), seq(4, 1), seq(5)])
})

test('deltas that are sent again are taken from the same books', async () => {
  for (let at = 1; at <= 4; at += 1) log.append('order_book', [bookRow('mkt_1', at, { 40: at }, { 60: 1 })])
  reader.catchUp()
  const book = { op: 'subscribe', id: '1', topic: 'market.orderbook', market_id: 'mkt_1', outcome_id: 'out_mkt_1_yes' }
  await resumed({ ...book, resume: { epoch: 'epoch-1-order_book', after_seq: seq(2) } })
  expect(client.data().map(({ kind, prev_seq, seq }) => [kind, prev_seq, seq])).toEqual([
    ['delta', seq(2), seq(3)],
    ['delta', seq(3), seq(4)],
  ])
})
