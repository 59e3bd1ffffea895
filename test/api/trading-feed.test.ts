import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EngineBatch, TradingFeed } from '../../api/trading-feed.ts'
import { withDatabase } from '../support/trading/postgres.ts'
import { ACCOUNTS } from '../support/trading/random-submissions.ts'
import { StreamWorld } from '../support/trading/stream-world.ts'

const database = withDatabase()
let world: StreamWorld
let feed: TradingFeed
const failures: unknown[] = []

beforeAll(async () => {
  world = await StreamWorld.start((await database()).pool)
  feed = world.trading.openFeed({ onFailure: (error) => failures.push(error), poll_ms: 100 })
  while (feed.head() === null) await new Promise((next) => setTimeout(next, 5))
}, 180_000)
afterAll(async () => {
  await feed.close()
  await world.stop()
})

test('every batch is told once, whole and in order, to every listener, also past one that fails', async () => {
  const begun = feed.head()!.engine_sequence
  const told: EngineBatch[] = []
  const stop = feed.subscribe(() => {
    throw new Error('a listener that fails')
  })
  feed.subscribe(
    (batch) => told.push(batch),
    () => true,
  )
  const orders = Array.from({ length: 300 }, (_, n) =>
    world.maker.place(ACCOUNTS[n % 3]!, { side: n % 2 === 0 ? 'BUY' : 'SELL', quantity: '1' }),
  )
  await Promise.all(orders.map((order) => world.submit(order)))
  const { engine_sequence, epoch } = await world.trading.reads.head()
  await expect.poll(() => feed.head()!.engine_sequence).toBe(engine_sequence)
  expect(feed.head()!.epoch).toBe(epoch)
  const sequences = told.flatMap(({ events }) => events.map((event) => event.engine_sequence))
  expect(sequences).toEqual(Array.from({ length: engine_sequence - begun }, (_, n) => begun + 1 + n))
  const { rows } = await world.pool.query<{ batch_sequence: number; last_engine_sequence: number; at: number }>(
    'SELECT batch_sequence, last_engine_sequence, at FROM trading.engine_batch WHERE last_engine_sequence > $1 ORDER BY 1',
    [begun],
  )
  expect(told.map(({ events: _, ...batch }) => batch)).toEqual(rows)
  for (const { at, events } of told) expect(new Set(events.map((event) => event.at))).toEqual(new Set([at]))
  expect(failures.length).toBe(told.length)
  stop()
})

test('a connection that is broken is made again, and nothing is missed', async () => {
  const told: number[] = []
  feed.subscribe(({ events }) => told.push(...events.map(({ engine_sequence }) => engine_sequence)))
  const begun = feed.head()!.engine_sequence
  await world.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid() AND datname = current_database()`,
  )
  await world.submit(world.maker.place('acct_a', { limit_price: '0.05', quantity: '1' }))
  const { engine_sequence } = await world.trading.reads.head()
  await expect.poll(() => told.at(-1)).toBe(engine_sequence)
  expect(told).toEqual(Array.from({ length: engine_sequence - begun }, (_, n) => begun + 1 + n))
})

test('what is confirmed moves on while nothing happens, and a revoked key is not remembered', async () => {
  const { key_id } = world.keys.get('acct_a')!
  expect((await world.trading.keys.find(key_id))?.revoked_at).toBeNull()
  const before = feed.confirmed()!
  await expect.poll(() => feed.confirmed()!.until_ms).toBeGreaterThan(before.until_ms)
  expect(feed.confirmed()!.from_ms).toBe(before.from_ms)
  await world.act({ kind: 'revoke_key', key_id, reason: 'lost' })
  const { engine_sequence } = await world.trading.reads.head()
  await expect.poll(() => feed.head()!.engine_sequence).toBe(engine_sequence)
  expect((await world.trading.keys.find(key_id))?.revoked_at).not.toBeNull()
})
