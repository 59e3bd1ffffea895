import { describe, expect, test } from 'vitest'
import { outcomesOf } from '../../../api/resources/market-resources.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { Catalog, HistoryPage } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openedWorld } from './opened-world.ts'
import { MINUTE, START } from './world.ts'

const { instants, reader, viewsAsOf, seqs } = openedWorld()
const INDEXES = ['idx_0', 'idx_1', 'idx_2']
const MARKETS = ['mkt_0', 'mkt_1', 'mkt_2']

describe('catalogue', () => {
  test.each(instants)('as of %d it is what the views show', async (as_of) => {
    const compare = (catalog: Catalog) => viewsAsOf(as_of, (query) => compareCatalog(catalog, query))
    await reader().asOf(as_of, (pinned) => compare(pinned.catalog(as_of)))
  })

  test('now it is what the views show', () => viewsAsOf(null, (query) => compareCatalog(reader().catalog(null), query)))
})

async function compareCatalog(catalog: Catalog, query: (sql: string) => Promise<Row[]>): Promise<void> {
  expect(catalog.indexes()).toEqual(await query('from index_definition order by index_id'))
  for (const index_id of INDEXES) {
    const stored = await query(
      `from index_version where index_id = '${index_id}' order by effective_from, index_version_id`,
    )
    const links = await query(`from index_link where index_id = '${index_id}'`)
    const versions = stored.map((row): Row => {
      return { ...row, link: links.find((link) => link.index_version_id === row.index_version_id) ?? null }
    })
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
  const shown = await query(
    'select m.*, e.category from market as m left join event as e using (event_id) order by market_id',
  )
  const stored = await query(
    'select m.*, e.category from market__current as m left join event__current as e using (event_id) order by market_id',
  )
  const decisive = await by_market(
    `from market_resolution__current ${newest("(finality = 'withdrawn'), source_at desc, received_at desc, revision desc, published_at desc, row_ordinal desc")}`,
  )
  const chain = ({ market_id, source_series_id, source_at }: Row) => `${market_id} ${source_series_id} ${source_at}`
  const stated = new Map((await query('from market_resolution')).map((row) => [chain(row), row]))
  const resolutions = new Map([...decisive].map(([market_id, row]) => [market_id, stated.get(chain(row))!]))
  const expected = stored.map((row) => ({
    ...withFacts(underResolution(row, resolutions.get(row.market_id))),
    eligibility: eligibility.get(row.market_id) ?? null,
    metrics: metrics.get(row.market_id) ?? null,
  }))
  expect(catalog.markets()).toEqual(expected)
  expect(shown.map((row) => [row.status, outcomesOf(row), row.rules])).toEqual(
    catalog.markets().map((row) => [row.status, outcomesOf(row), row.rules]),
  )
  for (const row of expected as Row[]) expect(catalog.market(String(row.market_id))).toEqual(row)
  for (const market_id of MARKETS) {
    const { final_at: _final, ...current } = catalog.resolution(market_id) ?? {}
    expect(current).toEqual(resolutions.get(market_id) ?? {})
    const all = await query(
      `from market_resolution_history where market_id = '${market_id}' and correction_reason is distinct from 'CONFIRMED' and confirms_id is null`,
    )
    const ids = (rows: readonly Row[]) => rows.map((row) => row.resolution_id).sort()
    expect(ids(catalog.resolutionHistory(market_id))).toEqual(ids(all))
  }
}

/** A market's record with the status and payouts of a final resolution. */
function underResolution(row: Row, resolution: Row | undefined): Row {
  if (resolution?.finality !== 'final') return row
  const payouts = new Map(((resolution.payouts ?? []) as Row[]).map((item) => [item.outcome_id, String(item.payout)]))
  const outcomes = (row.outcomes as Row[] | null)?.map((outcome) => {
    const payout_value = payouts.get(outcome.outcome_id)
    if (payout_value === undefined) return outcome
    const status = Number(payout_value) === 1 ? 'won' : Number(payout_value) === 0 ? 'lost' : 'split'
    return { ...outcome, status, payout_value }
  })
  const ended = ['resolved', 'voided', 'archived'].includes(String(row.status))
  return { ...row, status: ended ? row.status : 'resolved', outcomes: outcomes ?? null } as Row
}

/** A market's record with the version and the time zone of its rules. */
function withFacts(row: Row): Row {
  const rules = row.rules as Row
  const { venue_id } = row.venue_mapping as Row
  const sources = rules.resolution_sources as readonly string[]
  const texts = [rules.resolution_question, rules.resolution_criteria ?? '', ...sources].join('\u001f')
  const version = venue_id === 'tidemark' ? '1' : sha256Hex(texts)
  const timezone = { tidemark: 'UTC', kalshi: 'America/New_York' }[String(venue_id)] ?? null
  return { ...row, rules: { ...rules, rules_version: rules.rules_version ?? version, timezone } }
}

const NEWEST_SQL = {
  observation: (id: string) =>
    `select *, epoch_ms(published_at) as published_at_ts_ms from index_observation__current where index_id = '${id}' order by tick_at desc limit 1`,
  quotes: (id: string) => newestSql('market_quote__current', id, 'source_at desc, received_at desc'),
  marks: (id: string) => newestSql('market_mark', id, 'tick_at desc'),
  book: (id: string) =>
    `from order_book__current where market_id = '${id}' order by source_at desc, received_at desc limit 1`,
}
function newestSql(table: string, market_id: string, newest: string): string {
  const key = 'partition by outcome_id, source_series_id'
  return `from ${table} where market_id = '${market_id}' qualify row_number() over (${key} order by ${newest}) = 1`
}
/** Newest valid trade of each outcome of a market by the views, whatever its source series. */
function lastTradesSql(market_id: string): string {
  const order = 'order by source_at desc, published_at desc, row_ordinal desc'
  const valid = `from public_trade where market_id = '${market_id}' and correction_kind is distinct from 'void'`
  return `select trade_id ${valid} qualify row_number() over (partition by outcome_id ${order}) = 1`
}
const idsOf = (trades: readonly Row[]) => trades.map(({ trade_id }) => String(trade_id)).sort()

const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort()

describe('latest', () => {
  test('now it is what the views show', () =>
    viewsAsOf(null, async (query) => {
      for (const id of INDEXES) {
        const [row] = await query(NEWEST_SQL.observation(id))
        const { published_at_ts_ms, ...stored } = row!
        expect(reader().latest.observation(id)?.row).toEqual(stored)
        expect(published_at_ts_ms).toBe(toMicros(stored.published_at) / 1000)
      }
      for (const id of MARKETS) {
        expect(
          sorted(
            reader()
              .latest.quotes(id)
              .map(({ row }) => row),
          ),
        ).toEqual(sorted(await query(NEWEST_SQL.quotes(id))))
        expect(idsOf(reader().latest.lastTrades(id))).toEqual(idsOf(await query(lastTradesSql(id))))
        expect(
          sorted(
            reader()
              .latest.marks(id)
              .map(({ row }) => row),
          ),
        ).toEqual(sorted(await query(NEWEST_SQL.marks(id))))
        const outcome = id.replace('mkt', 'out').concat('_0')
        expect(reader().latest.book(id, outcome)?.row).toEqual((await query(NEWEST_SQL.book(id)))[0])
      }
    }))

  test.each(instants)('as of %d it is what the views show', (as_of) =>
    viewsAsOf(as_of, async (query) => {
      for (const id of INDEXES) {
        expect(await reader().history.latestObservation(id, as_of)).toEqual(
          (await query(NEWEST_SQL.observation(id)))[0] ?? null,
        )
      }
      for (const id of MARKETS) {
        expect(sorted(await reader().history.quotes(id, as_of))).toEqual(sorted(await query(NEWEST_SQL.quotes(id))))
        expect(idsOf(await reader().history.lastTrades(id, as_of))).toEqual(idsOf(await query(lastTradesSql(id))))
        expect(sorted(await reader().history.marks(id, as_of))).toEqual(sorted(await query(NEWEST_SQL.marks(id))))
        const outcome = id.replace('mkt', 'out').concat('_0')
        const book = await reader().history.book(id, outcome, as_of)
        expect(book?.row ?? null).toEqual((await query(NEWEST_SQL.book(id)))[0] ?? null)
        if (book !== null) expect(book.seq).toBe(seqs().get(`order_book ${book.row.order_book_id}`))
      }
    }),
  )
})

describe('several indexes', () => {
  const range = { from: START + 180 * MINUTE, to: START + 1620 * MINUTE }
  const page: HistoryPage = {
    ...{ time_domain: 'source' as const, start: null, end: null, after: null, limit: 1000 },
    ...{ quality_state: null, include_corrections: false, as_of: START },
  }

  test.each([...instants, START])('lines and latest levels as of %d are those of each', async (as_of) => {
    const { history } = reader()
    const lines = [...INDEXES, 'idx_none'].map((index_id, n) => ({
      index_id,
      from: range.from + n * 60 * MINUTE,
      to: range.to,
    }))
    const rows = await history.levelLines(lines, 'PT15M', as_of)
    const bySource = (a: Row, b: Row) => toMicros(a.source_cutoff_at) - toMicros(b.source_cutoff_at)
    for (const { index_id, from, to } of lines) {
      const samples = await history.sampledObservations(index_id, { from, to, interval: 'PT15M' }, { ...page, as_of })
      const own = rows.filter((row) => row.index_id === index_id).toSorted(bySource)
      expect(own).toEqual(samples.map(({ source_cutoff_at, level }) => ({ index_id, source_cutoff_at, level })))
    }
    if (as_of === instants.at(-1)) expect(rows.length).toBeGreaterThan(10)
    const latest = await history.latestObservations([...INDEXES, 'idx_none'], as_of)
    const one_by_one = await Promise.all(INDEXES.map((index_id) => history.latestObservation(index_id, as_of)))
    const byIndex = (a: Row, b: Row) => (String(a.index_id) < String(b.index_id) ? -1 : 1)
    expect(latest.toSorted(byIndex)).toEqual(one_by_one.filter((row) => row !== null))
    expect(await history.levelLines([], 'PT15M', as_of)).toEqual([])
    expect(await history.latestObservations([], as_of)).toEqual([])
  })
})
