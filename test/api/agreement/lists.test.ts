import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../api/pages/operations.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../../../protocol/endpoints/endpoints.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { LIVE_EXAMPLES, LOG_TILE_EXAMPLES } from '../../support/live-examples.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { wrongExamples } from '../../support/run-examples.ts'
import { sized } from '../../support/sized.ts'
import { ROOT } from '../../support/source-files.ts'
import { rowOf } from '../acceptance/served.ts'
import { servedSample } from './sample.ts'

/** Agreement A1 and A2 on the sample: a list is the same in pages of any size, and its items are what the detail answers. */
const sample = servedSample()
const SLOW_MS = 240_000

/** An instant inside the sample week, before which some index has an earlier version in force. */
const EARLIER = '2025-12-03T08:00:00Z'
const AS_OF = [
  ['now', ''],
  ['as of an instant', `as_of=${EARLIER}`],
] as const
const LISTS = ['/indexes', '/markets', '/events', '/severity-indexes'] as const
const MORNING = 'start_time=2025-12-03T07:00:00Z&end_time=2025-12-03T09:00:00Z'
const RANGE = 'start_time=2025-12-03T00:00:00Z&end_time=2025-12-03T09:00:00Z'

const PAGE_LIMIT = (path: string) => (path.includes('/prices') || path.includes('/trades') ? [7, 1000] : [1, 7, 1000])
const withQuery = (path: string, query: string) => (query === '' ? path : `${path}?${query}`)

describe('A1: pages of 1, 7 and 1000 are the same list, field by field', () => {
  test.each(AS_OF)(
    'lists of the catalogue, %s',
    async (_name, query) => {
      for (const list of LISTS) await sameInPages(withQuery(list, query))
      for (const index of await sample.all(withQuery('/indexes', query))) {
        const versions = withQuery(`/indexes/${index.index_id}/versions`, query)
        await sameInPages(versions)
        for (const version of await sample.all(versions)) {
          const path = `/indexes/${index.index_id}/versions/${version.index_version_id}/constituents`
          await sameInPages(withQuery(path, ['expand=market,outcomes,venue', query].filter(Boolean).join('&')))
        }
      }
    },
    SLOW_MS,
  )

  test(
    'histories',
    async () => {
      const [market] = await sample.all('/markets?venue_id=kalshi')
      const { market_id, outcomes } = market as { market_id: string; outcomes: { outcome_id: string }[] }
      await sameInPages(`/markets/${market_id}/prices?${sized(MORNING, RANGE)}`)
      await sameInPages(`/markets/${market_id}/trades?${RANGE}`)
      await sameInPages(`/markets/${market_id}/ratings`)
      const candles = `${RANGE}&interval=PT1H&outcome_id=${outcomes[0]!.outcome_id}&field=bid`
      await sameInPages(`/markets/${market_id}/candles?${candles}`)
      await sameInPages(`/indexes/idx_sample_lowport/prices?${sized(MORNING, RANGE)}`)
      await sameInPages(`/indexes/idx_sample_lowport/candles?${RANGE}&interval=PT1H`)
    },
    SLOW_MS,
  )

  test('an active index is active on every page, and a market keeps its metrics', async () => {
    const indexes = await sample.pages('/indexes', 1)
    expect(indexes.filter(({ status }) => status === 'active').length).toBeGreaterThan(1)
    const markets = await sample.pages('/markets', 7)
    expect(markets.slice(7).some(({ metrics }) => metrics !== null)).toBe(true)
  })

  async function sameInPages(path: string): Promise<void> {
    const [whole, ...others] = await Promise.all(PAGE_LIMIT(path).map((limit) => sample.pages(path, limit)))
    for (const other of others) expect([path, other]).toEqual([path, whole])
  }
})

describe('every item of every list is as the contract describes it', () => {
  const ids: Readonly<Record<string, string>> = { index_id: 'idx_sample_lowport' }
  const FROM_TO = 'from_as_of=2025-12-05T09:30:00Z&to_as_of=2025-12-05T10:00:00Z'
  const NEEDED: Readonly<Record<string, string>> = {
    list_index_candles: `${RANGE}&interval=PT1H`,
    list_index_prices: 'include_corrections=true&expand=inputs,quotes',
    list_knowledge_changes: FROM_TO,
  }
  const lists = (Object.keys(ENDPOINTS) as OperationId[])
    .map(endpointOf)
    .filter(({ envelope, query }) => envelope === 'collection' && 'limit' in query)
    .filter(({ path_parameters }) => Object.keys(path_parameters).every((name) => name in ids))
    .filter(({ operation_id, query }) => operation_id in NEEDED || !Object.values(query).some((one) => one.required))

  test.each(lists.map((list) => [list.operation_id as OperationId, list] as const))(
    '%s',
    async (operation_id, list) => {
      const path = list.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name]!)
      const asked = withQuery(path, NEEDED[operation_id] ?? '')
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await sample.get(
          cursor === '' ? asked : withQuery(path, `${NEEDED[operation_id] ?? ''}&cursor=${cursor}`),
        )
        assertMatchesOperation(operation_id, body)
        cursor = body.page!.next_cursor
      }
    },
    SLOW_MS,
  )

  test('acts on complaints that were refused are among them', async () => {
    const acts = await sample.all('/governance/acts?outcome=refused')
    expect(acts.map(({ act }) => act)).toContain('assign_complaint')
  })
})

describe('an expanded page of markets has what the single reads answer', () => {
  const single = async (path: string, query: string) => (await sample.get(withQuery(path, query))).body

  test.each(AS_OF)(
    '%s',
    async (_name, query) => {
      const list = `/markets?venue_id=kalshi&limit=3&expand=price,day,rating${query === '' ? '' : `&${query}`}`
      const { data, meta } = await single(list, '')
      expect((data as Row[]).length).toBeGreaterThan(2)
      expect(meta).toMatchObject({ max_age_ms: 60_000 })
      for (const market of data as (Row & Expanded)[]) {
        const path = `/markets/${market.market_id}`
        const { price, day, rating, price_error, ...plain } = market
        expect(plain).toEqual((await single(path, query)).data)
        expect(price_error).toBeNull()
        expect(timeless(price)).toEqual(timeless((await single(`${path}/price`, query)).data as Row))
        expect(rating).toEqual(pick((await single(`${path}/rating`, query)).data as Row, Object.keys(rating)))
        const { open, closes, ...range } = day
        const asked = `${new URLSearchParams(range)}${query === '' ? '' : `&${query}`}`
        const candles = (await single(`${path}/candles`, asked)).data as Row[]
        expect(closes).toEqual(candles.map((candle) => pick(candle, ['bucket_start', 'close'])))
        const first = candles[0]
        expect(open).toBe(first?.bucket_start === range.start_time ? first?.open : null)
        expect(Date.parse(range.end_time!) - Date.parse(range.start_time!)).toBe(25 * 3_600_000)
      }
    },
    SLOW_MS,
  )

  test('one that was never quoted has no price, and says why', async () => {
    const markets = (await sample.pages('/markets?venue_id=manifold&expand=price,day', 100)) as (Row &
      Partial<Expanded>)[]
    const unquoted = markets.filter(({ price }) => price === null)
    for (const { market_id, day, price_error } of unquoted) {
      expect(day).toBeNull()
      expect(price_error).toMatchObject((await sample.get(`/markets/${market_id}/price`)).body.error as object)
    }
    expect(markets.every(({ price, price_error }) => (price === null) === (price_error !== null))).toBe(true)
  })

  test('bands divide the markets as their ratings do, now and as of an instant', async () => {
    for (const query of ['', `&as_of=${EARLIER}`]) {
      const all = (await sample.pages(`/markets?expand=rating${query}`, 100)) as (Row & Expanded)[]
      const bands = ['MR1', 'MR2', 'MR3', 'MR4', 'MR5', 'NR']
      for (const band of bands) {
        const listed = await sample.pages(`/markets?rating_band=${band}${query}`, 7)
        const rated = all.filter(({ rating }) => rating.band === band)
        expect([band, listed.map(({ market_id }) => market_id)]).toEqual([
          band,
          rated.map(({ market_id }) => market_id),
        ])
      }
    }
  })

  test.each([
    ['title', ({ title }: Row) => String(title).toLowerCase()],
    ['closes', ({ schedule }: Row) => (schedule as Row | null)?.closes_at ?? null],
    ['volume', ({ metrics }: Row) => (metrics as Row | null)?.volume_24h ?? null],
  ] as const)('sort=%s: in order, the unknown last, the same in pages of any size', async (sort, sortedBy) => {
    const [whole, pages] = [
      await sample.pages(`/markets?sort=${sort}`, 1000),
      await sample.pages(`/markets?sort=${sort}`, 7),
    ]
    expect(pages).toEqual(whole)
    const values = whole.map(sortedBy)
    const known = values.filter((value) => value !== null)
    expect(values.slice(known.length).every((value) => value === null)).toBe(true)
    const ascending = known.toSorted((a, b) => (sort === 'volume' ? Number(b) - Number(a) : a < b ? -1 : 1))
    expect(known).toEqual(ascending)
  })

  test('a longer page is refused with what is allowed', async () => {
    const { status, body } = await sample.get('/markets?expand=day&limit=101')
    expect([status, body.error]).toMatchObject([400, { code: 'VALIDATION_PARAMETER_INVALID' }])
    expect(JSON.stringify(body.error)).toContain('allowed with expand: 1 to 100')
  })
})

type Expanded = {
  readonly price: Row
  readonly price_error: Row | null
  readonly day: Record<string, string> & { readonly closes: unknown }
  readonly rating: Row
}
const timeless = ({ freshness_ms: _, ...rest }: Row) => rest
const pick = (row: Row, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, row[name]]))

describe('A3: a later page is of the instant that it states', () => {
  test.each([
    ['/markets', 7],
    ['/indexes', 1],
    [`/indexes/idx_sample_lowport/prices?${RANGE}`, 2],
    [`/indexes/idx_sample_lowport/candles?${RANGE}&interval=PT1H`, 2],
  ])('%s', async (path, limit) => {
    const at = (more: string) => `${path}${path.includes('?') ? '&' : '?'}${more}`
    const page = async (more: string) => {
      const { body } = await sample.get(at(more))
      const { published_at } = body.meta as { readonly published_at?: string }
      return { data: body.data as readonly Row[], cursor: body.page?.next_cursor, published_at }
    }
    const first = await page(`limit=${limit}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const second = await page(`limit=${limit}&cursor=${first.cursor}`)
    const third = await page(`limit=${limit}&cursor=${second.cursor}`)
    expect(third.published_at).toBe(second.published_at)
    const whole = await page(`limit=1000&as_of=${second.published_at}`)
    expect(whole.data.slice(0, 3 * limit)).toEqual([...first.data, ...second.data, ...third.data])
  })
})

describe('has_more', () => {
  test('is false on a last page that is full, and true before', async () => {
    const path = `/indexes/idx_sample_lowport/prices?${RANGE}`
    const count = (await sample.all(path)).length
    const page = async (limit: number) => (await sample.get(`${path}&limit=${limit}`)).body.page
    expect(await page(count)).toEqual({ next_cursor: null, has_more: false })
    expect(await page(count - 1)).toMatchObject({ has_more: true })
  })
})

describe('A2: a list item is what its detail answers', () => {
  test.each(AS_OF)(
    'indexes, versions, events and markets, %s',
    async (_name, query) => {
      const details: string[] = []
      const same = async (path: string, item: unknown) => {
        details.push(path)
        expect([path, rowOf(await sample.get(withQuery(path, query)))]).toEqual([path, item])
      }
      for (const index of await sample.all(withQuery('/indexes', query))) {
        await same(`/indexes/${index.index_id}`, index)
        for (const version of await sample.all(withQuery(`/indexes/${index.index_id}/versions`, query)))
          await same(`/indexes/${index.index_id}/versions/${version.index_version_id}`, version)
      }
      for (const event of await sample.all(withQuery('/events', query))) await same(`/events/${event.event_id}`, event)
      for (const market of await sample.all(withQuery('/markets', query)))
        await same(`/markets/${market.market_id}`, market)
      expect(details.length).toBeGreaterThan(20)
    },
    SLOW_MS,
  )

  test('levels and observations', async () => {
    for (const level of await sample.all(`/indexes/idx_sample_lowport/prices?${RANGE}`)) {
      const path = `/indexes/idx_sample_lowport/prices/${level.observation_id}`
      expect(rowOf(await sample.get(path))).toEqual(level)
    }
    const [market] = await sample.all('/markets?venue_id=kalshi')
    const { market_id } = market as { market_id: string }
    const observed = await sample.all(`/markets/${market_id}/prices?${RANGE}&field=bid`)
    expect(observed.length).toBeGreaterThan(0)
    for (const item of observed.slice(0, 20)) {
      const { quote: _, ...detail } = rowOf(await sample.get(`/markets/${market_id}/prices/${item.observation_id}`))
      expect(detail).toEqual(item)
    }
  })
})

describe('A4: a filter returns exactly the items that have the value, in both directions', () => {
  test.each([
    ['now', ''],
    ['before the second version', 'as_of=2025-12-03T08:00:00Z'],
  ])(
    'markets and indexes, legs included, %s',
    async (_name, query) => {
      const known = new Set((await sample.all(withQuery('/markets', query))).map(({ market_id }) => market_id))
      const reads = new Map<unknown, unknown[]>()
      for (const index of await sample.all(withQuery('/indexes', query))) {
        const path = `/indexes/${index.index_id}/versions/${index.active_version_id}/constituents`
        const constituents = await sample.all(withQuery(path, query))
        const legs = constituents.flatMap(({ legs }) => legs as { market_id: string }[])
        const markets = new Set(legs.map(({ market_id }) => market_id).filter((id) => known.has(id)))
        for (const market_id of markets) reads.set(market_id, [...(reads.get(market_id) ?? []), index.index_id])
        const filter = [`index_id=${index.index_id}`, query].filter(Boolean).join('&')
        const found = (await sample.all(`/markets?${filter}`)).map(({ market_id }) => market_id)
        expect([index.index_id, new Set(found)]).toEqual([index.index_id, markets])
        expect(found.length).toBe(markets.size)
      }
      for (const market_id of known) {
        const filter = [`constituent_market_id=${market_id}`, query].filter(Boolean).join('&')
        const found = (await sample.all(`/indexes?${filter}`)).map(({ index_id }) => index_id)
        expect([market_id, found]).toEqual([market_id, (reads.get(market_id) ?? []).sort()])
      }
      expect(reads.size).toBeGreaterThan(3)
    },
    SLOW_MS,
  )

  test('a pool of three venues is found by each of its markets, and its weights add up to its pool', async () => {
    const { active_version_id } = rowOf(await sample.get('/indexes/idx_sample_lowport'))
    const constituents = await sample.all(`/indexes/idx_sample_lowport/versions/${active_version_id}/constituents`)
    for (const { legs } of constituents) {
      const of_pool = legs as { venue_id: string; pool_weight: string }[]
      expect(of_pool.map(({ venue_id, pool_weight }) => [venue_id, pool_weight])).toEqual([
        ['kalshi', '0.4'],
        ['polymarket', '0.4'],
        ['manifold', '0.2'],
      ])
    }
  })

  test(
    'every value of a filter that occurs gives the items that have it',
    async () => {
      const FILTERS: readonly (readonly [path: string, name: string, of: (row: Row) => readonly unknown[]])[] = [
        ['/indexes', 'family', (row) => [row.family]],
        ['/indexes', 'status', (row) => [row.status]],
        ['/indexes', 'tag', (row) => row.tags as string[]],
        ['/events', 'status', (row) => [row.status]],
        ['/events', 'category', (row) => [row.category]],
        ['/events', 'region', (row) => row.regions as string[]],
        ['/events', 'venue_id', (row) => (row.source_mappings as Row[]).map(({ venue_id }) => venue_id)],
        ['/markets', 'event_id', (row) => [row.event_id]],
        ['/markets', 'venue_id', (row) => [(row.venue_mapping as Row | null)?.venue_id]],
        ['/markets', 'status', (row) => [row.status]],
        ['/markets', 'category', (row) => [row.category]],
        ['/markets', 'outcome_type', (row) => [row.outcome_type]],
        ['/markets', 'eligibility_status', (row) => [(row.eligibility as Row | null)?.status]],
      ]
      for (const [path, name, of] of FILTERS) {
        const items = await sample.all(path)
        const values = [...new Set(items.flatMap(of))].filter((value) => value !== null && value !== undefined)
        for (const value of values) {
          const query = `${path}?${name}=${encodeURIComponent(String(value))}`
          expect([query, await sample.all(query)]).toEqual([query, items.filter((item) => of(item).includes(value))])
        }
      }
    },
    SLOW_MS,
  )
})

describe('the documentation', () => {
  test(
    'the example of every public operation is answered; proofs wait for the log, which this service does not have',
    async () => {
      const apart = [...LIVE_EXAMPLES, ...LOG_TILE_EXAMPLES]
      const of_anybody = [...operations().values()].filter(({ scope }) => scope === null)
      const ids = of_anybody.map(({ operation_id }) => operation_id).filter((id) => !apart.includes(id))
      expect(ids.length).toBeGreaterThan(60)
      const wrong = await wrongExamples({ base_url: sample.base_url(), environment: 'test', account: null }, ids)
      const waiting = wrong.filter((line) => /^get_\w+_proof: 404 .* is not covered by a checkpoint yet/.test(line))
      expect(wrong.filter((line) => !waiting.includes(line))).toEqual([])
      expect(waiting.length).toBeLessThan(20)
    },
    SLOW_MS,
  )

  test('the guide to as_of: each request answers what stands below it', async () => {
    const page = readFileSync(join(ROOT, 'docs/start/as-of.md'), 'utf8')
    const shown = [...page.matchAll(/```sh\ncurl "http:\/\/127\.0\.0\.1:8080\/v1([^"]+)"\n```\n```json\n(.+)\n```/g)]
    expect(shown.length).toBe(3)
    for (const [, path, json] of shown) {
      const { data } = (await sample.get(path!)).body
      expect([path, [data].flat()]).toEqual([path, [expect.objectContaining(JSON.parse(json!))]])
    }
  })
})
