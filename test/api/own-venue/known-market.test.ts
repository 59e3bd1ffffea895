import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveApi } from '../../../api/serve.ts'
import { tradingPorts } from '../../../api/trading-ports.ts'
import { openVenueTail } from '../../../operations/own-venue/venue-tail.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { keyEncryptionKey } from '../../../trading/auth/seal-secret.ts'
import { createSignatureVerifier } from '../../../trading/auth/signature-verifier.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import { createVenueReads } from '../../../trading/store/venue/venue-reads.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { startWorld, until, withEnds } from './own-world.ts'
import { serveVenue } from './serve-venue.ts'

const database = withDatabase()
const atEnd = withEnds()

const LISTED: OperatorCommand = {
  kind: 'add_market',
  market_id: 'mkt_2',
  outcome_ids: ['out_2_yes', 'out_2_no'],
  terms: {
    price_min: '0.01',
    price_max: '0.99',
    price_increment: '0.01',
    quantity_increment: '0.1',
    minimum_quantity: '1',
    settlement_asset_id: 'asset_usd',
    shorting_permitted: true,
  },
  fees: { schedule_id: 'fee_1', schedule_version: 1, taker_rate: '0.02', maker_rate: '0.005' },
  listing: {
    event_id: 'evt_2',
    title: 'Two of three',
    outcome_labels: { out_2_yes: 'Yes', out_2_no: 'No' },
    rules: { resolution_question: 'Two?', resolution_sources: ['https://example.org/two'] },
    schedule: { closes_at: '2030-01-01T00:00:00Z' },
  },
}

/** Every answer that names the market; `expected` is what it has of it. */
const ANSWERS = [
  ['/markets/mkt_2', 'get_market'],
  ['/markets?venue_id=tidemark', 'list_markets'],
  ['/markets?event_id=evt_2', 'list_markets'],
  ['/events/evt_2', 'get_event'],
  ['/events?venue_id=tidemark', 'list_events'],
  ['/events/evt_2/severity?assessment_type=observed', 'get_event_severity'],
  ['/markets/mkt_2/rating', 'get_market_rating'],
  ['/markets/mkt_2/price', 'get_market_price'],
  ['/markets/mkt_2/orderbook?outcome_id=out_2_yes', 'get_order_book'],
  ['/markets/mkt_2/trades', 'list_trades'],
] as const

test('a market of ours is known from its listing on, in every answer, while the warehouse has not stored it', async () => {
  const { pool } = await database()
  const { engine, maker, stop } = await startWorld(pool)
  atEnd(stop)
  const api = await serveVenue(pool, { client: engine.client, behind_ms: 300 })
  atEnd(api.stop)
  await until(() => api.venue.phase() === 'ready')
  const before = wallClock()
  await engine.client.submit(maker.operate(LISTED))
  await until(() => api.venue.market('mkt_2') !== null)
  const ask = async (path: string, at: number | null) => {
    const instant = at === null ? '' : `${path.includes('?') ? '&' : '?'}as_of=${formatMicros(at)}`
    const { status, body } = await api.get(`${path}${instant}`)
    const ids = Array.isArray(body.data) && !path.includes('trades') ? JSON.stringify(body.data).includes('_2"') : null
    return { path, is_known: status === 200 && ids !== false, body }
  }
  // The detail and the rating are there at once, of the instant of the listing.
  for (const path of ['/markets/mkt_2', '/markets/mkt_2/rating', '/markets/mkt_2/price']) {
    const { is_known, body } = await ask(path, null)
    expect({ path, is_known }).toEqual({ path, is_known: true })
    const again = await api.get(`${path}?as_of=${body.meta.published_at}`)
    expect({ path, status: again.status, data: withoutAge(again.body.data) }).toEqual({
      path,
      status: 200,
      data: withoutAge(body.data),
    })
  }
  await new Promise((resolve) => setTimeout(resolve, 400))
  const listed_at = api.venue.market('mkt_2')!.revised_at
  expect((await ask('/markets/mkt_2', null)).body.data).toMatchObject({
    published_at: formatMicros(listed_at),
    title: 'Two of three',
    status: 'scheduled',
  })
  for (const [path, operation] of ANSWERS) {
    for (const [at, is_known] of [
      [before, false],
      [listed_at - 1, false],
      [listed_at, true],
      [null, true],
    ] as const) {
      const got = await ask(path, at)
      expect({ path, at, is_known: got.is_known }).toEqual({ path, at, is_known })
      if (is_known) assertMatchesOperation(operation, got.body)
    }
  }
  const unknown = await api.get('/markets/mkt_none')
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'MARKET_NOT_FOUND'])
  const stream = await api.connect()
  const topic = { topic: 'market.rating', market_id: 'mkt_2' }
  expect(await stream.ask({ op: 'subscribe', id: '1', ...topic })).toMatchObject({ type: 'subscribed' })
  await stream.close()
})

function withoutAge(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data, (name, value) => (name === 'freshness_ms' ? undefined : value)))
}

test('the record of a market is the same before and after the warehouse stores it', async () => {
  const { pool } = await database()
  const { engine, maker, stop } = await startWorld(pool)
  atEnd(stop)
  await engine.client.submit(maker.operate(LISTED))
  const warehouse_root = join(tempFolder(), 'warehouse')
  const warehouse = await openWarehouse({ root: warehouse_root, create: true })
  atEnd(() => warehouse.close())
  const verifier = await createSignatureVerifier({ environment: 'test' })
  atEnd(() => verifier.close())
  const sealing = keyEncryptionKey('5e'.repeat(32), 'test')
  const trading = tradingPorts({ pool, engine: engine.client, verifier, sealing })
  const place = { host: '127.0.0.1', port: 0, environment: 'test', rate_limits: 'off' } as const
  const api = await serveApi({ warehouse_root, ...place, trading, query_limits: PATIENT_QUERIES })
  atEnd(() => api.close())
  const get = async (path: string) => {
    const response = await fetch(`${api.base_url}/v1${path}`)
    return JSON.parse(await response.text())
  }
  const stated = async (path: string) => stable((await get(path)).data)
  const paths = ['/markets/mkt_1', '/markets/mkt_2', '/markets', '/events/evt_2', '/events']
  await until(async () => (await get('/markets/mkt_2/price')).error === undefined)
  const before = await Promise.all(paths.map(stated))
  expect(before[2]).toHaveLength(2)
  const served = await get('/markets/mkt_2')
  const tail = await openVenueTail({ warehouse, reads: createVenueReads(pool), now: wallClock })
  while (!(await tail.take()).is_at_head);
  await until(async () => (await get('/markets/mkt_2')).data?.eligibility != null)
  expect(await Promise.all(paths.map(stated))).toEqual(before)
  const again = await get(`/markets/mkt_2?as_of=${served.meta.published_at}`)
  expect(again.data).toEqual(served.data)
})

/** An answer without the records that only the warehouse has, and without the instants at which it learned of events. */
function stable(data: unknown): unknown {
  const later = ['eligibility', 'metrics']
  return JSON.parse(
    JSON.stringify(data, function (this: Record<string, unknown>, name, value) {
      const is_event = 'market_ids' in this
      return later.includes(name) || (is_event && name === 'updated_at') ? undefined : value
    }),
  )
}
