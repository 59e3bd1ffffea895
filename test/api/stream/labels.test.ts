import { expect, test } from 'vitest'
import type { OwnVenue } from '../../../api/own-venue/own-venue.ts'
import { INDEX_PRICE_ROUTES } from '../../../api/routes/index-prices.ts'
import { MARKET_PRICE_ROUTES } from '../../../api/routes/market-prices.ts'
import type { RouteAnswer, RouteRequest } from '../../../api/server/handler.ts'
import { streamProjections } from '../../../api/stream/projections.ts'
import { streamOrigins } from '../../../api/stream/sources/stream-origins.ts'
import { levelLabel } from '../../../pipelines/index/level-label.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { TopicName } from '../../../protocol/stream/topics.ts'
import type { MarketStatus } from '../../../vocabulary/market.ts'
import type { FeedCommit } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { FakeLog, fakeReader } from './fake-reader.ts'
import { bookRow, CATALOG, levelRow, quoteRow } from './small-world.ts'

/** One table of labels, asked of REST, of the snapshot and of the event of a stream. */

const SOURCE = toMicros('2026-01-01T00:00:01Z')
const SECOND = 1_000_000
const YES = 'out_mkt_1_yes'

type Case = {
  readonly age: number
  readonly status?: MarketStatus
  readonly quote?: Row
  readonly level?: Row
  readonly expected: string
}

/** A reader of one commit whose rows are about SOURCE, and what each way of asking answers at SOURCE + age. */
function world({ status = 'open', quote = {}, level = {} }: Case) {
  const log = new FakeLog()
  const markets = CATALOG.markets.map((market) => ({ ...market, status }))
  const reader = fakeReader(log, { ...CATALOG, markets })
  const commits: FeedCommit[] = []
  reader.feed.subscribe((commit) => commits.push(commit))
  const cutoff = { source_cutoff_at: formatMicros(SOURCE) }
  log.append('market_quote', [quoteRow('mkt_1', 1, { bid: '0.400000000', ask: '0.600000000', ...quote })])
  const is_empty = quote.bid === null
  log.append('order_book', [bookRow('mkt_1', 1, is_empty ? {} : { 40: 1 }, is_empty ? {} : { 60: 1 })])
  log.append('index_observation', [levelRow('idx_a', 1, { ...cutoff, ...level })])
  reader.catchUp()
  return { reader, commits }
}

function answers(one: Case) {
  const { reader, commits } = world(one)
  const now = SOURCE + one.age * SECOND
  const own_venue: OwnVenue | null = null
  const request = (parameters: RouteRequest['parameters']): RouteRequest => {
    return { reader: reader as never, own_venue, parameters, as_of: null, now, cursor: null, service: null as never }
  }
  const project = streamProjections(reader)
  const { sourceOf } = streamOrigins({ reader, own_venue, project, at: () => now, now: () => now })
  const snapshot = (topic: TopicName, ...key: string[]) => {
    const [state] = sourceOf(topic, key).statesOf(key)
    return JSON.parse(state!.data().toString()).quality_state
  }
  const event = (topic: TopicName, table: string, at: Micros, ...key: string[]) => {
    const commit = commits.find((given) => given.table === table)!
    const rows = commit.rows.map((row) => ({ ...row, row: { ...row.row, published_at: formatMicros(at) } }))
    const [message] = sourceOf(topic, key).eventsOf({ ...commit, rows }, 0, () => true)
    return JSON.parse(message!.data()!.toString()).quality_state
  }
  const rest = async (route: (asked: RouteRequest) => RouteAnswer | Promise<RouteAnswer>, asked: Row) => {
    const { data } = await route(request(asked as never))
    return (Buffer.isBuffer(data) ? JSON.parse(data.toString()) : data).quality_state
  }
  const market = { market_id: 'mkt_1', outcome_id: YES, depth: 10 }
  return {
    price: [
      () => rest(MARKET_PRICE_ROUTES.get_market_price, market),
      () => snapshot('market.ticker', 'mkt_1'),
      () => event('market.ticker', 'market_quote', now, 'mkt_1'),
    ],
    book: [
      () => rest(MARKET_PRICE_ROUTES.get_order_book, market),
      () => snapshot('market.orderbook', 'mkt_1', YES),
      () => event('market.orderbook', 'order_book', now, 'mkt_1', YES),
    ],
    level: [
      () => rest(INDEX_PRICE_ROUTES.get_index_price, { index_id: 'idx_a' }),
      () => snapshot('index.price', 'idx_a'),
      () => event('index.price', 'index_observation', now, 'idx_a'),
      () => snapshot('index.status', 'idx_a'),
      () => event('index.status', 'index_observation', now, 'idx_a'),
    ],
  }
}

const MARKETS: readonly (readonly [string, Case])[] = [
  ['as old as its bound', { age: 60, expected: 'valid' }],
  ['older than its bound', { age: 61, expected: 'stale' }],
  ['a year old', { age: 365 * 86_400, expected: 'stale' }],
  ['of a paused market', { age: 1, status: 'paused', expected: 'suspended' }],
  ['old and of a paused market', { age: 3600, status: 'paused', expected: 'suspended' }],
  ['of a market before its opening', { age: 1, status: 'scheduled', expected: 'indicative' }],
  ['of a closed market', { age: 1, status: 'closed', expected: 'stale' }],
  ['empty', { age: 1, quote: { bid: null, ask: null }, expected: 'suspended' }],
]

test.each(MARKETS)('a price and a book that are %s', async (_, one) => {
  const { price, book } = answers(one)
  for (const asked of [...price, ...book]) expect(await asked()).toBe(one.expected)
})

/** Two ticks of a minute and five seconds of grace. */
const LEVELS: readonly (readonly [string, Case])[] = [
  ['as old as its bound', { age: 125, expected: 'valid' }],
  ['older than its bound', { age: 126, expected: 'stale' }],
  ['a year old', { age: 365 * 86_400, expected: 'stale' }],
  ['degraded and fresh', { age: 1, level: { quality_state: 'degraded' }, expected: 'degraded' }],
  ['degraded and old', { age: 126, level: { quality_state: 'degraded' }, expected: 'stale' }],
  ['suspended and old', { age: 126, level: { quality_state: 'suspended', level: null }, expected: 'suspended' }],
]

test.each(LEVELS)('a level that is %s', async (_, one) => {
  for (const asked of answers(one).level) expect(await asked()).toBe(one.expected)
})

test('a level that is labeled for its age says so; an event of an older tick keeps the label of its record', async () => {
  const { reader, commits } = world({ age: 0, expected: '' })
  const project = streamProjections(reader)
  const { row } = commits.find(({ table }) => table === 'index_observation')!.rows[0]!
  const shown = (at: Micros | null) => JSON.parse(project.indexObservation(row, at).toString())
  expect(shown(SOURCE + 126 * SECOND)).toMatchObject({ quality_state: 'stale', reason_codes: ['OLDER_THAN_MAX_AGE'] })
  expect(shown(null)).toMatchObject({ quality_state: 'valid', reason_codes: [] })
  // A level whose record is stale already is older than its bound, too.
  const recorded = { ...row, quality_state: 'stale', reason_codes: ['STALE_INPUT'] }
  const reasons = (is_stale: boolean) => levelLabel(recorded, is_stale).reason_codes
  expect(reasons(true)).toEqual([...reasons(false), 'OLDER_THAN_MAX_AGE'])
})
