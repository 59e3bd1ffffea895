import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookLevelsOf } from '../../../api/resources/market-records.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { tideWarehouse } from '../../support/tide-warehouse.ts'
import { bookRow, levelRow, quoteRow } from './small-world.ts'
import { FollowedSubscription, StreamClient, withoutAge } from './stream-client.ts'
import { type RunningStream, startStream } from './stream-server.ts'

/** The stream over a warehouse in files, followed by two readers while a writer commits. */
const folder = tempFolder()
let warehouse: Warehouse
let root: string
const [market_id, outcome_id] = ['mkt_tide', 'out_tide_yes']
let appended = 0
/** Seconds of a tick after those that the warehouse begins with. */
const AFTER = 10 * 86_400

beforeAll(async () => {
  root = (await tideWarehouse(join(folder, 'tide'))).root
  warehouse = await openWarehouse({ root })
  await append('market', [marketRow()])
})
afterAll(() => warehouse.close())

function marketRow(): Row {
  const at = '2026-01-01T00:00:00Z'
  return {
    market_id,
    revision: 1,
    event_id: 'evt_tide',
    title: 'Tide',
    status: 'open',
    outcome_type: 'binary',
    outcomes: [{ outcome_id }, { outcome_id: 'out_tide_no' }],
    venue_mapping: { venue_id: 'v', source_market_id: 'A' },
    source_at: at,
    received_at: at,
  }
}

async function append(table: TableName, rows: readonly Row[]): Promise<void> {
  appended += 1
  const from = { app_id: 'stream-test', app_sequence: appended, operation: 'TEST' } as const
  await warehouse.append(table, rows, { ...from, stamp: { kind: 'wall' } })
}

const subscriptions = () => [
  { op: 'subscribe', id: 'price', topic: 'index.price', index_id: 'idx_tide' },
  { op: 'subscribe', id: 'all', topic: 'index.price' },
  { op: 'subscribe', id: 'book', topic: 'market.orderbook', market_id, outcome_id },
  { op: 'subscribe', id: 'status', topic: 'index.status', index_id: 'idx_tide' },
  { op: 'subscribe', id: 'ticker', topic: 'market.ticker', market_id },
]

async function commitRound(at: number): Promise<void> {
  const own = { venue_id: 'v', source_market_id: 'A', market_id, outcome_id }
  const quality_state = at % 2 === 0 ? 'valid' : 'indicative'
  const level = { quality_state, index_version_id: 'idv_tide' }
  await append('index_observation', [
    levelRow('idx_tide', AFTER + at, level),
    levelRow('idx_tide', AFTER + at, { ...level, revision: 2 }),
  ])
  await append('order_book', [
    bookRow('x', at, { 40: at, 30: 1 }, { 60: at }, own),
    bookRow('x', at + 1000, { 40: at, 31: 2 }, {}, own),
  ])
  await append('market_quote', [quoteRow('x', at, own)])
}

type Side = { readonly reader: Reader; readonly server: RunningStream; readonly client: StreamClient }

async function openSide(): Promise<Side> {
  const reader = await openReader({ root, interval_ms: 20, limits: PATIENT_QUERIES })
  // The first client waits until the second side is open before it subscribes: on a busy machine that takes its time.
  const server = await startStream(reader, { limits: { first_message_ms: 120_000 } })
  return { reader, server, client: await StreamClient.open(server.url) }
}

async function closeSide({ reader, server, client }: Side): Promise<void> {
  await client.close()
  await server.stop()
  await reader.close()
  expect(server.failures).toEqual([])
}

/** Waits until a client has what was committed last. */
async function caughtUp({ client, reader }: Side, table: TableName, topic: string): Promise<void> {
  const { version } = await warehouse.log(table).snapshot()
  const last = (seq: unknown) => Math.floor(Number(seq) / 2 ** 20) >= version
  await client.next((said) => said.topic === topic && 'data' in said && last(said.seq))
  // Other subscriptions get the same commit in the same turn; the answer follows.
  await client.ask({ op: 'ping', id: `caught up ${client.said.length}` })
  expect(reader.status().phase).toBe('ready')
}

test('two readers lead to the same messages, a restarted one resumes, and the rebuilt book is that of REST', async () => {
  const [first, second] = [await openSide(), await openSide()]
  for (const { client } of [first, second])
    for (const message of subscriptions()) expect(await client.ask(message)).toMatchObject({ type: 'subscribed' })
  for (let round = 1; round <= 5; round += 1) await commitRound(round)
  for (const side of [first, second])
    for (const [table, topic] of [
      ['index_observation', 'index.price'],
      ['order_book', 'market.orderbook'],
      ['market_quote', 'market.ticker'],
    ] as const)
      await caughtUp(side, table, topic)
  for (const { topic, id } of subscriptions().slice(0, 4)) {
    const [a, b] = [first, second].map(({ client }) => {
      const { sid } = client.said.find((said) => said.id === id)!
      return client.data(String(sid)).filter(({ type }) => type === 'event')
    })
    expect(a!.length, topic).toBeGreaterThanOrEqual(5)
    expect(a).toEqual(b)
  }

  const followed = new FollowedSubscription()
  const hear = ({ client }: Side) => {
    for (const said of client.said) {
      if (said.id === 'book' || String(said.sid).startsWith('market.orderbook')) followed.hear(said)
    }
  }
  hear(first)
  expect(withoutAge(followed.book)).toEqual(rest(first))
  await closeSide(first)
  await commitRound(6)
  const restarted = await openSide()
  const answer = await restarted.client.ask({ ...subscriptions()[2]!, ...followed.resume })
  expect(answer.mode).toBe('resumed')
  await caughtUp(second, 'order_book', 'market.orderbook')
  await caughtUp(restarted, 'order_book', 'market.orderbook')
  hear(restarted)
  expect([followed.missing, followed.repeated, followed.gaps]).toEqual([[], [], []])
  expect(withoutAge(followed.book)).toEqual(rest(second))
  const again = restarted.client.data()
  expect(second.client.data(again[0]!.sid).slice(-again.length)).toEqual(again)
  await closeSide(restarted)
  await closeSide(second)
}, 120_000)

function rest({ reader }: Side) {
  return JSON.parse(
    JSON.stringify(
      withoutAge(bookLevelsOf({ book: reader.latest.book(market_id, outcome_id)!, market_status: null, at: 0 }, 1000)),
    ),
  )
}
