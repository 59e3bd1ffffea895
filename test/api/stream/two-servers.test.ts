import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bookLevelsOf } from '../../../api/resources/market-records.ts'
import { sized } from '../../support/sized.ts'
import { FakeLog, fakeReader } from './fake-reader.ts'
import { bookRow, CATALOG, type Levels, levelRow, quoteRow, tradeRow } from './small-world.ts'
import { FollowedSubscription, StreamClient, withoutAge } from './stream-client.ts'
import { startStream } from './stream-server.ts'

const SUBSCRIPTIONS = [
  { topic: 'index.price' },
  { topic: 'index.price', index_id: 'idx_a' },
  { topic: 'index.status', index_id: 'idx_a' },
  { topic: 'market.ticker' },
  { topic: 'market.ticker', market_id: 'mkt_1' },
  { topic: 'market.trade', market_id: 'mkt_1' },
  { topic: 'market.orderbook', market_id: 'mkt_1', outcome_id: 'out_mkt_1_yes' },
] as const

const levels = fc.dictionary(fc.integer({ min: 1, max: 98 }).map(String), fc.integer({ min: 1, max: 9 }), {
  maxKeys: 8,
})
const step = fc.record({
  table: fc.constantFrom('index_observation', 'market_quote', 'public_trade', 'order_book', 'order_book'),
  /** Some come late. */
  late: fc.integer({ min: 0, max: 2 }),
  market_id: fc.constantFrom('mkt_1', 'mkt_1', 'mkt_2'),
  quality_state: fc.constantFrom('valid', 'valid', 'stale'),
  bids: levels,
  asks: levels,
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function rowOf({ table, late, market_id, quality_state, bids, asks }: Step, at: number) {
  const then = Math.max(1, at - late)
  if (table === 'index_observation') return levelRow('idx_a', then, { revision: late + 1, quality_state })
  if (table === 'market_quote') return quoteRow(market_id, then)
  if (table === 'public_trade') return tradeRow(market_id, then)
  return bookRow(market_id, then, bids as Levels, asks as Levels, { revision: at })
}

test('in random worlds two servers say the same, whenever they were started, and a rebuilt book is that of REST', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 40 }), fc.nat(), async (steps, cut) => {
      const log = new FakeLog()
      const early = fakeReader(log, CATALOG)
      const begun = steps.slice(0, cut % steps.length)
      begun.forEach((one, at) => {
        log.append(one.table, [rowOf(one, at + 1)])
      })
      early.catchUp()
      // The second process begins later and reads what the first one followed.
      const readers = [early, fakeReader(log, CATALOG)]
      const servers = await Promise.all(readers.map((reader) => startStream(reader)))
      const clients = await Promise.all(servers.map(({ url }) => StreamClient.open(url)))
      for (const client of clients)
        for (const [at, filters] of SUBSCRIPTIONS.entries())
          await client.ask({ op: 'subscribe', id: `${at}`, ...filters })
      steps.slice(begun.length).forEach((one, at) => {
        log.append(one.table, [rowOf(one, begun.length + at + 1)])
        // They take commits in at different times, some alone and some together.
        readers[at % 2]!.catchUp()
      })
      for (const reader of readers) reader.catchUp()
      for (const client of clients) await client.ask({ op: 'ping', id: 'end' })

      const [first, second] = clients.map((client) =>
        client.data().flatMap((message) => (message.topic === 'market.ticker' ? [] : [withoutInstant(message)])),
      )
      expect(second!.length).toBe(first!.length)
      expect(bySid(second!)).toEqual(bySid(first!))
      for (const client of clients) expect(rebuilt(client)).toEqual(bookOf(early))
      for (const client of clients) await client.close()
      for (const server of servers) {
        await server.stop()
        expect(server.failures).toEqual([])
      }
    }),
    { numRuns: sized(10, 25) },
  )
}, 120_000)

/** A snapshot names the instant at which it was taken. */
function withoutInstant(message: ReturnType<StreamClient['data']>[number]) {
  return message.type === 'snapshot' ? { ...message, published_at: '', published_at_ts_ms: 0 } : message
}

function bySid(messages: ReturnType<StreamClient['data']>) {
  return Object.fromEntries(
    [...new Set(messages.map(({ sid }) => sid))].map((sid) => [sid, messages.filter((message) => message.sid === sid)]),
  )
}

/** The book that the subscription's messages make, and that nothing was missing on the way. */
function rebuilt(client: StreamClient) {
  const followed = new FollowedSubscription()
  for (const said of client.said) if (String(said.sid).startsWith('market.orderbook')) followed.hear(said)
  expect([followed.missing, followed.repeated, followed.gaps]).toEqual([[], [], []])
  return withoutAge(followed.book)
}

function bookOf(reader: ReturnType<typeof fakeReader>) {
  const placed = reader.latest.book('mkt_1', 'out_mkt_1_yes')
  return placed === null
    ? null
    : JSON.parse(JSON.stringify(withoutAge(bookLevelsOf({ book: placed, market_status: null, at: 0 }, 1000))))
}
