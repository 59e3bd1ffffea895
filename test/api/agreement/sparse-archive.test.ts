import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedApi, serveApi } from '../../../api/serve.ts'
import { runDoctor } from '../../../client/doctor/run-doctor.ts'
import { importAndMark } from '../../../operations/marks/import-and-mark.ts'
import { QUOTE_COLUMNS, TRADE_COLUMNS } from '../../../pipelines/venues/quotes-archive.ts'
import { formatMicros, MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import type { MarketPriceResult } from '../../../protocol/resources/found-observation.ts'
import type { MarketPrice } from '../../../protocol/resources/market-price.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/**
 * Markets of an archive that lack something: an outcome has trades and no quote, a market has trades alone, a book is old before the
 * trade of its own instant, an outcome beside its own wide book is marked by the other one, and a payout has a late quote.
 */
const START = toMicros('2025-11-20T00:00:00Z')
const at = (minute: number, second = 0) => formatMicros(START + (minute * 60 + second) * MICROS_PER_SECOND)
const folder = tempFolder()
let api: ServedApi

type Values = Readonly<Record<string, string>>
const quote = (market: string, minute: number, bid: string, ask: string, more: Values = {}): Values => ({
  ...{ received_at: at(minute, 1), source_at: at(minute), venue_id: 'kalshi', source_market_id: market },
  ...{ outcome: 'YES', bid, ask, bid_depth: '100', ask_depth: '120', ...more },
})
const trade = (market: string, minute: number, outcome: string, price: string): Values => ({
  ...{ received_at: at(minute, 2), source_at: at(minute), venue_id: 'kalshi', source_market_id: market },
  ...{ outcome, price, quantity: '5', source_trade_id: `${market}-${minute}-${outcome}` },
})
const minutes = Array.from({ length: 20 }, (_, minute) => minute)
const MARKETS = ['TRADED', 'UNQUOTED', 'CARRIED', 'WIDE', 'SETTLED']
const QUOTES = [
  ...minutes.flatMap((n) => [quote('TRADED', n, '0.88', '0.89'), quote('SETTLED', n, '0.88', '0.89')]),
  ...minutes.flatMap((n) => [quote('WIDE', n, '0.48', '0.49'), quote('WIDE', n, '0.2', '0.9', { outcome: 'NO' })]),
  quote('CARRIED', 19, '0.5', '0.51', { last_trade: '0.55', last_trade_at: at(19) }),
]
const TRADES = [
  ...[3, 9, 18].flatMap((n) => [trade('TRADED', n, 'YES', '0.88'), trade('TRADED', n, 'NO', '0.12')]),
  ...[5, 12].map((n) => trade('UNQUOTED', n, 'YES', `0.4${n % 10}`)),
  // Carries the marks of the others until all that follows from them is said.
  ...[160, 161].map((n) => trade('TRADED', n, 'YES', '0.88')),
]
const FINAL = {
  ...{ received_at: at(25, 10), source_at: at(25), venue_id: 'kalshi', source_market_id: 'SETTLED' },
  ...{ finality: 'final', payouts: { YES: '1', NO: '0' } },
}
const LATER = [quote('SETTLED', 25, '0.9', '0.91'), quote('TRADED', 150, '0.88', '0.89')]
const LATE = [quote('SETTLED', 25, '0.9', '0.92', { source_at: at(25, 30), received_at: at(25, 31) })]

function csvOf(columns: readonly string[], rows: readonly Values[]): string {
  return [columns.join(), ...rows.map((row) => columns.map((column) => row[column] ?? '').join()), ''].join('\n')
}

function writeArchive(name: string, quotes: readonly Values[], trades: readonly Values[]): string {
  const dir = join(folder, name)
  mkdirSync(dir)
  const market = (id: string) => ({ received_at: at(-10), venue_id: 'kalshi', source_market_id: id, title: id })
  const opened = MARKETS.map((id) => JSON.stringify({ ...market(id), status: 'open', status_at: at(-20) }))
  writeFileSync(join(dir, 'markets.jsonl'), `${opened.join('\n')}\n`)
  writeFileSync(join(dir, 'quotes.csv'), csvOf(QUOTE_COLUMNS, quotes))
  writeFileSync(join(dir, 'trades.csv'), csvOf(TRADE_COLUMNS, trades))
  writeFileSync(join(dir, 'resolutions.jsonl'), `${JSON.stringify(FINAL)}\n`)
  return dir
}

beforeAll(async () => {
  const warehouse_root = join(folder, 'warehouse')
  const warehouse = await openWarehouse({ root: warehouse_root, create: true })
  const load = (dir: string) => importAndMark({ archive: 'quotes', dir, clock: 'wall', warehouse })
  expect(await load(writeArchive('first', [...QUOTES, ...LATER], TRADES))).toMatchObject({ records_quarantined: 0 })
  expect((await load(writeArchive('late', LATE, TRADES))).marks_published).toBeGreaterThan(0)
  await warehouse.close()
  const at = { warehouse_root, host: '127.0.0.1', port: 0 }
  api = await serveApi({ ...at, environment: 'test', rate_limits: 'off', query_limits: PATIENT_QUERIES })
}, 240_000)

afterAll(() => api.close())

async function read<T>(path: string): Promise<T> {
  const response = await fetch(`${api.base_url}/v1${path}`)
  expect({ path, status: response.status }).toEqual({ path, status: 200 })
  return ((await response.json()) as { data: T }).data
}

async function marketNamed(name: string) {
  const markets =
    await read<{ market_id: string; title: string; outcomes: { outcome_id: string; label: string }[] }[]>('/markets')
  return markets.find(({ title }) => title === name)!
}

const CHECKS = ['A3', 'A7', 'A8', 'A9', 'A11', 'A13', 'A14', 'A15']

test('the doctor finds no difference', async () => {
  const { checks } = await runDoctor({ base_url: api.base_url, budget_ms: 60_000, only: CHECKS, seed: 5 })
  expect(checks.flatMap(({ id, differences }) => differences.map((found) => ({ id, ...found })))).toEqual([])
  expect(checks.map(({ id, compared }) => [id, compared > 0])).toEqual(CHECKS.map((id) => [id, true]))
}, 240_000)

test('the view shows trades of outcomes without quotes, now, as of then, and in a batch', async () => {
  const { market_id, outcomes } = await marketNamed('UNQUOTED')
  const yes = outcomes.find(({ label }) => label === 'YES')!.outcome_id
  const expected = { outcome_id: yes, best_bid: null, mark: null, last_trade: '0.420000000', last_trade_at: at(12) }
  const view = await read<MarketPrice>(`/markets/${market_id}/price`)
  expect(view.outcomes).toContainEqual(expect.objectContaining(expected))
  const [of_batch] = await read<MarketPriceResult[]>(`/market-prices?market_ids=${market_id}`)
  expect(of_batch!.price?.outcomes).toEqual(view.outcomes)
  const then = await read<MarketPrice>(`/markets/${market_id}/price?as_of=${view.published_at}`)
  expect(then.outcomes).toContainEqual(expect.objectContaining(expected))
})
