import { describe, expect, test } from 'vitest'
import type { Row } from '../../../warehouse/schema.ts'
import { servedSample } from './sample.ts'

/** Agreement A13 to A18 on the sample: lists, tables, the observation by its id and SQL show the same record in the same way. */
const sample = servedSample()
const SLOW_MS = 240_000
const DAY = 'start_time=2025-12-05T00:00:00Z&end_time=2025-12-06T00:00:00Z'
const LOWPORT = '/indexes/idx_sample_lowport/prices'

/** Cells of a history as CSV, by the column `id`. */
async function asCsv(path: string, id: string): Promise<Map<string, Row>> {
  const response = await fetch(`${sample.base_url()}/v1${path}`, { headers: { accept: 'text/csv' } })
  const [head, ...lines] = (await response.text()).trimEnd().split('\r\n')
  const names = head!.split(',')
  const cells = (line: string) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) =>
      cell!.replace(/^"|"$/g, '').replaceAll('""', '"'),
    )
  const rows = lines.map((line): Row => Object.fromEntries(names.map((name, n) => [name, cells(line)[n]!])))
  return new Map(rows.map((row) => [String(row[id]), row]))
}

test(
  'markets and events: the list shows what SQL shows, and nothing that could be known is missing',
  async () => {
    const markets = await sample.all('/markets')
    const stored = new Map((await sample.sql('from market')).map((row) => [row.market_id, row]))
    for (const { market_id, slug, status, outcomes, rules, venue_mapping } of markets) {
      const row = stored.get(market_id!)!
      expect({ market_id, slug, status, outcomes, rules }).toEqual({
        market_id,
        slug: row.slug,
        status: row.status,
        outcomes: (row.outcomes as Row[]).map((outcome) => ({ ...outcome, complementary_outcome_id: null })),
        rules: row.rules,
      })
      const { venue_id, source_outcome_ids } = venue_mapping as { venue_id: string; source_outcome_ids: string[] }
      expect([venue_id, slug === null]).toEqual([venue_id, venue_id === 'kalshi'])
      expect((rules as Row).rules_version).toMatch(/^[0-9a-f]{64}$/)
      expect((rules as Row).timezone).toBe(venue_id === 'kalshi' ? 'America/New_York' : null)
      const labels = (outcomes as Row[]).map(({ label }) => label)
      if (source_outcome_ids.length > 2 && venue_id === 'manifold') expect(labels).not.toEqual(source_outcome_ids)
    }
    expect(new Set(markets.map(({ metrics }) => metrics === null))).toEqual(new Set([false]))
    const events = await sample.all('/events')
    const known = new Map((await sample.sql('from event')).map((row) => [row.event_id, row]))
    for (const { event_id, slug, status } of events) {
      expect([slug, status]).toEqual([known.get(event_id!)!.slug, known.get(event_id!)!.status])
      expect(['ongoing', 'ended']).toContain(status)
    }
    const filtered = await sample.all('/events?status=ended')
    expect(filtered).toEqual(events.filter(({ status }) => status === 'ended'))
    expect(filtered.length).toBeGreaterThan(0)
  },
  SLOW_MS,
)

test('a level has the same reasons in the list, by its id, as a table and in SQL, and none of a state without one', async () => {
  const path = `${LOWPORT}?include_corrections=true`
  const [levels, table] = [await sample.all(path), await asCsv(path, 'observation_id')]
  const stored = new Map(
    (
      await sample.sql(
        "select observation_id, reason_codes from index_observation_history where index_id = 'idx_sample_lowport'",
      )
    ).map((row) => [row.observation_id, row]),
  )
  expect(levels.length).toBe(stored.size)
  for (const { observation_id, quality_state, reason_codes } of levels) {
    expect(JSON.parse(String(table.get(String(observation_id))!.reason_codes))).toEqual(reason_codes)
    expect(stored.get(observation_id!)!.reason_codes).toEqual(reason_codes)
    if (quality_state !== 'valid') expect([observation_id, reason_codes]).not.toEqual([observation_id, []])
  }
  expect(new Set(levels.map(({ quality_state }) => quality_state))).toContain('degraded')
})

describe('histories', () => {
  test('a trade has one publication, by its id and in every list, table and view', async () => {
    const [market] = (await sample.all('/markets?venue_id=kalshi')).slice(-1)
    const path = `/markets/${market!.market_id}/trades`
    const [trades, table] = [await sample.all(path), await asCsv(path, 'trade_id')]
    const stored = await sample.sql(
      `select trade_id, published_at, received_at from public_trade_history where market_id = '${market!.market_id}'`,
    )
    const known = new Map(stored.map((row) => [row.trade_id, row]))
    expect(trades.length).toBeGreaterThan(3)
    for (const { trade_id, published_at, received_at } of trades) {
      const cells = table.get(String(trade_id))!
      expect([cells.published_at, cells.received_at]).toEqual([published_at, received_at])
      expect(known.get(trade_id!)).toEqual({ trade_id, published_at, received_at })
    }
    for (const { trade_id, published_at } of trades.slice(0, 3)) {
      const { record } = (await sample.get(`/observations/${trade_id}`)).body.data as { record: Row }
      expect(record.published_at).toBe(published_at)
    }
  })

  test(
    'a midpoint is that of the bid and ask that it names, and has_more is false on each last full page',
    async () => {
      const [market] = await sample.all('/markets?venue_id=kalshi')
      const { market_id, outcomes } = market as { market_id: string; outcomes: { outcome_id: string }[] }
      const of_outcome = `${DAY}&outcome_id=${outcomes[0]!.outcome_id}`
      const midpoints = await sample.all(`/markets/${market_id}/prices?${of_outcome}&field=midpoint`)
      expect(midpoints.length).toBeGreaterThan(5)
      for (const { value, derived, source_observation_ids } of midpoints.slice(0, 5)) {
        expect([derived, (source_observation_ids as string[]).map((id) => id.split('.')[1])]).toEqual([
          true,
          ['bid', 'ask'],
        ])
        const sources = await Promise.all(
          (source_observation_ids as string[]).map((id) => sample.get(`/markets/${market_id}/prices/${id}`)),
        )
        const [bid, ask] = sources.map(({ body }) => Number((body.data as Row).value))
        expect(Number(value)).toBeCloseTo((bid! + ask!) / 2, 9)
      }
      for (const path of [
        `/markets/${market_id}/prices?${of_outcome}&field=bid`,
        `/markets/${market_id}/candles?${of_outcome}&field=bid&interval=PT1H`,
        `/markets/${market_id}/trades?start_time=2025-12-01T00:00:00Z`,
        `${LOWPORT}?${DAY}`,
        '/markets?venue_id=kalshi',
        '/events?venue_id=kalshi',
        '/indexes?family=sample',
      ]) {
        const count = (await sample.all(path)).length
        const page = async (limit: number) => (await sample.get(`${path}&limit=${limit}`)).body.page
        expect([path, await page(count)]).toEqual([path, { next_cursor: null, has_more: false }])
        if (count > 1) expect([path, await page(count - 1)]).toMatchObject([path, { has_more: true }])
      }
    },
    SLOW_MS,
  )

  test('candles of a market have a methodology where the value has one, and no coverage', async () => {
    const [market] = await sample.all('/markets?venue_id=kalshi')
    const { market_id, outcomes } = market as { market_id: string; outcomes: { outcome_id: string }[] }
    const path = `/markets/${market_id}/candles?${DAY}&outcome_id=${outcomes[0]!.outcome_id}&interval=PT1H`
    for (const field of ['bid', 'midpoint', 'mark']) {
      const candles = await sample.all(`${path}&field=${field}`)
      expect([field, candles.length > 0]).toEqual([field, true])
      expect(new Set(candles.map(({ coverage_ratio_min }) => coverage_ratio_min))).toEqual(new Set([null]))
      expect([field, candles.every(({ methodology_version }) => methodology_version !== null)]).toEqual([
        field,
        field === 'mark',
      ])
    }
  })

  test('a value that was only confirmed is one item, with and without corrections, and no revision', async () => {
    const confirmed = await sample.sql(
      `select market_id, count(*) as n from market_quote_history where confirms_id is not null group by 1 order by n desc limit 2`,
    )
    for (const { market_id } of confirmed) {
      const stated = await sample.sql(
        `select observation_id from market_observation_history where market_id = '${market_id}' and confirms_id is null and field <> 'last_trade'`,
      )
      const path = `/markets/${market_id}/prices?include_corrections=true`
      const shown = (await sample.all(path)).filter(({ observation_id }) => String(observation_id).startsWith('obs_'))
      const ids = (rows: readonly Row[]) => rows.map(({ observation_id }) => String(observation_id)).sort()
      expect(ids(shown)).toEqual(ids(stated))
    }
  })
})
