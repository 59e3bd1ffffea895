import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedApi, serveApi } from '../../../api/serve.ts'
import { importPayloads } from '../../../operations/import/import-payloads.ts'
import { KALSHI } from '../../../pipelines/venues/kalshi/endpoints.ts'
import { formatMicros, MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { MARKET } from '../../pipelines/venues/kalshi/payloads.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { type PayloadLine, writePayloads } from '../../support/payload-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/**
 * A book that no message changes, on a connection that answers pings for ten minutes and is down then. Its stored payloads give the
 * same labels as of any instant, however often they are asked for.
 */
const START = toMicros('2026-03-02T12:00:00Z')
const CONNECTED_S = 600
const instant = (second: number) => formatMicros(START + second * MICROS_PER_SECOND)
const folder = tempFolder()
let api: ServedApi

beforeAll(async () => {
  const line = (second: number, endpoint: string, body: object): PayloadLine => {
    return { endpoint, received_at: instant(second), body }
  }
  const ladder = { yes_dollars_fp: [['0.0600', '300.00']], no_dollars_fp: [['0.9300', '20.00']] }
  const snapshot = { market_ticker: MARKET.ticker, ...ladder }
  writePayloads(join(folder, 'archive'), 'quiet.payloads.jsonl', [
    line(0, KALSHI.market, { market: MARKET }),
    line(1, KALSHI.ws_orderbook_snapshot, { type: 'orderbook_snapshot', sid: 1, seq: 1, msg: snapshot }),
    ...Array.from({ length: CONNECTED_S / 10 }, (_, n) =>
      line(2 + n * 10, KALSHI.ws_heartbeat, { type: 'heartbeat', sids: [1] }),
    ),
  ])
  const warehouse_root = join(folder, 'warehouse')
  const warehouse = await openWarehouse({ root: warehouse_root, create: true })
  const report = await importPayloads({ archive: 'kalshi', dir: join(folder, 'archive'), clock: 'recorded', warehouse })
  await warehouse.close()
  expect(report).toMatchObject({ records_quarantined: 0, records_revised: 0 })
  const at = { warehouse_root, host: '127.0.0.1', port: 0 }
  api = await serveApi({ ...at, environment: 'test', rate_limits: 'off', query_limits: PATIENT_QUERIES })
})

afterAll(() => api.close())

async function read<T>(path: string): Promise<T> {
  const response = await fetch(`${api.base_url}/v1${path}`)
  expect({ path, status: response.status }).toEqual({ path, status: 200 })
  return ((await response.json()) as { data: T }).data
}

type Labeled = { readonly quality_state: string; readonly confirmed_at: string; readonly source_at: string }

test('view and book stay valid while pings are answered, and are stale a minute after the last answer', async () => {
  const [market] = await read<{ market_id: string; outcomes: { outcome_id: string }[] }[]>('/markets')
  const { market_id, outcomes } = market!
  const labels: string[][] = []
  // Records of a minute are published with its last one, so instants are those at the end of a minute.
  for (let second = 119; second < CONNECTED_S + 240; second += 60) {
    const as_of = instant(second)
    const view = await read<Labeled>(`/markets/${market_id}/price?as_of=${as_of}`)
    const books = await Promise.all(
      outcomes.map(({ outcome_id }) =>
        read<Labeled>(`/markets/${market_id}/orderbook?outcome_id=${outcome_id}&as_of=${as_of}`),
      ),
    )
    labels.push([view, ...books].map(({ quality_state }) => quality_state))
    const age_s = (toMicros(as_of) - toMicros(books[0]!.confirmed_at)) / MICROS_PER_SECOND
    expect(age_s).toBeLessThan(second < CONNECTED_S ? 60 : 400)
  }
  const valid = ['valid', 'valid', 'valid']
  expect(labels.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => valid))
  expect(labels.slice(-3)).toEqual(Array.from({ length: 3 }, () => ['stale', 'stale', 'stale']))
})
