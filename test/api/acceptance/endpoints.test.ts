import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { publishMarks } from '../../../operations/marks/publish-marks.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { ELIGIBILITY_ENDPOINTS } from '../../../protocol/endpoints/eligibility-endpoints.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../../../protocol/endpoints/endpoints.ts'
import { GOVERNANCE_ENDPOINTS } from '../../../protocol/endpoints/governance-endpoints.ts'
import { LOOKUP_ENDPOINTS } from '../../../protocol/endpoints/lookup-endpoints.ts'
import { NOTICE_ENDPOINTS } from '../../../protocol/endpoints/notice-endpoints.ts'
import { PROOF_ENDPOINTS } from '../../../protocol/endpoints/proof-endpoints.ts'
import { RATING_ENDPOINTS } from '../../../protocol/endpoints/rating-endpoints.ts'
import { ROBUSTNESS_ENDPOINTS } from '../../../protocol/endpoints/robustness-endpoints.ts'
import { SEVERITY_ENDPOINTS } from '../../../protocol/endpoints/severity-endpoints.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { assertIsError, assertMatchesOperation } from '../../support/match-schema.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { FILTERS } from './filters.ts'
import { addLateData, HARBOR_RANGE, harborWarehouse } from './harbor.ts'
import { END, MINUTE, marketOf, outcomeOf, START } from './harbor-rows.ts'
import { type Answer, rowOf, rowsOf, serve, sql, walk } from './served.ts'

/** Every endpoint, with and without each of its parameters: schemas, filters compared with SQL, unknown ids, cursors. */
const folder = tempFolder()
// Hundreds of requests each, on a machine that may have more to do.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
let warehouse: Warehouse
let api: Awaited<ReturnType<typeof serve>>

const MARKET_A = marketOf('v', 'A')
const OUTCOME_A = outcomeOf('v', 'A')
const RANGE = `start_time=${HARBOR_RANGE.from}&end_time=${HARBOR_RANGE.to}`
const at = (minute: number) => formatMicros(START + minute * MINUTE)

beforeAll(async () => {
  const root = await harborWarehouse(folder)
  warehouse = await openWarehouse({ root })
  await addLateData(warehouse)
  api = await serve(root)
})
afterAll(() => warehouse.close())

async function ok(operation_id: OperationId, path: string): Promise<Answer> {
  const answer = await api.get(path)
  expect([path, answer.status, answer.body.error ?? null]).toEqual([path, 200, null])
  assertMatchesOperation(operation_id, answer.body)
  return answer
}

/** Values of one column of a SELECT over the public views. */
async function column(query: string): Promise<unknown[]> {
  return (await sql(warehouse, query)).map((row) => Object.values(row)[0])
}

const idsOf = (answer: Answer, id: string) => rowsOf(answer).map((row) => row[id])

describe('filters filter as SQL does', () => {
  test.each(FILTERS)('%s %s ?%s %s', async (operation, path, id, query, select) => {
    const answer = await ok(operation, `${path}?limit=1000${query === '' ? '' : `&${query}`}`)
    const wanted = await column(select)
    const in_any_order = !select.includes('published_at') && !path.startsWith('/indexes/')
    const found = idsOf(answer, id)
    expect(in_any_order ? [...found].sort() : found).toEqual(in_any_order ? [...wanted].sort() : wanted)
  })

  test('each filter above leaves something out, or nothing in, so that one that does nothing is seen', async () => {
    const counts = new Map<string, Set<number>>()
    for (const [, path, , query, select] of FILTERS) {
      const known = counts.get(path) ?? new Set()
      counts.set(path, known.add((await column(select)).length))
      expect([path, query === '' || known.size > 1]).toEqual([path, true])
    }
  })
})

describe('every endpoint answers as its schema says', () => {
  const SINGLES: readonly (readonly [OperationId, string])[] = [
    ['get_index', '/indexes/idx_harbor'],
    ['get_methodology', '/methodologies/mth_pier/versions/1.0.0'],
    ['get_index_price', '/indexes/idx_harbor/price'],
    ['get_event', '/events'],
    ['get_market', `/markets/${MARKET_A}`],
    ['get_market_price', `/markets/${MARKET_A}/price`],
    ['get_market_resolution', `/markets/${marketOf('v', 'S')}/resolution`],
    ['list_market_resolutions', `/markets/${marketOf('v', 'S')}/resolution/history`],
    ['get_order_book', `/markets/${MARKET_A}/orderbook?outcome_id=${OUTCOME_A}`],
    ['get_order_book', `/markets/${MARKET_A}/orderbook?outcome_id=${OUTCOME_A}&depth=1`],
    ['list_index_candles', `/indexes/idx_pier/candles?${RANGE}&interval=PT1H`],
    ['list_market_candles', `/markets/${MARKET_A}/candles?${RANGE}&interval=PT15M&outcome_id=${OUTCOME_A}&field=mark`],
    ['list_index_prices', `/indexes/idx_pier/prices?sampling=latest_per_interval&interval=P1D&${RANGE}`],
    ['list_market_prices', `/markets/${MARKET_A}/prices?sampling=latest_per_interval&interval=PT1H&${RANGE}`],
    ['get_time', '/time'],
    ['get_capabilities', '/capabilities'],
  ]

  test('reads of one', async () => {
    const event_id = rowsOf(await api.get('/events'))[0]!.event_id
    for (const [operation, path] of SINGLES)
      await ok(operation, operation === 'get_event' ? `/events/${event_id}` : path)
    const [level, correction] = await sql(
      warehouse,
      "select * from index_observation_history where index_id = 'idx_pier' and tick_at = '2026-02-01T06:00:00Z' order by revision",
    )
    for (const expand of ['', '?expand=inputs']) {
      const answer = await ok('get_index_observation', `/indexes/idx_pier/prices/${level!.observation_id}${expand}`)
      expect(answer.body.meta.correction_chain).toEqual([level!.observation_id, correction!.observation_id])
      expect('inputs' in rowOf(answer)).toBe(expand !== '')
    }
    const version_id = level!.index_version_id
    await ok('get_index_version', `/indexes/idx_pier/versions/${version_id}`)
    for (const expand of ['', '?expand=market', '?expand=market,outcomes,venue']) {
      const answer = await ok('list_constituents', `/indexes/idx_pier/versions/${version_id}/constituents${expand}`)
      expect(idsOf(answer, 'constituent_id')).toEqual(['con_f', 'con_r', 'con_s'])
    }
    const marks = rowsOf(await api.get(`/markets/${MARKET_A}/prices?field=mark&limit=1`))
    const bids = rowsOf(await api.get(`/markets/${MARKET_A}/prices?field=bid&limit=1`))
    expect(
      rowOf(await ok('get_market_observation', `/markets/${MARKET_A}/prices/${marks[0]!.observation_id}`)).quote,
    ).toBeNull()
    const bid = rowOf(await ok('get_market_observation', `/markets/${MARKET_A}/prices/${bids[0]!.observation_id}`))
    expect((bid.quote as Row).bid).toBe(bid.value)
  })

  test('the resolution of a market, and the one that rests on some evidence', async () => {
    const path = `/markets/${marketOf('v', 'S')}/resolution`
    const stored = await sql(
      warehouse,
      'select resolution_id, source_series_id, finality from market_resolution_history',
    )
    const own = stored.find((row) => row.source_series_id === null && row.finality === 'final')!
    const other = stored.find((row) => row.source_series_id === 's2')!
    expect(rowOf(await api.get(path)).resolution_id).toBe(other.resolution_id)
    const named = await ok('get_market_resolution', `${path}?evidence_id=${own.resolution_id}`)
    expect(rowOf(named)).toMatchObject({ resolution_id: own.resolution_id, finality: 'final', revision: 2 })
    const before = await api.get(`${path}?evidence_id=${own.resolution_id}&as_of=${at(515)}`)
    expect([before.status, before.body.error?.code]).toEqual([404, 'RESOLUTION_NOT_FOUND'])
  })

  test('a resolved market pays what its current resolution says, and the history has every revision', async () => {
    const path = `/markets/${marketOf('v', 'S')}`
    const resolution = rowOf(await api.get(`${path}/resolution`))
    const market = rowOf(await api.get(path))
    const payouts = new Map((resolution.payouts as Row[]).map((item) => [item.outcome_id, item.payout]))
    expect(resolution.finality).toBe('final')
    expect(market.status).toBe('resolved')
    for (const outcome of market.outcomes as Row[]) {
      expect(outcome.payout_value).toBe(payouts.get(outcome.outcome_id))
      expect(outcome.status).toBe(Number(outcome.payout_value) === 1 ? 'won' : 'lost')
    }
    const items = rowsOf(await api.get(`${path}/resolution/history`))
    const stored = await sql(
      warehouse,
      `select resolution_id from market_resolution_history where market_id = '${marketOf('v', 'S')}'`,
    )
    expect(items.map((row) => row.resolution_id).sort()).toEqual(stored.map((row) => row.resolution_id).sort())
    const { correction_chain } = (await api.get(`${path}/resolution`)).body.meta
    expect(correction_chain).toEqual(items.map((row) => row.resolution_id))
    const pages: Row[] = []
    for (let cursor = ''; ; ) {
      const page = await api.get(`${path}/resolution/history?limit=1${cursor}`)
      pages.push(...rowsOf(page))
      const next = (page.body as unknown as { page: { next_cursor: string | null } }).page.next_cursor
      if (next === null || pages.length > items.length) break
      cursor = `&cursor=${next}`
    }
    expect(pages).toEqual(items)
    for (const row of items) {
      expect(row.final_at === null).toBe(row.finality !== 'final')
      const then = rowsOf(await api.get(`${path}/resolution/history?as_of=${row.published_at}`))
      const known = items.filter((item) => String(item.published_at) <= String(row.published_at))
      expect(then.map((item) => item.resolution_id)).toEqual(known.map((item) => item.resolution_id))
    }
  })

  test('no endpoint is left out', () => {
    const tested = new Set<string>([...SINGLES, ...FILTERS].map(([operation]) => operation))
    const apart = ['get_index_observation', 'get_index_version', 'list_constituents', 'get_market_observation']
    // test/api/records has those of ratings, of severity and of governance.
    const records = [
      RATING_ENDPOINTS,
      SEVERITY_ENDPOINTS,
      GOVERNANCE_ENDPOINTS,
      NOTICE_ENDPOINTS,
      ELIGIBILITY_ENDPOINTS,
    ]
    const of_records = records.flatMap(Object.keys)
    // test/api/agreement has the look-ups.
    const look_ups = Object.keys(LOOKUP_ENDPOINTS)
    // test/api/transparency has the proofs.
    const proofs = Object.keys(PROOF_ENDPOINTS)
    // robustness.test.ts has what is shown beside a level.
    const beside = Object.keys(ROBUSTNESS_ENDPOINTS)
    expect([...tested, ...apart, ...of_records, ...look_ups, ...proofs, ...beside].sort()).toEqual(
      Object.keys(ENDPOINTS).sort(),
    )
  })
})

test('an id that does not exist, or did not yet, is not found', async () => {
  const [index] = rowsOf(await api.get('/indexes/idx_harbor/prices?limit=1'))
  const version = index!.index_version_id
  const NOT_FOUND: readonly (readonly [path: string, code: string])[] = [
    ['/indexes/idx_none', 'INDEX_NOT_FOUND'],
    ['/indexes/idx_none/price', 'INDEX_NOT_FOUND'],
    ['/indexes/idx_none/prices', 'INDEX_NOT_FOUND'],
    [`/indexes/idx_none/candles?${RANGE}&interval=PT1H`, 'INDEX_NOT_FOUND'],
    ['/indexes/idx_harbor/versions/idv_none', 'INDEX_VERSION_NOT_FOUND'],
    [`/indexes/idx_pier/versions/${version}`, 'INDEX_VERSION_NOT_FOUND'],
    ['/indexes/idx_harbor/versions/idv_none/constituents', 'INDEX_VERSION_NOT_FOUND'],
    ['/methodologies/mth_harbor/versions/9', 'METHODOLOGY_NOT_FOUND'],
    ['/indexes/idx_harbor/prices/iob_none', 'OBSERVATION_NOT_FOUND'],
    [`/indexes/idx_pier/prices/${index!.observation_id}`, 'OBSERVATION_NOT_FOUND'],
    [`/indexes/idx_harbor/prices/${index!.observation_id}?as_of=${at(0)}`, 'OBSERVATION_NOT_FOUND'],
    ['/events/evt_none', 'EVENT_NOT_FOUND'],
    ['/markets/mkt_none', 'MARKET_NOT_FOUND'],
    [`/markets/${MARKET_A}?as_of=${at(-121)}`, 'MARKET_NOT_FOUND'],
    ['/markets/mkt_none/price', 'MARKET_NOT_FOUND'],
    ['/markets/mkt_none/prices', 'MARKET_NOT_FOUND'],
    [`/markets/${MARKET_A}/prices/obs_none.bid`, 'OBSERVATION_NOT_FOUND'],
    [`/markets/${MARKET_A}/prices/mrk_none.mark`, 'OBSERVATION_NOT_FOUND'],
    [`/markets/${MARKET_A}/resolution`, 'RESOLUTION_NOT_FOUND'],
    [`/markets/${MARKET_A}/orderbook?outcome_id=out_none`, 'MARKET_OUTCOME_NOT_FOUND'],
    [`/markets/${marketOf('v', 'B')}/orderbook?outcome_id=${outcomeOf('v', 'B')}`, 'ORDER_BOOK_NOT_FOUND'],
    ['/markets/mkt_none/trades', 'MARKET_NOT_FOUND'],
  ]
  for (const [path, code] of NOT_FOUND) {
    const { status, body } = await api.get(path)
    expect([path, status, body.error?.code]).toEqual([path, 404, code])
    assertIsError(body)
  }
})

/** Versions of the tables' logs that the service has read. */
async function seenVersions(): Promise<Readonly<Record<string, number>>> {
  const readiness = await (await fetch(`${api.base_url}/readyz`)).json()
  return (readiness as { versions: Record<string, number> }).versions
}

test('walked in small pages while others commit, each collection is what it was at the first page', async () => {
  const paged = (Object.keys(ENDPOINTS) as OperationId[]).filter((id) => endpointOf(id).envelope === 'collection')
  const paths = new Map(
    FILTERS.filter(([, , , query]) => query === '').map(([id, path, key]) => [id, [path, key]] as const),
  )
  let hour = 0
  const publish = async () => {
    const [from, to] = [END + hour * 60 * MINUTE, END + (hour + 1) * 60 * MINUTE].map((micros) => formatMicros(micros))
    hour += 1
    await publishMarks({ from: from!, to: to!, interval: 'PT1H', clock: 'wall', warehouse })
    // Seen by the service before the next collection is read: its first page and the whole of it are of one state.
    const { version } = await warehouse.log('market_mark').snapshot()
    await expect.poll(async () => (await seenVersions()).market_mark).toBe(version)
  }
  for (const [id, [path, key]] of paths) {
    expect(paged).toContain(id)
    const whole = idsOf(await api.get(`${path}?limit=1000`), key)
    let pages = 0
    const items = await walk(api.get, path, Math.max(1, Math.ceil(whole.length / 4)), async () => {
      pages += 1
      if (pages === 2) await publish()
    })
    expect([id, items.map((item) => item[key])]).toEqual([id, whole])
    expect(new Set(whole).size).toBe(whole.length)
  }
  expect(toMicros(HARBOR_RANGE.to)).toBe(END)
})
