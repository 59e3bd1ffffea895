import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveApi } from '../../../api/serve.ts'
import { tradingPorts } from '../../../api/trading-ports.ts'
import { keyEncryptionKey } from '../../../trading/auth/seal-secret.ts'
import { createSignatureVerifier } from '../../../trading/auth/signature-verifier.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { StreamClient } from '../stream/stream-client.ts'
import { startWorld } from './own-world.ts'

const database = withDatabase()
const BOOK = { topic: 'market.orderbook', market_id: 'mkt_1', outcome_id: 'out_yes' }

test('a served process shows an order in stream, book and price view that its warehouse has never heard of', async () => {
  const { pool } = await database()
  const { engine, maker, stop } = await startWorld(pool)
  const warehouse_root = join(tempFolder(), 'warehouse')
  await (await openWarehouse({ root: warehouse_root, create: true })).close()
  const verifier = await createSignatureVerifier({ environment: 'test' })
  const sealing = keyEncryptionKey('5e'.repeat(32), 'test')
  const trading = tradingPorts({ pool, engine: engine.client, verifier, sealing })
  const place = { host: '127.0.0.1', port: 0, environment: 'test', rate_limits: 'off' } as const
  const api = await serveApi({ warehouse_root, ...place, trading, query_limits: PATIENT_QUERIES })
  const get = async (path: string) => {
    const response = await fetch(`${api.base_url}/v1/markets/mkt_1${path}`)
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  while ((await get('/price')).status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
  const client = await StreamClient.open(`${api.stream_url}/v1/ws`)
  expect(await client.ask({ op: 'subscribe', id: '1', ...BOOK })).toMatchObject({ type: 'subscribed' })
  await engine.client.submit(maker.place('acct_a', { limit_price: '0.37', quantity: '4' }))
  const level = { price: '0.370000000', quantity: '4.000000', order_count: 1 }
  const delta = await client.next(({ kind }) => kind === 'delta')
  expect(delta.data).toMatchObject({ bids: [level], asks: [] })
  const book = await get('/orderbook?outcome_id=out_yes')
  expect(book.body.data).toMatchObject({ sequence: delta.seq, bids: [level] })
  const price = await get('/price')
  expect(price.body.data).toMatchObject({ source_sequence: delta.seq, market_status: 'open' })
  expect((await get('/trades')).body).toMatchObject({ data: [], page: { has_more: false } })
  expect((await get('')).body.data).toMatchObject({ market_id: 'mkt_1', status: 'open', eligibility: null })
  await client.close()
  await api.close()
  await verifier.close()
  await stop()
})
