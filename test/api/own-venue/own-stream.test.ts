import { expect, test } from 'vitest'
import { OwnTickers } from '../../../api/own-venue/own-tickers.ts'
import { streamProjections } from '../../../api/stream/projections.ts'
import { marketTickerSource } from '../../../api/stream/sources/market-ticker.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { dataMessage } from '../../../protocol/stream/server-messages.ts'
import { TOPICS } from '../../../protocol/stream/topics.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import type { FeedCommit } from '../../../warehouse/reader/reader.ts'
import { fakeReader } from '../../support/fake-reader.ts'
import { assertMatchesSchema } from '../../support/match-schema.ts'
import { sized } from '../../support/sized.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { untilNothingExpires } from '../../support/trading/random-submissions.ts'
import { FollowedSubscription, type Said, type StreamClient } from '../stream/stream-client.ts'
import { liveFlow, startWorld, submitInPortions, until, withEnds } from './own-world.ts'
import { type ServedVenue, STORED_MARKET, type Stored, serveVenue } from './serve-venue.ts'

const database = withDatabase()
const BOOK = { topic: 'market.orderbook', market_id: 'mkt_1', outcome_id: 'out_yes' }
const OTHER_BOOK = { ...BOOK, outcome_id: 'out_no' }
const TRADES = { topic: 'market.trade', market_id: 'mkt_1' }
const TICKER = { topic: 'market.ticker', market_id: 'mkt_1' }
const RESOLUTION = {
  kind: 'propose_resolution',
  resolution_id: 'res_1',
  market_id: 'mkt_1',
  verdict: 'resolved',
  payouts: [
    { outcome_id: 'out_yes', payout: '1' },
    { outcome_id: 'out_no', payout: '0' },
  ],
  evidence: [{ evidence_id: 'evi_1', kind: 'report', source_uri: null, observed_at: null, content_hash: null }],
  resolver: { kind: 'operator', resolver_id: null },
  dispute_window_ms: 0,
} as const
const ALL = [BOOK, OTHER_BOOK, TRADES, TICKER]
const sidOf = (filters: { topic: string; market_id: string; outcome_id?: string }) =>
  [filters.topic, filters.market_id, filters.outcome_id].filter(Boolean).join(':')

const atEnd = withEnds()

async function world(pool: Pool, complementary = false) {
  const made = await startWorld(pool, complementary)
  atEnd(made.stop)
  return made
}

async function served(pool: Pool, stored: Stored = {}): Promise<ServedVenue> {
  const api = await serveVenue(pool, stored)
  atEnd(api.stop)
  await until(() => api.venue.market('mkt_1') !== null)
  return api
}

async function subscribed(api: ServedVenue, filters: readonly object[], resume: object = {}): Promise<StreamClient> {
  const client = await api.connect()
  for (const [place, filter] of filters.entries()) {
    const answer = await client.ask({ op: 'subscribe', id: `s${place}`, ...filter, ...resume })
    expect(answer).toMatchObject({ type: 'subscribed' })
  }
  return client
}

/** Waits until a process has everything that was committed. */
async function hasAll(pool: Pool, api: ServedVenue): Promise<void> {
  const { rows } = await pool.query('SELECT max(last_engine_sequence) AS last FROM trading.engine_batch')
  await until(() => (api.feed.head()?.engine_sequence ?? 0) >= rows[0].last)
}

/** Waits until a process and this client of it have everything that was committed. */
async function caughtUp(pool: Pool, api: ServedVenue, client: StreamClient): Promise<void> {
  await hasAll(pool, api)
  await client.ask({ op: 'ping', id: `p${client.said.length}` })
}

const heard = (clients: readonly StreamClient[], sid: string) => {
  const subscription = new FollowedSubscription()
  for (const client of clients) {
    // A connection says the sid in the answer too.
    for (const said of client.said) if (said.sid === sid) subscription.hear(said)
  }
  return subscription
}

const events = (client: StreamClient, sid: string): Said[] => client.data(sid).filter(({ type }) => type === 'event')

const KINDS = [
  ['with two books', false],
  ['with one ladder', true],
] as const

test.each(KINDS)(
  '%s: snapshot and deltas give the book of REST at the same sequence, along a random flow',
  async (_, complementary) => {
    const { pool } = await database()
    const { engine } = await world(pool, complementary)
    const api = await served(pool)
    const client = await subscribed(api, ALL)
    const shown: { sequence: number; [field: string]: unknown }[] = []
    let portions = 0
    await submitInPortions(engine.client, liveFlow(41, sized(180, 360)), 7, async () => {
      portions += 1
      // Otherwise the same books might be read again and again where commits are noticed late.
      if (portions % 3 === 0) await hasAll(pool, api)
      for (const { outcome_id } of [BOOK, OTHER_BOOK]) {
        const { body } = await api.get(`/markets/mkt_1/orderbook?outcome_id=${outcome_id}&depth=1000`)
        shown.push(body.data)
      }
    })
    await caughtUp(pool, api, client)
    for (const filters of [BOOK, OTHER_BOOK]) {
      const books = new Map<number, unknown>()
      const subscription = new FollowedSubscription()
      for (const said of client.said) {
        if (said.sid !== sidOf(filters)) continue
        subscription.hear(said)
        if (subscription.book !== null) books.set(subscription.book.sequence, subscription.book)
      }
      expect(subscription.missing).toEqual([])
      expect(subscription.repeated).toEqual([])
      const of_outcome = shown.filter(({ outcome_id }) => outcome_id === filters.outcome_id)
      expect(new Set(of_outcome.map(({ sequence }) => sequence)).size).toBeGreaterThan(8)
      for (const book of of_outcome) expect(books.get(book.sequence)).toEqual(book)
    }
    expect(api.stream_failures).toEqual([])
  },
)

test('two processes say the same in the same words, also one that joined in the middle', async () => {
  const { pool } = await database()
  const { engine } = await world(pool)
  const flow = liveFlow(42, sized(190, 260))
  // So many follow that there are trades among them.
  const joins = flow.length - 130
  const first = await served(pool)
  const one = await subscribed(first, ALL)
  await submitInPortions(engine.client, flow.slice(0, joins))
  const second = await served(pool)
  const two = await subscribed(second, ALL)
  await submitInPortions(engine.client, flow.slice(joins))
  await untilNothingExpires(pool)
  await caughtUp(pool, first, one)
  await caughtUp(pool, second, two)
  for (const filters of ALL) {
    const sid = sidOf(filters)
    const begun = two.said.find((said) => said.type === 'subscribed' && said.sid === sid)!
    const told = events(two, sid)
    expect(told.length).toBeGreaterThan(10)
    expect(told).toEqual(events(one, sid).filter(({ seq }) => (seq as number) > (begun.seq as number)))
  }
})

test('every message keeps its schema and names neither account nor order', async () => {
  const { pool } = await database()
  const { engine } = await world(pool)
  const api = await served(pool)
  const client = await subscribed(api, ALL)
  await submitInPortions(engine.client, liveFlow(43, 120))
  await caughtUp(pool, api, client)
  expect(client.data().length).toBeGreaterThan(60)
  const schemas = new Map(Object.values(TOPICS).map((topic) => [topic.topic as string, dataMessage(topic)]))
  for (const message of client.data()) {
    assertMatchesSchema(schemas.get(message.topic as string)!, message)
    expect(JSON.stringify(message)).not.toMatch(/acct_|ord_|fil_|stl_|key_|tester/)
  }
})

test('who comes back to a process that was started again in the meantime misses nothing', async () => {
  const { pool } = await database()
  const { engine } = await world(pool)
  const flow = liveFlow(44, sized(150, 300))
  const third = Math.floor(flow.length / 3)
  const before = await served(pool)
  const witness = await subscribed(before, ALL)
  const first = await subscribed(before, ALL)
  await submitInPortions(engine.client, flow.slice(0, third))
  await first.close()
  await submitInPortions(engine.client, flow.slice(third, 2 * third))
  const after = await served(pool)
  const again = await after.connect()
  for (const [place, filters] of ALL.entries()) {
    const { resume } = heard([first], sidOf(filters))
    const answer = await again.ask({ op: 'subscribe', id: `r${place}`, ...filters, ...resume })
    const mode = filters.topic === 'market.ticker' ? 'snapshot' : 'resumed'
    expect(answer).toMatchObject({ type: 'subscribed', mode })
  }
  await submitInPortions(engine.client, flow.slice(2 * third))
  await untilNothingExpires(pool)
  await caughtUp(pool, before, witness)
  await caughtUp(pool, after, again)
  for (const filters of ALL.filter(({ topic }) => topic !== 'market.ticker')) {
    const sid = sidOf(filters)
    const [all, parts] = [heard([witness], sid), heard([first, again], sid)]
    expect([parts.missing, parts.repeated, parts.gaps]).toEqual([[], [], []])
    expect(parts.taken).toEqual(all.taken)
    expect(parts.book).toEqual(all.book)
  }
})

test('a position of another history is answered with a gap and what is now', async () => {
  const { pool } = await database()
  const { engine } = await world(pool)
  await submitInPortions(engine.client, liveFlow(45, 60))
  const api = await served(pool)
  const client = await api.connect()
  const other = await client.ask({ op: 'subscribe', id: 'e', ...BOOK, resume: { epoch: 'other', after_seq: 5 } })
  expect(other).toMatchObject({ type: 'subscribed', mode: 'snapshot' })
  expect(await client.next(({ type }) => type === 'gap')).toMatchObject({ reason: 'epoch_changed' })
  expect((await client.next(({ type }) => type === 'snapshot')).sid).toBe(sidOf(BOOK))
})

test('who was away for longer than is kept is told so, also by a process whose first commit came after its start', async () => {
  const { pool } = await database()
  const { engine, maker } = await world(pool)
  await submitInPortions(engine.client, liveFlow(46, 60))
  // An order that expired after the start would be a move that is kept.
  await untilNothingExpires(pool)
  const api = await served(pool, { events_max: 0 })
  const epoch = api.venue.feed.epoch('own_book')
  const { sequence } = api.venue.market('mkt_1')!.outcomes[0]!.book
  await engine.client.submit(maker.place('acct_a', { side: 'BUY', limit_price: '0.01' }))
  await until(() => api.venue.market('mkt_1')!.outcomes[0]!.book.sequence > sequence)
  const client = await api.connect()
  const late = await client.ask({ op: 'subscribe', id: 'l', ...BOOK, resume: { epoch, after_seq: sequence - 1 } })
  expect(late).toMatchObject({ mode: 'snapshot' })
  expect(await client.next(({ type }) => type === 'gap')).toMatchObject({ reason: 'retention', from_seq: sequence - 1 })
  const other = await api.connect()
  const in_time = await other.ask({ op: 'subscribe', id: 'i', ...BOOK, resume: { epoch, after_seq: sequence } })
  expect(in_time).toMatchObject({ mode: 'resumed' })
  expect(await other.next(({ type }) => type === 'event')).toMatchObject({ prev_seq: sequence })
})

test('pause, close and resolution are seen in the ticker and by REST, and a paused book keeps what it suspends', async () => {
  const { pool } = await database()
  const { engine, maker } = await world(pool)
  const api = await served(pool, { markets: [STORED_MARKET] })
  const client = await subscribed(api, [TICKER, BOOK])
  await engine.client.submit(maker.place('acct_a', { side: 'BUY', limit_price: '0.40', quantity: '3' }))
  const seen: unknown[] = []
  const move = (to: 'paused' | 'open' | 'closed'): OperatorCommand => ({ kind: 'move_market', market_id: 'mkt_1', to })
  const moves = [
    ['paused', move('paused')],
    ['open', move('open')],
    ['closed', move('closed')],
    ['resolving', RESOLUTION],
    ['resolved', { kind: 'finalize_resolution', resolution_id: RESOLUTION.resolution_id }],
  ] as const
  for (const [to, command] of moves) {
    const from = client.said.length
    const answer = await engine.client.submit(maker.operate(command))
    expect(answer.error).toBeNull()
    const said = await client.next(({ data }) => (data as { market_status?: string })?.market_status === to, from)
    const { body: price } = await api.get('/markets/mkt_1/price')
    const { body: market } = await api.get('/markets/mkt_1')
    const { body: list } = await api.get(`/markets?status=${to}`)
    const { freshness_ms, ...view } = price.data
    expect(freshness_ms).toBeGreaterThanOrEqual(0)
    expect(view).toEqual(said.data)
    expect([market.data.status, list.data.length]).toEqual([to, 1])
    seen.push([to, view.quality_state, view.outcomes[0].best_bid])
  }
  expect(seen).toEqual([
    ['paused', 'suspended', '0.400000000'],
    ['open', 'valid', '0.400000000'],
    ['closed', 'stale', null],
    ['resolving', 'stale', null],
    ['resolved', 'stale', null],
  ])
  expect((await api.get('/markets?status=scheduled')).body.data).toEqual([])
})

test('without a market the ticker shows our markets as REST does at the same instant', async () => {
  const { pool } = await database()
  const { engine, maker } = await world(pool)
  const api = await served(pool, { markets: [STORED_MARKET], client: engine.client })
  const client = await subscribed(api, [{ topic: 'market.ticker' }])
  const reader = fakeReader({ catalog: { market: () => STORED_MARKET } })
  const tickers = new OwnTickers({ venue: api.venue, reader: { ...reader, instant: wallClock }, now: wallClock })
  const own = { venue: api.venue, tickers }
  const ports = { reader, project: streamProjections(reader), at: wallClock, own }
  for (const limit_price of ['0.37', '0.38']) {
    await engine.client.submit(maker.place('acct_a', { limit_price, quantity: '4' }))
    await caughtUp(pool, api, client)
    // The warehouse commits the quote later, with a stamp of its own.
    const row = { market_id: 'mkt_1', venue_id: 'tidemark', published_at: formatMicros(wallClock()) }
    const commit = {
      table: 'market_quote',
      version: 1,
      epoch: '',
      rows: [{ row, seq: 9, prev_seq: 0, previous: null }],
    }
    const [event] = marketTickerSource(ports).eventsOf(commit as FeedCommit, 0, () => true)
    const fresh = await subscribed(api, [{ topic: 'market.ticker' }])
    const snapshot = (await fresh.next(({ type }) => type === 'snapshot')) as Said & { data: object }
    const heard = [snapshot, { published_at: event!.published_at, data: JSON.parse(String(event!.data())) }]
    for (const { published_at, data } of heard) {
      const rest = await api.get(`/markets/mkt_1/price?as_of=${published_at}`)
      const { freshness_ms: _, ...price } = rest.body.data
      expect(price).toMatchObject({ market_status: 'open', outcomes: [{ best_bid: `${limit_price}0000000` }, {}] })
      expect(data).toEqual(price)
    }
    await fresh.close()
  }
  await client.close()
})

test('without a market the ticker is the warehouse’s, and an outcome of another market is refused', async () => {
  const { pool } = await database()
  await world(pool)
  const api = await served(pool)
  const client = await api.connect()
  expect(await client.ask({ op: 'subscribe', id: 't', topic: 'market.ticker' })).toMatchObject({ epoch: 'epoch' })
  const wrong = await client.ask({ op: 'subscribe', id: 'w', ...BOOK, outcome_id: 'out_other' })
  expect(wrong).toMatchObject({ type: 'error', error: { code: 'MARKET_OUTCOME_NOT_FOUND' } })
  const unknown = await client.ask({ op: 'subscribe', id: 'u', ...BOOK, market_id: 'mkt_other' })
  expect(unknown).toMatchObject({ type: 'error', error: { code: 'MARKET_NOT_FOUND' } })
})
