import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildCandles, type CandleRow, latestPerInterval } from '../../../pipelines/market/candles.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { FOLLOWED_TABLES } from '../../../warehouse/reader/followed-tables.ts'
import { QUERY_LIMITS } from '../../../warehouse/reader/history/query-pool.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { Catalog, HistoryKey, HistoryPage, Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { SEED } from '../../support/seed.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { MINUTE, START, type WorldCommit, worldCommits, writeWorld } from './world.ts'

const COMMITS = 200
const root = join(tempFolder(), 'warehouse')
const commits: WorldCommit[] = worldCommits(SEED, COMMITS)
const END: Micros = commits.at(-1)!.at
const INDEXES = ['idx_0', 'idx_1', 'idx_2']
const MARKETS = ['mkt_0', 'mkt_1', 'mkt_2']

/** Instants between commits, on them, before the first and after the last. */
const instants = [START, ...[3, 60, 121, 199].map((n) => commits[n]!.at), commits[100]!.at + 1, END + MINUTE]

const versions = new Map<WorldCommit, number>()
let warehouse: Warehouse
let reader: Reader

beforeAll(async () => {
  warehouse = await openWarehouse({ root, create: true })
  await writeWorld(warehouse, commits.slice(0, 120), versions)
  for (const table of FOLLOWED_TABLES.filter((_, n) => n % 2 === 0)) {
    await warehouse.log(table).compact({ published_date: '2026-01-02' })
  }
  reader = await openReader({ root, interval_ms: 20, limits: { ...QUERY_LIMITS, time_ms: 60_000 } })
  await writeWorld(warehouse, commits.slice(120), versions) // the rest is followed, the first part was loaded
  await reader.pin(END)
}, 120_000)

afterAll(async () => {
  await reader.close()
  await warehouse.close()
})

/** Runs queries over the public views as of an instant. */
async function viewsAsOf<T>(
  as_of: Micros | null,
  ask: (query: (sql: string) => Promise<Row[]>) => Promise<T>,
): Promise<T> {
  const session = await openReadSession(warehouse, { as_of, pin: false, tables: FOLLOWED_TABLES })
  try {
    return await ask((sql) => session.query(sql))
  } finally {
    await session.close()
  }
}

describe('catalogue', () => {
  test.each(instants)('as of %d it is what the views show', async (as_of) => {
    await reader.pin(as_of)
    await viewsAsOf(as_of, (query) => compareCatalog(reader.catalog(as_of), query))
  })

  test('now it is what the views show', () => viewsAsOf(null, (query) => compareCatalog(reader.catalog(null), query)))
})

async function compareCatalog(catalog: Catalog, query: (sql: string) => Promise<Row[]>): Promise<void> {
  expect(catalog.indexes()).toEqual(await query('from index_definition order by index_id'))
  for (const index_id of INDEXES) {
    const versions = await query(
      `from index_version where index_id = '${index_id}' order by effective_from, index_version_id`,
    )
    expect(catalog.versions(index_id)).toEqual(versions)
    expect(versions.map((row) => catalog.version(String(row.index_version_id)))).toEqual(versions)
    expect([catalog.index(index_id) ?? []].flat()).toEqual(
      await query(`from index_definition where index_id = '${index_id}'`),
    )
  }
  for (const row of await query('from methodology')) {
    expect(catalog.methodology(String(row.methodology_id), String(row.version))).toEqual(row)
  }
  expect(catalog.events()).toEqual(await query('from event order by event_id'))
  await compareMarkets(catalog, query)
}

async function compareMarkets(catalog: Catalog, query: (sql: string) => Promise<Row[]>): Promise<void> {
  const newest = (key: string) => `qualify row_number() over (partition by market_id order by ${key}) = 1`
  const by_market = async (sql: string) => new Map((await query(sql)).map((row) => [row.market_id, row]))
  const eligibility = await by_market('from market_eligibility')
  const metrics = await by_market(`from market_metric ${newest('source_at desc, received_at desc')}`)
  const markets = await query(
    'select m.*, e.category from market as m left join event as e using (event_id) order by market_id',
  )
  const expected = markets.map((row) => ({
    ...row,
    eligibility: eligibility.get(row.market_id) ?? null,
    metrics: metrics.get(row.market_id) ?? null,
  }))
  expect(catalog.markets()).toEqual(expected)
  for (const row of expected as Row[]) expect(catalog.market(String(row.market_id))).toEqual(row)
  const resolutions = await by_market(
    `from market_resolution ${newest('source_at desc, received_at desc, published_at desc, row_ordinal desc')}`,
  )
  for (const market_id of MARKETS) {
    const row = resolutions.get(market_id) ?? null
    expect(catalog.resolution(market_id)).toEqual(row)
    const chain = `market_id = '${market_id}' and source_at = '${row?.source_at ?? '1970-01-01'}'`
    const all = await query(`from market_resolution_history where ${chain} order by published_at, row_ordinal`)
    expect(catalog.resolutionChain(market_id)).toEqual(all)
  }
}

const NEWEST_SQL = {
  observation: (id: string) => `from index_observation where index_id = '${id}' order by tick_at desc limit 1`,
  quotes: (id: string) => newestSql('market_quote', id, 'source_at desc, received_at desc'),
  marks: (id: string) => newestSql('market_mark', id, 'tick_at desc'),
  book: (id: string) => `from order_book where market_id = '${id}' order by source_at desc, received_at desc limit 1`,
}
function newestSql(table: string, market_id: string, newest: string): string {
  const key = 'partition by outcome_id, source_series_id'
  return `from ${table} where market_id = '${market_id}' qualify row_number() over (${key} order by ${newest}) = 1`
}
const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort()

describe('latest', () => {
  test('now it is what the views show', () =>
    viewsAsOf(null, async (query) => {
      for (const id of INDEXES) {
        const [row] = await query(NEWEST_SQL.observation(id))
        const { published_at_ts_ms, ...stored } = row!
        expect(reader.latest.observation(id)?.row).toEqual(stored)
        expect(published_at_ts_ms).toBe(toMicros(stored.published_at) / 1000)
      }
      for (const id of MARKETS) {
        expect(sorted(reader.latest.quotes(id).map(({ row }) => row))).toEqual(
          sorted(await query(NEWEST_SQL.quotes(id))),
        )
        expect(sorted(reader.latest.marks(id).map(({ row }) => row))).toEqual(sorted(await query(NEWEST_SQL.marks(id))))
        const outcome = id.replace('mkt', 'out').concat('_0')
        expect(reader.latest.book(id, outcome)?.row).toEqual((await query(NEWEST_SQL.book(id)))[0])
      }
    }))

  test.each(instants)('as of %d it is what the views show', (as_of) =>
    viewsAsOf(as_of, async (query) => {
      for (const id of INDEXES) {
        expect(await reader.history.latestObservation(id, as_of)).toEqual(
          (await query(NEWEST_SQL.observation(id)))[0] ?? null,
        )
      }
      for (const id of MARKETS) {
        expect(sorted(await reader.history.quotes(id, as_of))).toEqual(sorted(await query(NEWEST_SQL.quotes(id))))
        expect(sorted(await reader.history.marks(id, as_of))).toEqual(sorted(await query(NEWEST_SQL.marks(id))))
        const outcome = id.replace('mkt', 'out').concat('_0')
        const book = await reader.history.book(id, outcome, as_of)
        expect(book?.row ?? null).toEqual((await query(NEWEST_SQL.book(id)))[0] ?? null)
        if (book !== null) expect(book.seq).toBe(seqs().get(`order_book ${book.row.order_book_id}`))
      }
    }),
  )
})

/** The place of every record by table and id, told from the commits alone. */
function seqs(): Map<string, number> {
  const places = new Map<string, number>()
  for (const [{ table, rows }, version] of versions) {
    for (const [ordinal, row] of rows.entries()) {
      const id = row.observation_id ?? row.order_book_id ?? row.record_id ?? row.mark_id ?? row.trade_id
      places.set(`${table} ${id}`, version * 2 ** 20 + ordinal)
    }
  }
  return places
}

const PAGE: HistoryPage = {
  time_domain: 'published',
  start: null,
  end: null,
  after: null,
  limit: 20,
  quality_state: null,
  include_corrections: false,
  as_of: END,
}

/** Walks a history from page to page. */
async function walk(
  read: (page: HistoryPage) => Promise<readonly Row[]>,
  page: HistoryPage,
  id: string,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: HistoryKey | null = null; ; ) {
    const found = await read({ ...page, after })
    rows.push(...found)
    if (found.length < page.limit) return rows
    const last = found.at(-1)!
    const instant = instantOf(last, page)
    after = { instant, id: String(last[id]) }
  }
}

function instantOf(row: Row, { time_domain }: HistoryPage): Micros | null {
  const source = 'source_cutoff_at' in row ? row.source_cutoff_at : row.source_at
  const value = { published: row.published_at, source, calculated: row.calculated_at }[time_domain]
  return value == null ? null : toMicros(value)
}

const whole_pages: [string, Partial<HistoryPage>][] = [
  ['by publication', {}],
  ['with corrections', { include_corrections: true }],
  ['by source', { time_domain: 'source' }],
  ['by source with corrections', { time_domain: 'source', include_corrections: true }],
  ['by calculation', { time_domain: 'calculated' }],
  ['of one state', { quality_state: 'stale' }],
  ['in a range', { start: START + 500 * MINUTE, end: START + 1500 * MINUTE }],
  ['in a source range', { time_domain: 'source', start: START + 500 * MINUTE, end: START + 1500 * MINUTE }],
  ['earlier', { as_of: commits[150]!.at }],
  ['earlier, by source', { as_of: commits[150]!.at, time_domain: 'source' }],
  ['in long pages', { limit: 1000 }],
]

describe('history', () => {
  test.each(whole_pages)('pages of observations %s are the whole query', async (_, change) => {
    const page = { ...PAGE, ...change }
    await viewsAsOf(page.as_of, async (query) => {
      for (const index_id of INDEXES) {
        const view = `index_observation${page.include_corrections ? '_history' : ''}`
        const all = await query(`select * exclude (inputs) from ${view} where index_id = '${index_id}'`)
        const expected = asked(all, page, 'observation_id')
        expect(expected.length).toBeGreaterThan(0)
        const pages = await walk((one) => reader.history.observations(index_id, one), page, 'observation_id')
        expect(pages).toEqual(expected)
      }
    })
  })

  test.each(whole_pages)('pages of market observations %s are the whole query', async (_, change) => {
    const page = { ...PAGE, ...change }
    await viewsAsOf(page.as_of, async (query) => {
      for (const [market_id, field] of [
        ['mkt_0', null],
        ['mkt_2', null],
        ['mkt_1', 'ask'],
        ['mkt_1', 'midpoint'],
      ] as const) {
        const all = await marketRecords(query, market_id, field, page.include_corrections)
        const expected = asked(all, page, 'observation_id').map(({ observation_id }) => observation_id)
        const read = (one: HistoryPage) =>
          reader.history.marketObservations({ market_id, outcome_id: null, field }, one)
        const pages = await walk(read, page, 'observation_id')
        expect(pages.map(({ observation_id }) => observation_id)).toEqual(expected)
        for (const row of pages)
          expect(row).toEqual(expect.objectContaining(all.find((one) => one.observation_id === row.observation_id)))
      }
    })
  })

  test('trades are every revision', () =>
    viewsAsOf(END, async (query) => {
      const all = await query("from public_trade_history where market_id = 'mkt_1' order by published_at, trade_id")
      const request = { market_id: 'mkt_1', outcome_id: null, start: null, end: null }
      const pages = await walk((page) => reader.history.trades(request, page), { ...PAGE, limit: 5 }, 'trade_id')
      expect(all.length).toBeGreaterThan(10)
      expect(pages).toEqual(all)
    }))

  test('one observation, with its inputs and its chain', () =>
    viewsAsOf(END, async (query) => {
      const rows = await query('from index_observation_history')
      const revised = rows.filter(({ revision }) => revision === 2).slice(0, 3)
      expect(revised).toHaveLength(3)
      for (const row of revised) {
        const found = await reader.history.observation(String(row.observation_id), END)
        const chain = rows.filter(({ index_id, tick_at }) => index_id === row.index_id && tick_at === row.tick_at)
        expect(found?.row).toEqual(row)
        expect(found?.chain).toEqual(
          chain.sort((a, b) => Number(a.revision) - Number(b.revision)).map((one) => one.observation_id),
        )
        const before = await reader.history.observation(String(row.observation_id), toMicros(row.published_at) - 1)
        expect(before).toBeNull()
      }
      expect(await reader.history.observation('iob_none', END)).toBeNull()
    }))

  test('one market observation', () =>
    viewsAsOf(END, async (query) => {
      for (const field of ['bid', 'mark']) {
        const all = await marketRecords(query, 'mkt_0', field, true)
        const row = all.find(({ revision }) => revision === 2)!
        const found = await reader.history.marketObservation(String(row.observation_id), END)
        expect(found?.row).toEqual(expect.objectContaining(row))
        expect(found?.chain.at(1)).toBe(row.observation_id)
      }
      expect(await reader.history.marketObservation('none', END)).toBeNull()
      expect(await reader.history.marketObservation('none.bid', END)).toBeNull()
    }))
})

/** What a page's filters leave of all records, in its order. */
function asked(all: readonly Row[], page: HistoryPage, id: string): Row[] {
  const { start, end, quality_state } = page
  const at = (row: Row) => instantOf(row, page) ?? Number.POSITIVE_INFINITY
  const bounded = start !== null || end !== null
  const wanted = all.filter((row) => {
    if (quality_state !== null && (row.quality_state ?? 'valid') !== quality_state) return false
    return !bounded || (at(row) >= (start ?? 0) && at(row) < (end ?? Number.MAX_SAFE_INTEGER))
  })
  return wanted.sort((a, b) => (at(a) === at(b) ? (String(a[id]) < String(b[id]) ? -1 : 1) : at(a) - at(b)))
}

/** Quotes by the public view, marks and midpoints by hand: the columns that both have. */
async function marketRecords(
  query: (sql: string) => Promise<Row[]>,
  market_id: string,
  field: string | null,
  corrections: boolean,
): Promise<Row[]> {
  const suffix = corrections ? '_history' : ''
  const where = `where market_id = '${market_id}'`
  const common = 'observation_id, revision, outcome_id, field, source_at, published_at'
  const quotes = await query(
    `select ${common}, coalesce(quality_state, 'valid') as quality_state, value, false as derived, null as calculated_at from market_observation${suffix} ${where}`,
  )
  const marks = await query(`from market_mark${suffix} ${where}`)
  const derived = marks.flatMap((row) =>
    ['mark', 'midpoint'].flatMap((name): Row[] => {
      if (row[name] === null) return []
      const { revision, outcome_id, source_at, published_at, quality_state, calculated_at } = row
      const own = { revision, outcome_id, source_at, published_at, quality_state, calculated_at }
      return [{ ...own, observation_id: `${row.mark_id}.${name}`, field: name, value: row[name]!, derived: true }]
    }),
  )
  return [...quotes, ...derived].filter((row) => field === null || row.field === field)
}

describe('candles and samples', () => {
  const range = {
    from: START - (START % (60 * MINUTE)) + 180 * MINUTE,
    to: START - (START % (60 * MINUTE)) + 1620 * MINUTE,
    interval: 'PT1H',
  } as const
  const candleRow = (row: Row): CandleRow & { readonly row: Row } => ({
    tick_at: toMicros(row.tick_at),
    source_cutoff_at: row.source_cutoff_at === null ? null : toMicros(row.source_cutoff_at),
    level: row.level as string | null,
    quality_state: String(row.quality_state),
    coverage_ratio: String(row.coverage_ratio),
    published_at: toMicros(row.published_at),
    row_ordinal: row.row_ordinal as number,
    methodology_version: String(row.methodology_version),
    row,
  })
  const within = `tick_at >= '${formatMicros(range.from)}' and tick_at < '${formatMicros(range.to)}'`

  test.each([END, commits[150]!.at])('of an index as of %d are those of its current rows', (as_of) =>
    viewsAsOf(as_of, async (query) => {
      const rows = (
        await query(`select * exclude (inputs) from index_observation where index_id = 'idx_1' and ${within}`)
      ).map(candleRow)
      const candles = await reader.history.indexCandles('idx_1', range, as_of)
      expect(candles.length).toBeGreaterThan(3)
      expect(candles).toEqual(buildCandles(rows, range))
      const page = { ...PAGE, as_of, time_domain: 'source' } as const
      const samples = latestPerInterval(rows, range).map(({ row }) => row)
      expect(
        await walk((one) => reader.history.sampledObservations('idx_1', range, one), page, 'observation_id'),
      ).toEqual(samples)
    }),
  )

  test('of a market field are those of its current values', () =>
    viewsAsOf(END, async (query) => {
      const at = `source_at >= '${formatMicros(range.from)}' and source_at < '${formatMicros(range.to)}'`
      const rows = await query(`from market_observation where outcome_id = 'out_0_1' and field = 'bid' and ${at}`)
      const values = rows.map((row) =>
        candleRow({
          ...row,
          tick_at: row.source_at,
          source_cutoff_at: row.source_at,
          level: row.value,
          quality_state: row.quality_state ?? 'valid',
          coverage_ratio: '1',
          methodology_version: '',
        }),
      )
      const request = { market_id: 'mkt_0', outcome_id: 'out_0_1', field: 'bid' }
      const candles = await reader.history.marketCandles(request, range, END)
      expect(candles.length).toBeGreaterThan(1)
      expect(candles).toEqual(buildCandles(values, range))
      const ids = latestPerInterval(values, range).map(({ row }) => row.observation_id)
      const samples = await reader.history.sampledMarketObservations(request, range, {
        ...PAGE,
        time_domain: 'source',
        limit: 1000,
      })
      expect(samples.map(({ observation_id }) => observation_id)).toEqual(ids)
    }))
})

describe('numbering', () => {
  test('a row has the same place in a reader that followed it, one that loaded it, and after compaction', async () => {
    const places = seqs()
    const check = (one: Reader) => {
      for (const id of INDEXES) {
        const placed = one.latest.observation(id)!
        expect(placed.seq).toBe(places.get(`index_observation ${placed.row.observation_id}`))
      }
      for (const { row, seq } of MARKETS.flatMap((id) => one.latest.quotes(id))) {
        expect(seq).toBe(places.get(`market_quote ${row.record_id}`))
      }
    }
    check(reader)
    for (const table of ['index_observation', 'market_quote'] as const) {
      for (const day of ['2026-01-01', '2026-01-02', '2026-01-03'])
        await warehouse.log(table).compact({ published_date: day })
    }
    for (const retention_ms of [600_000, 0]) {
      const other = await openReader({
        root,
        limits: { ...QUERY_LIMITS, processes: 0 },
        recent: { retention_ms, bytes_max: 1 << 20 },
      })
      check(other)
      const { version } = await warehouse.log('index_observation').snapshot()
      expect(other.status().versions.index_observation).toBe(version)
      await other.close()
    }
  })

  test('pages and candles are the same after compaction', () =>
    viewsAsOf(END, async (query) => {
      const all = await query("select * exclude (inputs) from index_observation where index_id = 'idx_1'")
      const pages = await walk((one) => reader.history.observations('idx_1', one), PAGE, 'observation_id')
      expect(pages).toEqual(asked(all, PAGE, 'observation_id'))
    }))

  test('prev_seq names the row before of the same key, and previous the newest one', () => {
    for (const [table, key] of [
      ['index_observation', 'index_id'],
      ['market_quote', 'market_id'],
    ] as const) {
      const last = new Map<unknown, number>()
      const rows = reader.feed.recent(table).flatMap((commit) => commit.rows)
      expect(rows.length).toBeGreaterThan(20)
      expect(rows.at(-1)!.seq).toBe(reader.feed.head(table))
      for (const { row, seq, prev_seq } of rows) {
        if (last.has(row[key])) expect(prev_seq).toBe(last.get(row[key]))
        else expect(prev_seq).toBe(0)
        last.set(row[key], seq)
      }
    }
    const newest = new Map<unknown, Row>()
    for (const { row, previous } of reader.feed.recent('index_observation').flatMap((commit) => commit.rows)) {
      expect(previous).toEqual(newest.get(row.index_id) ?? null)
      const later = previous === null || toMicros(row.tick_at) >= toMicros(previous.tick_at)
      newest.set(row.index_id, later ? row : previous)
    }
  })
})
