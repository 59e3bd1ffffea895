import { Check } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CONTROL_MESSAGES, dataMessage } from '../../../protocol/stream/server-messages.ts'
import { TOPIC_NAMES, topicOf } from '../../../protocol/stream/topics.ts'
import { FakeLog, type FakeReader, fakeReader } from './fake-reader.ts'
import { bookRow, CATALOG, levelRow, quoteRow, second, tradeRow, versionRow } from './small-world.ts'
import { FollowedSubscription, type Said, StreamClient } from './stream-client.ts'
import { type RunningStream, startStream } from './stream-server.ts'

const YES = 'out_mkt_1_yes'
const BOOK = { topic: 'market.orderbook', market_id: 'mkt_1', outcome_id: YES }

let log: FakeLog
let reader: FakeReader
let server: RunningStream
let client: StreamClient

beforeEach(async () => {
  log = new FakeLog()
  reader = fakeReader(log, CATALOG)
  server = await startStream(reader)
  client = await StreamClient.open(server.url)
})

/** Whatever a test was about: every message fits its schema, and nothing failed inside. */
afterEach(async () => {
  for (const said of client.said) expect(said).toSatisfy(fitsSchema)
  await client.close()
  await server.stop()
  expect(server.failures).toEqual([])
})

const commit = (table: Parameters<FakeLog['append']>[0], ...rows: Parameters<FakeLog['append']>[1]) => {
  log.append(table, rows)
  reader.catchUp()
}
const seq = (version: number, ordinal = 0) => version * 2 ** 20 + ordinal
const settled = async () => client.ask({ op: 'ping', id: `settled-${client.said.length}` })
const events = () => client.data().filter(({ type }) => type === 'event')
const gist = () => events().map(({ sid, kind, prev_seq, seq }) => [sid, kind, prev_seq, seq])

describe('index.price', () => {
  test('a snapshot, then each level and each correction, chained; other indexes are left out', async () => {
    commit('index_observation', levelRow('idx_a', 1))
    const subscribed = await client.ask({ op: 'subscribe', id: '1', topic: 'index.price', index_id: 'idx_a' })
    expect(subscribed).toMatchObject({
      type: 'subscribed',
      sid: 'index.price:idx_a',
      mode: 'snapshot',
      seq: seq(1),
      effective: { index_id: 'idx_a' },
    })
    commit('index_observation', levelRow('idx_b', 2), levelRow('idx_a', 2))
    commit('index_observation', levelRow('idx_a', 1, { revision: 2, level: '7.0000' }))
    await settled()
    expect(client.data()[0]).toMatchObject({ type: 'snapshot', seq: seq(1), prev_seq: 0, data: { level: '1.0000' } })
    expect(gist()).toEqual([
      ['index.price:idx_a', 'published', seq(1), seq(2, 1)],
      ['index.price:idx_a', 'corrected', seq(2, 1), seq(3)],
    ])
  })

  test('without a filter every index, numbered as one sequence', async () => {
    commit('index_observation', levelRow('idx_b', 1), levelRow('idx_a', 1))
    await client.ask({ op: 'subscribe', id: '1', topic: 'index.price' })
    commit('index_observation', levelRow('idx_a', 2), levelRow('idx_b', 2))
    await settled()
    expect(client.data().slice(0, 2)).toMatchObject([{ seq: seq(1) }, { seq: seq(1, 1) }])
    expect(gist()).toEqual([
      ['index.price', 'published', seq(1, 1), seq(2)],
      ['index.price', 'published', seq(2), seq(2, 1)],
    ])
  })

  test('the id of a message is the same under either filter, and the snapshot of the same place has another', async () => {
    await client.ask({ op: 'subscribe', id: '1', topic: 'index.price' })
    await client.ask({ op: 'subscribe', id: '2', topic: 'index.price', index_id: 'idx_a' })
    commit('index_observation', levelRow('idx_a', 1))
    await settled()
    const other = await StreamClient.open(server.url)
    await other.ask({ op: 'subscribe', id: '1', topic: 'index.price', index_id: 'idx_a' })
    await other.ask({ op: 'ping', id: 'p' })
    const [first, second, snapshot] = [...events(), ...other.data()].map(({ event_id }) => event_id)
    expect(first).toBe(second)
    expect(snapshot).not.toBe(first)
    await other.close()
  })
})

test('index.status: only what changes the quality of the newest level', async () => {
  commit('index_observation', levelRow('idx_a', 1))
  await client.ask({ op: 'subscribe', id: '1', topic: 'index.status', index_id: 'idx_a' })
  commit('index_observation', levelRow('idx_a', 2))
  commit('index_observation', levelRow('idx_a', 3, { quality_state: 'stale' }))
  // An older tick is corrected: the newest level's quality did not change.
  commit('index_observation', levelRow('idx_a', 2, { revision: 2, quality_state: 'suspended' }))
  commit('index_observation', levelRow('idx_a', 4, { quality_state: 'valid' }))
  await settled()
  expect(client.data().map(({ type, data }) => [type, data.quality_state, data.tick_at])).toEqual([
    ['snapshot', 'valid', second(1)],
    ['event', 'stale', second(3)],
    ['event', 'valid', second(4)],
  ])
})

test('index.rebalance: the version in force, then every version that is published', async () => {
  await client.ask({ op: 'subscribe', id: '1', topic: 'index.rebalance', index_id: 'idx_a' })
  commit('index_version', versionRow('idx_a', '2'))
  await settled()
  expect(client.data().map(({ type, data }) => [type, data.index_version_id])).toEqual([
    ['snapshot', 'idv_idx_a'],
    ['event', 'idv_idx_a'],
  ])
})

describe('market.ticker', () => {
  test('one message per market and commit, of the newest quotes', async () => {
    commit('market_quote', quoteRow('mkt_1', 1))
    await client.ask({ op: 'subscribe', id: '1', topic: 'market.ticker', market_id: 'mkt_1' })
    commit('market_quote', quoteRow('mkt_1', 2), quoteRow('mkt_2', 2), quoteRow('mkt_1', 3, { bid: '0.450000000' }))
    await settled()
    expect(gist()).toEqual([['market.ticker:mkt_1', 'changed', seq(1), seq(2, 2)]])
    expect(events()[0]!.data.outcomes).toMatchObject([{ best_bid: '0.450000000' }, {}])
  })

  test('markets whose venue keeps its prices are not asked for and not part of all', async () => {
    commit('market_quote', quoteRow('mkt_private', 1, { venue_id: 'predictit' }))
    expect(
      await client.ask({ op: 'subscribe', id: '1', topic: 'market.ticker', market_id: 'mkt_private' }),
    ).toMatchObject({
      type: 'error',
      error: { code: 'SOURCE_NOT_PUBLIC' },
    })
    await client.ask({ op: 'subscribe', id: '2', topic: 'market.ticker' })
    commit('market_quote', quoteRow('mkt_private', 2, { venue_id: 'predictit' }), quoteRow('mkt_1', 2))
    await settled()
    expect(client.data().map(({ data }) => data.market_id)).toEqual(['mkt_1'])
  })
})

test('market.trade: trades and what voids them, without a snapshot, only where terms let single trades out', async () => {
  for (const [id, market_id] of Object.entries({ a: 'mkt_play', b: 'mkt_private' })) {
    const answer = await client.ask({ op: 'subscribe', id, topic: 'market.trade', market_id })
    expect(answer).toMatchObject({ error: { code: 'SOURCE_NOT_PUBLIC' } })
  }
  await client.ask({ op: 'subscribe', id: '1', topic: 'market.trade', market_id: 'mkt_1' })
  commit('public_trade', tradeRow('mkt_1', 1), tradeRow('mkt_2', 1))
  commit('public_trade', tradeRow('mkt_1', 1, { revision: 2, correction_kind: 'void', supersedes_id: 'trd_mkt_1_1' }))
  await settled()
  expect(gist()).toEqual([
    ['market.trade:mkt_1', 'trade', 0, seq(1)],
    ['market.trade:mkt_1', 'void', seq(1), seq(2)],
  ])
})

describe('market.orderbook', () => {
  test('a snapshot with the REST sequence, then absolute sizes of what changed; "0" removes', async () => {
    commit('order_book', bookRow('mkt_1', 1, { 40: 5, 39: 7 }, { 60: 1 }))
    await client.ask({ op: 'subscribe', id: '1', ...BOOK })
    commit('order_book', bookRow('mkt_1', 2, { 41: 2, 40: 6 }, { 60: 1 }))
    await settled()
    const [snapshot, delta] = client.data()
    expect(snapshot).toMatchObject({ type: 'snapshot', seq: seq(1), data: { sequence: seq(1) } })
    expect(delta).toMatchObject({ kind: 'delta', prev_seq: seq(1), seq: seq(2) })
    expect(delta!.data).toMatchObject({
      sequence: seq(2),
      bids: [
        { price: '0.410000000', quantity: '2.000000' },
        { price: '0.400000000', quantity: '6.000000' },
        { price: '0.390000000', quantity: '0' },
      ],
      asks: [],
    })
  })

  test('the first book of an outcome is whole, and one that is stored late is no message', async () => {
    await client.ask({ op: 'subscribe', id: '1', ...BOOK })
    commit('order_book', bookRow('mkt_1', 5, { 40: 5 }, {}))
    commit('order_book', bookRow('mkt_1', 4, { 30: 1 }, {}))
    commit('order_book', bookRow('mkt_1', 6, { 40: 5, 20: 1 }, {}))
    await settled()
    expect(gist().map(([, ...rest]) => rest)).toEqual([
      ['snapshot', 0, seq(1)],
      ['delta', seq(1), seq(3)],
    ])
    const followed = new FollowedSubscription()
    for (const said of client.said) followed.hear(said)
    expect(followed.book?.bids.map(({ price }) => price)).toEqual(['0.400000000', '0.200000000'])
    expect(followed.missing).toEqual([])
  })
})

test.each(TOPIC_NAMES)('%s: a subscription without anything stored is answered', async (topic) => {
  const filters = { index_id: 'idx_b', market_id: 'mkt_2', outcome_id: 'out_mkt_2_yes' }
  const given = Object.keys(topicOf(topic).filters).map((name) => [name, filters[name as keyof typeof filters]])
  expect(await client.ask({ op: 'subscribe', id: 'x', topic, ...Object.fromEntries(given) })).toMatchObject({
    type: 'subscribed',
    topic,
  })
})

function fitsSchema(said: Said): boolean {
  const control = CONTROL_MESSAGES[said.type as keyof typeof CONTROL_MESSAGES]
  if (control !== undefined) return Check(control, said)
  return Check(dataMessage(topicOf(said.topic as (typeof TOPIC_NAMES)[number])), said)
}
