import { describe, expect, test } from 'vitest'
import { tradeOf } from '../../../api/resources/market-records.ts'
import { buildCandles, type CandleRow, latestPerInterval } from '../../../pipelines/market/candles.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { QUERY_LIMITS } from '../../../warehouse/reader/history/query-limits.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { HistoryKey, HistoryPage, Placed, Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { sized } from '../../support/sized.ts'
import { openedWorld, PAGED } from './opened-world.ts'
import { MINUTE, START } from './world.ts'

const { root, commits, end, warehouse, reader, viewsAsOf, seqs } = openedWorld()
const INDEXES = ['idx_0', 'idx_1', 'idx_2']
const MARKETS = ['mkt_0', 'mkt_1', 'mkt_2']

const PAGE: HistoryPage = {
  time_domain: 'published',
  start: null,
  end: null,
  after: null,
  limit: 20,
  quality_state: null,
  include_corrections: false,
  as_of: end,
}

/** Levels as stored: the public view names the reasons of old records, as the API does. */
const storedLevels = (rows: 'current' | 'visible') =>
  `(select *, epoch_ms(published_at) as published_at_ts_ms from index_observation__${rows})`

/** Walks a history from page to page. */
async function walk(
  read: (page: HistoryPage) => Promise<readonly Row[]>,
  page: HistoryPage,
  id: string,
  begin: HistoryKey | null = null,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let after = begin; ; ) {
    const found = await read({ ...page, after })
    rows.push(...found)
    if (found.length < page.limit) return rows
    const last = found.at(-1)!
    const instant = instantOf(last, page)
    const place = { published_at: toMicros(last.published_at), row_ordinal: last.row_ordinal as number }
    after = { instant, id: String(last[id]), ...(begin === null ? { place } : {}) }
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

/** In the fast lane every second one, of observations the even ones and of market observations the odd ones. */
const everySecond = (first: number) => whole_pages.filter((_, n) => sized(n % 2 === first, true))

describe('history', () => {
  test.each(everySecond(0))('pages of observations %s are the whole query', async (_, change) => {
    const page = { ...PAGE, ...change }
    await viewsAsOf(page.as_of, async (query) => {
      let compared = 0
      for (const index_id of sized(['idx_1'], INDEXES)) {
        const view = storedLevels(page.include_corrections ? 'visible' : 'current')
        const all = await query(`select * exclude (inputs) from ${view} where index_id = '${index_id}'`)
        const expected = asked(all, page, 'observation_id')
        const pages = await walk((one) => reader().history.observations(index_id, one), page, 'observation_id')
        expect(pages).toEqual(expected)
        compared += expected.length
      }
      expect(compared).toBeGreaterThan(0)
    })
  })

  test.each(everySecond(1))('pages of market observations %s are the whole query', async (_, change) => {
    const page = { ...PAGE, ...change }
    await viewsAsOf(page.as_of, async (query) => {
      for (const [market_id, field] of PAGED) {
        const all = await marketRecords(query, market_id, field, page.include_corrections)
        const expected = asked(all, page, 'observation_id').map(({ observation_id }) => observation_id)
        const read = (one: HistoryPage) =>
          reader().history.marketObservations({ market_id, outcome_id: null, field, trades: true }, one)
        const pages = await walk(read, page, 'observation_id')
        expect(pages.map(({ observation_id }) => observation_id)).toEqual(expected)
        for (const row of pages)
          expect(row).toEqual(expect.objectContaining(all.find((one) => one.observation_id === row.observation_id)))
      }
    })
  })

  test('trades are every revision', () =>
    viewsAsOf(end, async (query) => {
      const all = await query("from public_trade_history where market_id = 'mkt_1' order by published_at, row_ordinal")
      const request = { market_id: 'mkt_1', outcome_id: null, start: null, end: null }
      const pages = await walk((page) => reader().history.trades(request, page), { ...PAGE, limit: 5 }, 'trade_id')
      expect(all.length).toBeGreaterThan(10)
      const kinds = all.map(({ correction_kind }) => correction_kind)
      expect(pages.map((row) => tradeOf(row).correction?.kind ?? null)).toEqual(kinds)
      expect(pages.map((row, i) => ({ ...row, correction_kind: kinds[i] }))).toEqual(all)
      // A cursor of an earlier release goes on in the order that it began in.
      const begun = { instant: 0, id: '' }
      const by_id = await walk(
        (page) => reader().history.trades(request, page),
        { ...PAGE, limit: 5 },
        'trade_id',
        begun,
      )
      const ids = await query(
        "select trade_id from public_trade_history where market_id = 'mkt_1' order by published_at, trade_id",
      )
      expect(by_id.map(({ trade_id }) => trade_id)).toEqual(ids.map(({ trade_id }) => trade_id))
      expect(by_id).not.toEqual(pages)
      const reports = await query("from trade_report_history where market_id = 'mkt_1'")
      expect(reports.length).toBeGreaterThan(all.length)
    }))

  test('the tape, folded, is the set of current trades that every other reader has', () =>
    viewsAsOf(end, async (query) => {
      const request = { market_id: 'mkt_1', outcome_id: null, start: null, end: null }
      const tape = await walk((page) => reader().history.trades(request, page), { ...PAGE, limit: 7 }, 'trade_id')
      const superseded = new Set(tape.map(({ supersedes_id }) => supersedes_id))
      const folded = tape.filter((row) => !superseded.has(row.trade_id!) && row.correction_kind !== 'void')
      const valid = "from public_trade where market_id = 'mkt_1' and correction_kind is distinct from 'void'"
      const current = await query(`select trade_id ${valid} order by trade_id`)
      expect(folded.map(({ trade_id }) => trade_id).sort()).toEqual(current.map(({ trade_id }) => trade_id))
      const asked = { market_id: 'mkt_1', outcome_id: null, field: 'last_trade', trades: true }
      const items = await walk((page) => reader().history.marketObservations(asked, page), PAGE, 'observation_id')
      expect(items.map(({ observation_id }) => observation_id).sort()).toEqual(
        current.map(({ trade_id }) => `${trade_id}.last_trade`),
      )
    }))

  test('one observation, with its inputs and its chain', () =>
    viewsAsOf(end, async (query) => {
      const rows = await query(`from ${storedLevels('visible')}`)
      const revised = rows.filter(({ revision }) => revision === 2).slice(0, 3)
      expect(revised).toHaveLength(3)
      for (const row of revised) {
        const found = await reader().history.observation(String(row.observation_id), end)
        const chain = rows.filter(({ index_id, tick_at }) => index_id === row.index_id && tick_at === row.tick_at)
        expect(found?.row).toEqual(row)
        expect(found?.chain).toEqual(
          chain.sort((a, b) => Number(a.revision) - Number(b.revision)).map((one) => one.observation_id),
        )
        const before = await reader().history.observation(String(row.observation_id), toMicros(row.published_at) - 1)
        expect(before).toBeNull()
      }
      expect(await reader().history.observation('iob_none', end)).toBeNull()
    }))

  test('one market observation', () =>
    viewsAsOf(end, async (query) => {
      for (const field of ['bid', 'mark']) {
        const all = await marketRecords(query, 'mkt_0', field, true)
        const row = all.find(({ revision }) => revision === 2)!
        const found = await reader().history.marketObservation(String(row.observation_id), end)
        expect(found?.row).toEqual(expect.objectContaining(row))
        expect(found?.chain.at(1)).toBe(row.observation_id)
      }
      expect(await reader().history.marketObservation('none', end)).toBeNull()
      expect(await reader().history.marketObservation('none.bid', end)).toBeNull()
    }))
})

/** Returns the records that pass a page's filters, in its order. */
function asked(all: readonly Row[], page: HistoryPage, id: string): Row[] {
  const { start, end, quality_state } = page
  const at = (row: Row) => instantOf(row, page) ?? Number.POSITIVE_INFINITY
  const bounded = start !== null || end !== null
  const wanted = all.filter((row) => {
    if (quality_state !== null && (row.quality_state ?? 'valid') !== quality_state) return false
    return !bounded || (at(row) >= (start ?? 0) && at(row) < (end ?? Number.MAX_SAFE_INTEGER))
  })
  const commit = (a: Row, b: Row) =>
    toMicros(a.published_at) - toMicros(b.published_at) || Number(a.row_ordinal) - Number(b.row_ordinal)
  const byId = (a: Row, b: Row) => (String(a[id]) < String(b[id]) ? -1 : 1)
  return wanted.sort((a, b) => (at(a) === at(b) ? commit(a, b) || byId(a, b) : at(a) - at(b)))
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
  const common = 'observation_id, revision, outcome_id, field, source_at, published_at, row_ordinal'
  const quotes = await query(
    `select ${common}, coalesce(quality_state, 'valid') as quality_state, value, false as derived, null as calculated_at from market_observation${suffix} ${where} and field <> 'last_trade' and confirms_id is null and correction_reason is distinct from 'CONFIRMED'`,
  )
  const trades = await query(
    `select trade_id || '.last_trade' as observation_id, revision, outcome_id, 'last_trade' as field, source_at, published_at, row_ordinal,
       if(supersedes_id is null, 'valid', 'corrected') as quality_state, price as value, false as derived, null as calculated_at
     from public_trade ${where} and correction_kind is distinct from 'void'`,
  )
  const marks = await query(`from market_mark${suffix} ${where}`)
  const numbers = numbersOf(await query(`from market_mark_history ${where} order by revision`))
  const derived = marks.flatMap((row) =>
    ['mark', 'midpoint'].flatMap((name): Row[] => {
      if (row[name] === null) return []
      const revision = numbers.get(`${row.mark_id}.${name}`)!
      const { outcome_id, source_at, published_at, quality_state, calculated_at } = row
      const { row_ordinal } = row
      const own = { revision, outcome_id, source_at, published_at, quality_state, calculated_at, row_ordinal }
      return [{ ...own, observation_id: `${row.mark_id}.${name}`, field: name, value: row[name]!, derived: true }]
    }),
  )
  return [...quotes, ...trades, ...derived].filter((row) => field === null || row.field === field)
}

/** Numbers each value of marks by the changes of its own chain: a row that left the value as it was has the number before. */
function numbersOf(marks: readonly Row[]): Map<string, number> {
  const [numbers, last] = [new Map<string, number>(), new Map<string, { said: string; number: number }>()]
  for (const row of marks) {
    for (const name of ['mark', 'midpoint'].filter((field) => row[field] !== null)) {
      const chain = [row.venue_id, row.source_series_id, row.outcome_id, row.tick_at, name].join(' ')
      const sources =
        name === 'mark' ? [row.source_observation_ids, row.derivation_rule, row.mark_rule, row.origin_rule] : []
      const said = JSON.stringify([row[name], row.quality_state, row.source_at, row.midpoint_observation_ids, sources])
      const before = last.get(chain) ?? { said: '', number: 0 }
      const number = before.said === said ? before.number : before.number + 1
      last.set(chain, { said, number })
      numbers.set(`${row.mark_id}.${name}`, number)
    }
  }
  return numbers
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
    coverage_ratio: row.coverage_ratio as string | null,
    published_at: toMicros(row.published_at),
    row_ordinal: row.row_ordinal as number,
    methodology_version: row.methodology_version as string | null,
    row,
  })
  const within = `tick_at >= '${formatMicros(range.from)}' and tick_at < '${formatMicros(range.to)}'`

  test.each([end, commits[150]!.at])('of an index as of %d are those of its current rows', (as_of) =>
    viewsAsOf(as_of, async (query) => {
      const rows = (
        await query(`select * exclude (inputs) from ${storedLevels('current')} where index_id = 'idx_1' and ${within}`)
      ).map(candleRow)
      const candles = await reader().history.indexCandles('idx_1', range, { as_of, at: end })
      expect(candles.length).toBeGreaterThan(3)
      expect(candles).toEqual(buildCandles(rows, range, { at: end, trades: null }))
      const page = { ...PAGE, as_of, time_domain: 'source' } as const
      const samples = latestPerInterval(rows, range).map(({ row }) => row)
      expect(
        await walk((one) => reader().history.sampledObservations('idx_1', range, one), page, 'observation_id'),
      ).toEqual(samples)
    }),
  )

  test('of the last trade are a fold of the items of its history', () =>
    viewsAsOf(end, async () => {
      const request = { market_id: 'mkt_0', outcome_id: 'out_0_1', field: 'last_trade', trades: true }
      const candles = await reader().history.marketCandles(request, range, { as_of: end, at: end })
      const page = { ...PAGE, time_domain: 'source', start: range.from, end: range.to } as const
      const items = await walk((one) => reader().history.marketObservations(request, one), page, 'observation_id')
      expect(candles.length).toBeGreaterThan(1)
      for (const { bucket_start, bucket_end, observation_count, high, low, volume } of candles) {
        const own = items.filter(({ source_at }) => String(source_at) >= bucket_start && String(source_at) < bucket_end)
        const values = own.map(({ value }) => Number(value))
        expect([observation_count, Number(high), Number(low), volume]).toEqual([
          own.length,
          Math.max(...values),
          Math.min(...values),
          `${own.length}.000000`,
        ])
      }
      const counted = candles.reduce((sum, { observation_count }) => sum + observation_count, 0)
      expect(counted).toBe(items.length)
    }))

  test('of a market field are those of its current values', () =>
    viewsAsOf(end, async (query) => {
      const at = `source_at >= '${formatMicros(range.from)}' and source_at < '${formatMicros(range.to)}'`
      const rows = await query(`from market_observation where outcome_id = 'out_0_1' and field = 'bid' and ${at}`)
      const values = rows.map((row) =>
        candleRow({
          ...row,
          tick_at: row.source_at,
          source_cutoff_at: row.source_at,
          level: row.value,
          quality_state: row.quality_state ?? 'valid',
          coverage_ratio: null,
          methodology_version: null,
        }),
      )
      const request = { market_id: 'mkt_0', outcome_id: 'out_0_1', field: 'bid', trades: true }
      const candles = await reader().history.marketCandles(request, range, { as_of: end, at: end })
      expect(candles.length).toBeGreaterThan(1)
      const traded = await query(`from public_trade where outcome_id = 'out_0_1' and correction_kind is null and ${at}`)
      const trades = traded.map((row) => ({ at: toMicros(row.source_at), quantity: String(row.quantity) }))
      expect(trades.length).toBeGreaterThan(3)
      expect(candles).toEqual(buildCandles(values, range, { at: end, trades }))
      const ids = latestPerInterval(values, range).map(({ row }) => row.observation_id)
      const samples = await reader().history.sampledMarketObservations(request, range, {
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
    check(reader())
    for (const table of ['index_observation', 'market_quote'] as const) {
      for (const day of ['2026-01-01', '2026-01-02', '2026-01-03'])
        await warehouse().log(table).compact({ published_date: day })
    }
    for (const retention_ms of [600_000, 0]) {
      const other = await openReader({
        root,
        limits: { ...QUERY_LIMITS, processes: 0 },
        recent: { retention_ms, bytes_max: 1 << 20 },
      })
      check(other)
      const { version } = await warehouse().log('index_observation').snapshot()
      expect(other.status().versions.index_observation).toBe(version)
      await other.close()
    }
  })

  test('pages and candles are the same after compaction', () =>
    viewsAsOf(end, async (query) => {
      const all = await query(`select * exclude (inputs) from ${storedLevels('current')} where index_id = 'idx_1'`)
      const pages = await walk((one) => reader().history.observations('idx_1', one), PAGE, 'observation_id')
      expect(pages).toEqual(asked(all, PAGE, 'observation_id'))
    }))

  test('prev_seq names the row before of the same key, and previous the newest one', () => {
    for (const [table, key] of [
      ['index_observation', 'index_id'],
      ['market_quote', 'market_id'],
    ] as const) {
      const last = new Map<unknown, number>()
      const rows = reader()
        .feed.recent(table)
        .flatMap((commit) => commit.rows)
      expect(rows.length).toBeGreaterThan(20)
      expect(rows.at(-1)!.seq).toBe(reader().feed.head(table))
      for (const { row, seq, prev_seq } of rows) {
        if (last.has(row[key])) expect(prev_seq).toBe(last.get(row[key]))
        else expect(prev_seq).toBe(0)
        last.set(row[key], seq)
      }
    }
    const newest = new Map<unknown, Placed>()
    for (const { row, seq, previous } of reader()
      .feed.recent('index_observation')
      .flatMap((commit) => commit.rows)) {
      expect(previous).toEqual(newest.get(row.index_id) ?? null)
      const later = previous === null || toMicros(row.tick_at) >= toMicros(previous.row.tick_at)
      newest.set(row.index_id, later ? { row, seq } : previous)
    }
  })
})
