import { expect, test } from 'vitest'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { bust } from '../../support/trading/random-settling.ts'
import { startWorld, until } from './own-world.ts'
import { serveVenue } from './serve-venue.ts'

const database = withDatabase()

test('a void trade is a further record: in the stream, in REST, and in a process that was just started', async () => {
  const { pool } = await database()
  const { engine, maker, stop } = await startWorld(pool)
  const served = await serveVenue(pool)
  await until(() => served.venue.market('mkt_1') !== null)
  const client = await served.connect()
  const subscribe = { op: 'subscribe', topic: 'market.trade', market_id: 'mkt_1' }
  expect(await client.ask({ id: '1', ...subscribe })).toMatchObject({ type: 'subscribed' })
  const terms = { limit_price: '0.40', quantity: '10.00' }
  await engine.client.submit(maker.place('acct_a', { ...terms, side: 'SELL' }))
  await engine.client.submit(maker.place('acct_b', { ...terms, side: 'BUY' }))
  const trade = await client.next(({ kind }) => kind === 'trade')
  const { rows } = await pool.query<{ fill_id: string }>('select fill_id from trading.fill order by engine_sequence')
  for (const [place, { fill_id }] of rows.entries()) {
    await engine.client.submit(maker.operate(bust(fill_id, `adj_${place}`)))
  }
  const voided = await client.next(({ kind }) => kind === 'void')
  const { trade_id, source_at } = trade.data as { trade_id: string; source_at: string }
  expect(voided).toMatchObject({
    prev_seq: trade.seq,
    data: {
      source_trade_id: trade_id,
      source_at,
      quantity: '10.000000',
      correction: { kind: 'void', supersedes_trade_id: trade_id },
    },
  })
  const listed = await served.get('/markets/mkt_1/trades')
  expect(listed.body.data).toEqual([trade.data, voided.data])
  const ids = [trade.data, voided.data].map((record) => (record as { trade_id: string }).trade_id)
  for (const [place, record] of listed.body.data.entries()) {
    const alone = await served.get(`/observations/${record.trade_id}`)
    expect(alone.body).toMatchObject({ data: { kind: 'trade', record }, meta: { correction_chain: ids } })
    const then = await served.get(`/observations/${record.trade_id}?as_of=${record.published_at}`)
    expect(then.body).toMatchObject({ data: { record }, meta: { correction_chain: ids.slice(0, place + 1) } })
    const before = formatMicros(toMicros(record.published_at) - 1)
    expect((await served.get(`/observations/${record.trade_id}?as_of=${before}`)).status).toBe(404)
    const again = await served.get(`/observations/${record.trade_id}?as_of=${alone.body.meta.published_at}`)
    expect(again.body.data).toEqual(alone.body.data)
  }
  // Its history is empty until the warehouse has records of it.
  const then = `as_of=${(voided.data as { published_at: string }).published_at}`
  expect(await served.get(`/markets/mkt_1/prices?${then}`)).toMatchObject({ status: 200, body: { data: [] } })
  const price = await served.get('/markets/mkt_1/price')
  const fresh = await serveVenue(pool)
  await until(() => fresh.venue.market('mkt_1') !== null)
  const again = await fresh.get('/markets/mkt_1/price')
  for (const { body } of [price, again]) expect(body.data.outcomes?.[0]?.last_trade ?? null).toBeNull()
  expect((await fresh.get('/markets/mkt_1/trades')).body.data).toEqual(listed.body.data)
  const resumed = await fresh.connect()
  const { epoch, seq } = trade as unknown as { epoch: string; seq: number }
  await resumed.ask({ id: '1', ...subscribe, resume: { epoch, after_seq: seq } })
  expect((await resumed.next(({ kind }) => kind === 'void')).data).toEqual(voided.data)
  for (const one of [client, resumed]) await one.close()
  for (const one of [served, fresh]) await one.stop()
  await stop()
}, 120_000)
