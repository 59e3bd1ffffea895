import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { indexCandles } from '../../../operations/index/index-candles.ts'
import { showIndex } from '../../../operations/index/show-index.ts'
import { compactWarehouse } from '../../../operations/upkeep/compact-warehouse.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { IndexDay as Day } from '../../../protocol/resources/index-resource.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { tidemark } from '../../support/run-cli.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { StreamClient } from '../stream/stream-client.ts'
import { addLateData, HARBOR_INDEXES, HARBOR_RANGE, harborWarehouse } from './harbor.ts'
import { END, MINUTE, marketOf, outcomeOf, START } from './harbor-rows.ts'
import { type Answer, around, rowOf, rowsOf, serve, sql, walk } from './served.ts'

/** The API's answer as of an instant equals the command line's, and later events never change it. */
const folder = tempFolder()
// Hundreds of requests each, on a machine that may have more to do.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
let root: string
let warehouse: Warehouse
let api: Awaited<ReturnType<typeof serve>>
let instants: readonly string[]

/** Label of a level when it is read; null: there is none. */
function labelOf(level: object | null | undefined) {
  if (level == null) return null
  const { observation_id, quality_state, reason_codes, missing_constituent_ids } = level as Row
  return { observation_id, quality_state, reason_codes, missing_constituent_ids }
}

beforeAll(async () => {
  root = await harborWarehouse(folder)
  warehouse = await openWarehouse({ root })
  api = await serve(root)
  const published = await sql(warehouse, 'select distinct published_at from index_observation_history order by 1')
  const stamps = published.map((row) => toMicros(row.published_at))
  const boundaries = sized([0, 6], [0, 5, 6, -1]).flatMap((n) => around(stamps.at(n)!))
  const between: Micros[] = sized(
    [START - 60 * MINUTE, END + MINUTE],
    [START - 200 * MINUTE, START - 60 * MINUTE, START + 200 * MINUTE, END + MINUTE],
  )
  instants = [...boundaries, ...between].sort((a, b) => a - b).map((at) => formatMicros(at))
})
afterAll(() => warehouse.close())

describe('an answer as of an instant is that of the command line', () => {
  test('the latest level: greatest tick_at, not last published', async () => {
    for (const as_of of instants) {
      const query = `select index_id, observation_id, level, quality_state, published_at from index_observation
        qualify row_number() over (partition by index_id order by tick_at desc) = 1`
      const rows = await sql(warehouse, query, as_of)
      for (const index_id of HARBOR_INDEXES) {
        const row = rows.find((one) => one.index_id === index_id)
        const answer = await api.get(`/indexes/${index_id}/price?as_of=${as_of}`)
        expect([as_of, answer.status]).toEqual([as_of, row === undefined ? 404 : 200])
        if (row !== undefined) expect(rowOf(answer)).toMatchObject(row)
      }
    }
  })

  test('levels, with and without their corrections', async () => {
    for (const as_of of instants) {
      for (const [flag, view] of [
        ['false', 'index_observation'],
        ['true', 'index_observation_history'],
      ]) {
        const rows = await sql(
          warehouse,
          `select observation_id, level, revision from ${view} where index_id = 'idx_harbor' order by published_at, observation_id`,
          as_of,
        )
        const answer = await api.get(`/indexes/idx_harbor/prices?as_of=${as_of}&include_corrections=${flag}`)
        const shown = answer.status === 404 ? [] : rowsOf(answer)
        expect(shown.map(({ observation_id, level, revision }) => ({ observation_id, level, revision }))).toEqual(rows)
      }
    }
  })

  test('candles, the definition and the label of the newest level', async () => {
    const range = `start_time=${HARBOR_RANGE.from}&end_time=${HARBOR_RANGE.to}`
    for (const as_of of instants.filter((at) => at >= formatMicros(START))) {
      const request = { index_id: 'idx_pier', as_of, warehouse }
      const wanted = await indexCandles({ ...request, ...HARBOR_RANGE, interval: 'PT1H' })
      const candles = await api.get(`/indexes/idx_pier/candles?${range}&interval=PT1H&as_of=${as_of}`)
      expect(candles.body.data).toEqual(wanted)
      const shown = await showIndex(request)
      const { simulated, ...index } = rowOf(await api.get(`/indexes/idx_pier?as_of=${as_of}`))
      expect(simulated).toBe(false)
      expect(shown).toMatchObject(index)
      expect(labelOf(shown.latest)).toEqual(labelOf(rowOf(await api.get(`/indexes/idx_pier/price?as_of=${as_of}`))))
    }
    const now = await showIndex({ index_id: 'idx_pier', as_of: null, warehouse })
    expect(labelOf(now.latest)).toEqual(labelOf(rowOf(await api.get('/indexes/idx_pier/price'))))
    expect(now.latest).toMatchObject({ quality_state: 'stale' })
    expect(now.latest!.reason_codes).toContain('OLDER_THAN_MAX_AGE')
  })

  test('the expanded list is what each index answers by itself', async () => {
    let compared = 0
    for (const as_of of [null, ...instants.filter((_, n) => n % 3 === 0)]) {
      const at = as_of === null ? '' : `&as_of=${as_of}`
      const answer = await api.get(`/indexes?expand=latest,day&limit=200${at}`)
      assertMatchesOperation('list_indexes', answer.body)
      for (const index of rowsOf(answer)) {
        const { latest, day, ...plain } = index as Row & { latest: Row | null; day: Day | null }
        const path = `/indexes/${index.index_id}`
        expect(plain).toEqual(rowOf(await api.get(`${path}?${at.slice(1)}`)))
        expect(index).toEqual(rowOf(await api.get(`${path}?expand=day,latest${at}`)))
        const price = await api.get(`${path}/price?${at.slice(1)}`)
        expect([latest === null, day === null]).toEqual([price.status === 404, price.status === 404])
        if (latest === null || day === null) continue
        const { max_age_ms, ...shown } = latest
        expect(rowOf(price)).toMatchObject(shown)
        expect(price.body.meta).toMatchObject({ max_age_ms })
        expect(day).toEqual(await dayOf(path, rowOf(price), day, at))
        compared += day.levels.filter((level) => level !== null).length
      }
    }
    expect(compared).toBeGreaterThan(20)
    const refused = await api.get('/indexes?expand=day&limit=201')
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'VALIDATION_PARAMETER_INVALID'])
  })

  /** The same day from the samples of the index, with the plainest arithmetic. */
  async function dayOf(path: string, latest: Row, { start_time, end_time }: Day, at: string): Promise<Day> {
    const samples = 'time_domain=source&sampling=latest_per_interval&interval=PT15M&limit=1000'
    const rows = rowsOf(await api.get(`${path}/prices?start_time=${start_time}&end_time=${end_time}&${samples}${at}`))
    const first = toMicros(start_time)
    const bucketOf = (row: Row) => Math.floor((toMicros(row.source_cutoff_at) - first) / (15 * MINUTE))
    const by_bucket = new Map(rows.map((row) => [bucketOf(row), row]))
    const levels = Array.from({ length: 98 }, (_, bucket) => (by_bucket.get(bucket)?.level ?? null) as string | null)
    const base = rows.find((row) => bucketOf(row) < 5) ?? null
    const known = base !== null && latest.level !== null
    return {
      start_time,
      end_time: formatMicros(first + 98 * 15 * MINUTE),
      interval: 'PT15M',
      levels,
      base_level: (base?.level ?? null) as string | null,
      base_at: (base?.source_cutoff_at ?? null) as string | null,
      change: known ? (Number(latest.level) - Number(base.level)).toFixed(4) : null,
    }
  }

  test('the price of a market: its newest quote, or its book where that is newer, and its mark', async () => {
    const [market_id, outcome_id] = [marketOf('v', 'A'), outcomeOf('v', 'A')]
    for (const as_of of instants) {
      const where = `where outcome_id = '${outcome_id}' order by`
      const quotes = await sql(
        warehouse,
        `select field, value, source_at, published_at from market_observation ${where} source_at desc, field limit 3`,
        as_of,
      )
      const newest = quotes.filter(({ source_at }) => source_at === quotes[0]?.source_at)
      const fieldValue = (field: string) => newest.find((row) => row.field === field)?.value ?? null
      const [book] = await sql(
        warehouse,
        `select source_at, bids[1].price as bid, asks[1].price as ask from order_book ${where} source_at desc limit 1`,
        as_of,
      )
      const is_book = book !== undefined && String(book.source_at) >= String(quotes[0]?.source_at)
      const [mark] = await sql(warehouse, `select mark, mark_id from market_mark ${where} tick_at desc limit 1`, as_of)
      const answer = await api.get(`/markets/${market_id}/price?as_of=${as_of}`)
      expect([as_of, answer.status]).toEqual([as_of, newest.length === 0 ? 404 : 200])
      if (newest.length === 0) continue
      const shown = rowOf(answer)
      expect(shown).toMatchObject({ source_at: newest[0]!.source_at, published_at: newest[0]!.published_at })
      expect((shown.outcomes as Row[]).find((row) => row.outcome_id === outcome_id)).toMatchObject({
        best_bid: is_book ? book.bid : fieldValue('bid'),
        best_ask: is_book ? book.ask : fieldValue('ask'),
        last_trade: fieldValue('last_trade'),
        mark: mark?.mark ?? null,
      })
    }
  })

  test('as `tidemark sql` prints it', async () => {
    const as_of = instants[instants.length / 2]!
    const query = "select level from index_observation where index_id = 'idx_harbor' order by tick_at desc limit 1"
    const { stdout } = await tidemark(['sql', '--as-of', as_of, '--format', 'json', '--warehouse', root, query])
    expect(JSON.parse(stdout)).toEqual([
      { level: rowOf(await api.get(`/indexes/idx_harbor/price?as_of=${as_of}`)).level },
    ])
  })

  test('the future is refused', async () => {
    const { status, body } = await api.get('/indexes/idx_pier/price?as_of=2199-01-01T00:00:00Z')
    expect([status, body.error?.code]).toEqual([400, 'VALIDATION_AS_OF_IN_FUTURE'])
  })
})

describe('what was answered stays', () => {
  const KNOWN = formatMicros(END + 5 * MINUTE)
  const MIDDAY = formatMicros(START + 400 * MINUTE)
  const paths = () => {
    const [market_id, outcome_id] = [marketOf('v', 'A'), outcomeOf('v', 'A')]
    const range = `start_time=${HARBOR_RANGE.from}&end_time=${HARBOR_RANGE.to}`
    const at = sized([KNOWN], [KNOWN, MIDDAY]).flatMap((as_of) => [
      `/indexes?as_of=${as_of}`,
      `/indexes/idx_harbor?as_of=${as_of}`,
      `/indexes/idx_harbor/versions?as_of=${as_of}`,
      `/indexes/idx_harbor/price?as_of=${as_of}`,
      `/indexes/idx_pier/price?as_of=${as_of}`,
      `/indexes/idx_pier/prices?as_of=${as_of}&include_corrections=true`,
      `/indexes/idx_pier/prices?as_of=${as_of}&time_domain=source&limit=4`,
      `/indexes/idx_harbor/candles?${range}&interval=PT1H&as_of=${as_of}`,
      `/events?as_of=${as_of}`,
      `/markets?as_of=${as_of}`,
      `/markets/${market_id}?as_of=${as_of}`,
      `/markets/${market_id}/price?as_of=${as_of}`,
      `/markets/${market_id}/prices?as_of=${as_of}&include_corrections=true`,
      `/markets/${market_id}/candles?outcome_id=${outcome_id}&field=bid&${range}&interval=PT1H&as_of=${as_of}`,
      `/markets/${market_id}/orderbook?outcome_id=${outcome_id}&as_of=${as_of}`,
      `/markets/${marketOf('v', 'F')}/trades?as_of=${as_of}`,
    ])
    return [...at, `/markets/${marketOf('v', 'S')}/resolution?as_of=${KNOWN}`]
  }
  const answers = async (get: (path: string) => Promise<Answer>) => {
    const all: Record<string, unknown> = {}
    for (const path of paths()) {
      const { status, data_text, etag } = await get(path)
      all[path] = { status, data_text, etag }
    }
    return all
  }
  let first: Record<string, unknown>

  test('two processes give the same bytes and tags', async () => {
    first = await answers(api.get)
    expect(Object.values(first).map((answer) => (answer as Answer).status)).toEqual(paths().map(() => 200))
    const second = await serve(root)
    expect(await answers(second.get)).toEqual(first)
    await second.close()
  })

  test('two processes tell the same events of late data and its corrections, while pages are walked', async () => {
    const second = await serve(root)
    const clients = await Promise.all([api, second].map(({ stream_url }) => StreamClient.open(`${stream_url}/v1/ws`)))
    for (const client of clients)
      await client.ask({ op: 'subscribe', id: 'all', topic: 'index.price' } as { id: string })
    const before = await sql(
      warehouse,
      "select observation_id from index_observation_history where index_id = 'idx_pier' order by published_at, observation_id",
    )
    let committed = false
    const seen = await walk(api.get, '/indexes/idx_pier/prices?include_corrections=true', 5, async () => {
      if (!committed) await addLateData(warehouse)
      committed = true
    })
    expect(seen.map(({ observation_id }) => observation_id)).toEqual(before.map(({ observation_id }) => observation_id))
    const told = await Promise.all(
      clients.map(async (client) => {
        await client.next(() => client.data().filter(({ type }) => type === 'event').length >= 2)
        return client
          .data()
          .filter(({ type }) => type === 'event')
          .map(({ seq, prev_seq, epoch, data }) => ({ seq, prev_seq, epoch, data }))
      }),
    )
    expect(told[0]!.length).toBe(2)
    expect(told[1]).toEqual(told[0])
    await Promise.all(clients.map((client) => client.close()))
    await second.close()
  })

  test('after late data and corrections', async () => {
    expect(await answers(api.get)).toEqual(first)
    const now = rowsOf(await api.get('/indexes/idx_pier/prices?quality_state=corrected'))
    expect(now.map(({ level }) => level)).toEqual(['48.1125'])
    for (const index_id of HARBOR_INDEXES) {
      const query = `select observation_id, level from index_observation where index_id = '${index_id}' order by tick_at desc limit 1`
      expect(rowOf(await api.get(`/indexes/${index_id}/price`))).toMatchObject((await sql(warehouse, query))[0]!)
    }
  })

  test('after compaction, a new writer and a new API process', async () => {
    await warehouse.close()
    warehouse = await openWarehouse({ root })
    const { tables } = await compactWarehouse({ warehouse, interval_rows_min: 1 })
    const quotes = tables.find(({ table }) => table === 'market_quote')!
    expect(quotes.files_after).toBeLessThan(quotes.files_before)
    expect(await answers(api.get)).toEqual(first)
    await api.close()
    api = await serve(root)
    expect(await answers(api.get)).toEqual(first)
  })
})
