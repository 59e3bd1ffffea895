import { expect } from 'vitest'
import { bookLevelsOf } from '../../../api/resources/market-records.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { FakeLog, fakeReader } from './fake-reader.ts'
import { bookRow, CATALOG, type Levels, levelRow } from './small-world.ts'
import { FollowedSubscription, StreamClient, withoutAge } from './stream-client.ts'
import { startStream } from './stream-server.ts'

const PRICE = { topic: 'index.price', index_id: 'idx_a' } as const
const BOOK = { topic: 'market.orderbook', market_id: 'mkt_1', outcome_id: 'out_mkt_1_yes' } as const

/**
 * A client that is cut off at random moments, between and within messages, and resumes at either of two servers which take
 * commits in at their own pace. What it has in the end is what was committed: every level once, in order, and the book of REST.
 */
export async function followThroughDisconnects(disconnects: number, seed: number): Promise<void> {
  const random = seededRandom(seed)
  const log = new FakeLog()
  const readers = [fakeReader(log, CATALOG), fakeReader(log, CATALOG)]
  const servers = await Promise.all(readers.map((reader) => startStream(reader)))
  const [price, book] = [new FollowedSubscription(), new FollowedSubscription()]
  let tick = 0
  const commit = () => {
    tick += 1
    log.append('index_observation', [levelRow('idx_b', tick), levelRow('idx_a', tick)])
    // One in five books comes late, and is no message.
    log.append('order_book', [
      bookRow('mkt_1', tick - (tick % 5 === 0 ? 2 : 0), randomLevels(random), randomLevels(random)),
    ])
  }
  const takeIn = () => pick(readers, random).catchUp()
  const hear = (client: StreamClient) => {
    for (const said of client.said) {
      if (said.id === 'price' || String(said.sid).startsWith('index.price')) price.hear(said)
      if (said.id === 'book' || String(said.sid).startsWith('market.orderbook')) book.hear(said)
    }
  }
  for (let connection = 0; connection < disconnects; connection += 1) {
    const client = await StreamClient.open(pick(servers, random).url)
    client.send({ op: 'subscribe', id: 'price', ...PRICE, ...price.resume })
    client.send({ op: 'subscribe', id: 'book', ...BOOK, ...book.resume })
    for (let commits = Math.floor(random() * 4); commits > 0; commits -= 1) {
      commit()
      takeIn()
      if (random() < 0.5) await new Promise((resolve) => setImmediate(resolve))
    }
    if (random() < 0.5) await client.next(({ type }) => type === 'subscribed')
    await client.close()
    hear(client)
  }
  for (const reader of readers) reader.catchUp()
  const last = await StreamClient.open(servers[0]!.url)
  await last.ask({ op: 'subscribe', id: 'price', ...PRICE, ...price.resume })
  await last.ask({ op: 'subscribe', id: 'book', ...BOOK, ...book.resume })
  await last.ask({ op: 'ping', id: 'end' })
  hear(last)
  await last.close()
  for (const server of servers) {
    await server.stop()
    expect(server.failures).toEqual([])
  }

  const levels = price.taken.filter(({ type }) => type === 'event').map(({ data }) => data.level)
  const begun = price.taken.find(({ type }) => type === 'snapshot')
  const first = begun === undefined ? 1 : Number.parseInt(String(begun.data.level), 10) + 1
  expect(levels).toEqual(Array.from({ length: tick - first + 1 }, (_, at) => `${first + at}.0000`))
  for (const followed of [price, book]) {
    expect([followed.missing, followed.repeated, followed.gaps]).toEqual([[], [], []])
  }
  const stored = readers[0]!.latest.book(BOOK.market_id, BOOK.outcome_id)!
  expect(withoutAge(book.book)).toEqual(
    JSON.parse(JSON.stringify(withoutAge(bookLevelsOf({ book: stored, market_status: null, at: 0 }, 1000)))),
  )
}

function randomLevels(random: () => number): Levels {
  const count = Math.floor(random() * 6)
  return Object.fromEntries(
    Array.from({ length: count }, () => [1 + Math.floor(random() * 98), 1 + Math.floor(random() * 9)]),
  )
}
