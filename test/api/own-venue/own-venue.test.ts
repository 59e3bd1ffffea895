import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { OwnCommit } from '../../../api/own-venue/kept-commits.ts'
import { ownBookDeltaOf, ownTradeOf } from '../../../api/own-venue/own-resources.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { BookChange, TradeChange } from '../../../trading/public-market/fold-events.ts'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { withEngineProcesses } from '../../support/trading/engine-process.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { ACCOUNTS, randomSubmissions, untilNothingExpires } from '../../support/trading/random-submissions.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import {
  booksInMemory,
  booksOfDatabase,
  type FollowedVenue,
  followVenue,
  startWorld,
  submitInPortions,
  until,
  withEnds,
} from './own-world.ts'

const database = withDatabase()
const engineProcess = withEngineProcesses()
const atEnd = withEnds()

function followed(pool: Pool, events_max?: number): FollowedVenue {
  const venue = followVenue(pool, { events_max })
  atEnd(venue.close)
  return venue
}

async function worldOf(pool: Pool) {
  const world = await startWorld(pool)
  atEnd(world.stop)
  return world
}

/** Keeps what memory had after each batch, to be compared with the database at the same place. */
function recordBooks(follower: FollowedVenue) {
  const books = new Map<number, string>()
  // Told after the venue, which subscribed first.
  follower.feed.subscribe(({ last_engine_sequence }) => books.set(last_engine_sequence, booksInMemory(follower)))
  return books
}

const toldBooks = ({ venue }: FollowedVenue) =>
  (venue.feed.recent('own_book') as OwnCommit<BookChange>[]).flatMap(({ rows, published_at }) =>
    rows.map((change) => ownBookDeltaOf(change, published_at)),
  )
const toldTrades = ({ venue }: FollowedVenue) =>
  (venue.feed.recent('own_trade') as OwnCommit<TradeChange>[]).flatMap(({ rows }) =>
    rows.map(({ trade }) => ownTradeOf(trade)),
  )

test('a database whose tables are still to be made is no failure: they are waited for', async () => {
  const { pool } = await database()
  await pool.query('alter schema trading rename to made_later')
  const follower = followed(pool)
  await expect(follower.reads.head()).rejects.toMatchObject({ code: '42P01' })
  await sleep(300)
  expect(follower.venue.phase()).toBe('starting')
  await pool.query('alter schema made_later rename to trading')
  await until(() => follower.venue.phase() === 'ready')
  expect(follower.failures).toEqual([])
})

test.each([11, 12, 13])(
  'random flow %i: at every place that is checked the books are the working orders',
  async (seed) => {
    const { pool } = await database()
    const world = await worldOf(pool)
    const follower = followed(pool)
    const recorded = recordBooks(follower)
    await until(() => follower.venue.market('mkt_1') !== null)
    const checked: { engine_sequence: number; books: string }[] = []
    const check = async () => {
      checked.push(await booksOfDatabase(pool))
    }
    await submitInPortions(world.engine.client, randomSubmissions(seed, 240, wallClock()), 6, check)
    await untilNothingExpires(pool)
    const last = await booksOfDatabase(pool)
    await until(() => recorded.has(last.engine_sequence))
    const compared = checked.filter(({ engine_sequence }) => recorded.has(engine_sequence))
    expect(compared.length).toBeGreaterThan(20)
    for (const { engine_sequence, books } of compared) expect(recorded.get(engine_sequence)).toBe(books)
    expect(booksInMemory(follower)).toBe(last.books)
    expect(follower.failures).toEqual([])
  },
)

test('a process that starts in the middle has the same books, places and last trades as one that was there from the beginning', async () => {
  const { pool } = await database()
  const first = followed(pool)
  const world = await worldOf(pool)
  const flow = randomSubmissions(21, 240, wallClock())
  await submitInPortions(world.engine.client, flow.slice(0, 120))
  const begun = submitInPortions(world.engine.client, flow.slice(120))
  const second = followed(pool)
  // Reads nothing of what was said before: its books are the database's, its places the index's.
  const third = followed(pool, 0)
  const all = [first, second, third]
  await begun
  await untilNothingExpires(pool)
  const { engine_sequence } = await booksOfDatabase(pool)
  const stateOf = ({ venue }: typeof first) =>
    venue.markets().map(({ outcomes, ...market }) => ({
      ...market,
      outcomes: outcomes.map(({ market: _market, last_trade, ...outcome }) => ({
        ...outcome,
        last_trade: last_trade?.trade_id ?? null,
      })),
    }))
  await until(() => all.every(({ venue }) => venue.feed.head('own_ticker') > 0))
  await until(() => all.every(({ feed }) => feed.head()?.engine_sequence === engine_sequence))
  for (const later of [second, third]) {
    expect(stateOf(later)).toEqual(stateOf(first))
    for (const table of ['own_book', 'own_trade', 'own_ticker']) {
      expect(later.venue.feed.head(table)).toBe(first.venue.feed.head(table))
    }
  }
  expect(second.venue.feed.epoch('own_book')).toBe(first.venue.feed.epoch('own_book'))
  // A client that resumes is told the same by both: the second process has read it back.
  for (const told of [toldBooks, toldTrades]) expect(told(second)).toEqual(told(first))
  const labels = toldBooks(first).map(({ quality_state }) => quality_state)
  expect([...new Set(labels)].sort()).toEqual(['suspended', 'valid'])
  // The same holds wherever the window begins, because the books before it are read too.
  for (let events_max = 30; events_max < engine_sequence; events_max += 30) {
    const later = followed(pool, events_max)
    await until(() => later.venue.phase() === 'ready')
    for (const told of [toldBooks, toldTrades]) {
      const [all_told, since] = [told(first), told(later)]
      expect(since).toEqual(all_told.slice(all_told.length - since.length))
    }
    expect(later.failures).toEqual([])
    await later.close()
  }
  expect(all.flatMap(({ failures }) => failures)).toEqual([])
})

test('a market that is listed later is there with its first event', async () => {
  const { pool } = await database()
  const world = await worldOf(pool)
  const follower = followed(pool)
  await until(() => follower.venue.phase() === 'ready' && follower.venue.market('mkt_1') !== null)
  const terms = {
    price_min: '0.001',
    price_max: '0.999',
    price_increment: '0.001',
    quantity_increment: '0.1',
    minimum_quantity: '0.1',
    settlement_asset_id: 'asset_usd',
    shorting_permitted: true,
  }
  const fees = { schedule_id: 'fee_1', schedule_version: 1, taker_rate: '0.02', maker_rate: '0.005' }
  const outcome_ids = ['out_new_yes', 'out_new_no']
  const { maker, engine } = world
  await engine.client.submit(maker.operate({ kind: 'add_market', market_id: 'mkt_new', outcome_ids, terms, fees }))
  await engine.client.submit(maker.operate({ kind: 'move_market', market_id: 'mkt_new', to: 'open' }))
  const order = { market_id: 'mkt_new', outcome_id: 'out_new_yes', limit_price: '0.123', quantity: '7.5' }
  expect((await engine.client.submit(maker.place('acct_a', order))).error).toBeNull()
  await until(() => (follower.venue.market('mkt_new')?.outcomes[0]?.book.bids.length ?? 0) > 0)
  const market = follower.venue.market('mkt_new')!
  expect(market.status).toBe('open')
  expect(market.outcomes[0]!.book.bids).toEqual([{ price: 123, quantity: 75, order_count: 1 }])
})

test('over a history that has not begun it is ready without markets, and follows what begins', async () => {
  const { pool } = await database()
  const follower = followed(pool)
  await until(() => follower.venue.phase() === 'ready')
  expect(follower.venue.markets()).toEqual([])
  await worldOf(pool)
  await until(() => follower.venue.market('mkt_1')?.status === 'open')
})

test('a new leader goes on where the killed one was: nothing is lost, doubled or out of its place', async () => {
  const { url, pool } = await database()
  const maker = new SubmissionMaker('f')
  const first = engineProcess(url, 'first')
  const client = connectEngine({ pool, leader_ms: 30_000, answer_ms: 3_000 })
  await first.saw('leading')
  for (const submission of maker.setUp(ACCOUNTS)) await client.submit(submission)
  const second = engineProcess(url, 'second')
  await second.saw('started')
  const follower = followed(pool)
  const recorded = recordBooks(follower)
  await until(() => follower.venue.market('mkt_1') !== null)
  const flow = randomSubmissions(31, 120, wallClock(), 'f31')
  const checked: { engine_sequence: number; books: string }[] = []
  let portions = 0
  const between = async () => {
    portions += 1
    if (portions === 9) first.child.kill('SIGKILL')
    checked.push(await booksOfDatabase(pool))
  }
  const tolerant = {
    submit: (submission: (typeof flow)[number]) => client.submit(submission).catch(() => null as never),
  }
  await submitInPortions(tolerant, flow, 5, between)
  await untilNothingExpires(pool)
  await between()
  const last = checked.at(-1)!
  await until(() => recorded.has(last.engine_sequence))
  const compared = checked.filter(({ engine_sequence }) => recorded.has(engine_sequence))
  for (const { engine_sequence, books } of compared) expect(recorded.get(engine_sequence)).toBe(books)
  expect(compared.at(-1)?.engine_sequence).toBe(last.engine_sequence)
  const epochs = await pool.query('SELECT count(DISTINCT epoch) AS leaders FROM trading.engine_batch')
  expect(epochs.rows).toEqual([{ leaders: 2 }])
  expect(follower.failures).toEqual([])
  await client.close()
}, 120_000)
