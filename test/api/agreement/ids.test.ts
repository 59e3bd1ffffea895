import { describe, expect, test } from 'vitest'
import { sha256Hex } from '../../../primitives/ids.ts'
import type { Endpoint } from '../../../protocol/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../../protocol/endpoints/endpoints.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { assertIsError, assertMatchesOperation } from '../../support/match-schema.ts'
import { sized } from '../../support/sized.ts'
import { rowOf } from '../acceptance/served.ts'
import { servedSample } from './sample.ts'

/** Agreement A5 and A6 on the sample: an id of another parent is not found, and every id in an answer can be fetched. */
const sample = servedSample()
const SLOW_MS = 240_000
const RANGE = 'start_time=2025-12-03T00:00:00Z&end_time=2025-12-06T00:00:00Z'
const LOWPORT = '/indexes/idx_sample_lowport'
/** Ids of one kind that are fetched. */
const OF_A_KIND = sized(3, 12)

describe('A5: an id of another parent is not found, on every route with a parent', () => {
  /** Ids that belong to a parent, by the parameter that names them. */
  const CHILDREN = ['version_id', 'observation_id', 'outcome_id', 'evidence_id'] as const
  const PARENTS = ['index_id', 'market_id'] as const
  const CODES: Readonly<Record<string, string>> = {
    version_id: 'INDEX_VERSION_NOT_FOUND',
    observation_id: 'OBSERVATION_NOT_FOUND',
    outcome_id: 'MARKET_OUTCOME_NOT_FOUND',
    evidence_id: 'RESOLUTION_NOT_FOUND',
  }
  const routes = Object.values<Endpoint>(ENDPOINTS).flatMap((endpoint) => {
    const parent = PARENTS.find((name) => name in endpoint.path_parameters)
    const children = CHILDREN.filter((name) => name in endpoint.path_parameters || name in endpoint.query)
    return parent === undefined ? [] : children.map((child) => ({ endpoint, parent, child }))
  })

  test(
    'every route with a parent is asked for its own child and for one of another parent',
    async () => {
      const families = { index_id: await indexFamilies(), market_id: await marketFamilies() }
      for (const { endpoint, parent, child } of routes) {
        const [own, other] = families[parent].filter((family) => child in family) as [Row, Row]
        const asked = async (of: Row) => sample.get(pathOf(endpoint, child, { ...own, [child]: of[child]! }))
        const label = `${endpoint.operation_id} ${child}`
        // The sample has no log: the proof of a record that exists is pending.
        const found = endpoint.is_plain === true ? 'PROOF_PENDING' : undefined
        const of_own = await asked(own)
        expect([label, of_own.status, of_own.body.error?.code]).toEqual([label, found === undefined ? 200 : 404, found])
        const answer = await asked(other)
        expect([label, answer.status, answer.body.error?.code]).toEqual([label, 404, CODES[child]])
        assertIsError(answer.body)
      }
      expect(routes.map(({ endpoint, child }) => `${endpoint.operation_id} ${child}`).sort()).toEqual([
        'get_constituents_proof version_id',
        'get_executable_band observation_id',
        'get_index_observation observation_id',
        'get_index_observation_proof observation_id',
        'get_index_robustness observation_id',
        'get_index_version version_id',
        'get_index_version_proof version_id',
        'get_market_observation observation_id',
        'get_market_resolution evidence_id',
        'get_order_book outcome_id',
        'list_constituents version_id',
        'list_market_candles outcome_id',
        'list_market_prices outcome_id',
        'list_trades outcome_id',
      ])
    },
    SLOW_MS,
  )

  /** Two indexes, each with a version and a level. */
  async function indexFamilies(): Promise<Row[]> {
    const indexes = (await sample.all('/indexes')).slice(0, 2)
    return Promise.all(
      indexes.map(async ({ index_id, active_version_id }) => {
        const level = rowOf(await sample.get(`/indexes/${index_id}/price`))
        return { index_id: index_id!, version_id: active_version_id!, observation_id: level.observation_id! }
      }),
    )
  }

  /** Two markets with books, each with an outcome and an observation; resolved ones first, with their evidence. */
  async function marketFamilies(): Promise<Row[]> {
    const families: Row[] = []
    for (const market of await sample.all('/markets?venue_id=kalshi')) {
      const { market_id } = market
      const [outcome] = market.outcomes as Row[]
      const [observed] = await sample.pages(`/markets/${market_id}/prices?field=bid&${RANGE}`, 1000)
      const book = await sample.get(`/markets/${market_id}/orderbook?outcome_id=${outcome!.outcome_id}`)
      if (observed === undefined || book.status !== 200) continue
      const resolution = await sample.get(`/markets/${market_id}/resolution`)
      const resolved =
        resolution.status === 200 ? { evidence_id: (rowOf(resolution).evidence as Row[])[0]!.evidence_id! } : {}
      families.push({
        market_id: market_id!,
        outcome_id: outcome!.outcome_id!,
        observation_id: observed.observation_id!,
        ...resolved,
      })
      if (families.filter((family) => 'evidence_id' in family).length === 2) break
    }
    return families.sort((a, b) => Number('evidence_id' in b) - Number('evidence_id' in a))
  }

  function pathOf({ path, path_parameters, query }: Endpoint, child: string, ids: Row): string {
    const named = path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))
    const required = Object.entries(query).filter(([name, parameter]) => parameter.required === true || name === child)
    const values: Record<string, string> = {
      start_time: '2025-12-03T00:00:00Z',
      end_time: '2025-12-06T00:00:00Z',
      interval: 'PT1H',
      field: 'bid',
      notional: '1',
      ...Object.fromEntries(Object.entries(ids).map(([name, value]) => [name, String(value)])),
    }
    const pairs = required.filter(([name]) => !(name in path_parameters)).map(([name]) => `${name}=${values[name]}`)
    return pairs.length === 0 ? named : `${named}?${pairs.join('&')}`
  }
})

describe('A6: every id in an answer can be fetched', () => {
  /** Path that answers an id, by the field that holds it; null: the field is not an id of this service. */
  const FETCHED: Readonly<Record<string, (id: string, row: Row) => string | null>> = {
    index_id: (id) => `/indexes/${id}`,
    index_version_id: (id, row) =>
      typeof row.index_id === 'string' ? `/indexes/${row.index_id}/versions/${id}` : null,
    active_version_id: (id, row) => `/indexes/${row.index_id}/versions/${id}`,
    supersedes_version_id: (id, row) => `/indexes/${row.index_id}/versions/${id}`,
    methodology_id: (id, row) => `/methodologies/${id}/versions/${row.methodology_version ?? row.version}`,
    market_id: (id) => `/markets/${id}`,
    market_ids: (id) => `/markets/${id}`,
    event_id: (id) => `/events/${id}`,
    outcome_id: (id, row) =>
      row.market_id == null ? null : `/markets/${row.market_id}/prices?limit=1&outcome_id=${id}`,
    complementary_outcome_id: (id, row) => `/markets/${row.market_id}/prices?limit=1&outcome_id=${id}`,
    observation_id: (id) => `/observations/${id}`,
    source_observation_id: (id) => `/observations/${id}`,
    source_observation_ids: (id) => `/observations/${id}`,
    window_observation_ids: (id) => `/observations/${id}`,
    input_observation_ids: (id) => `/observations/${id}`,
    mark_observation_id: (id) => `/observations/${id}`,
    rating_id: (id) => `/ratings/${id}`,
    trade_id: (id) => `/observations/${id}`,
    resolution_id: (id) => `/observations/${id}`,
    evidence_id: (id) => `/observations/${id}`,
    supersedes_id: (id) => `/observations/${id}`,
    proposal_id: (id) => `/governance/proposals/${id}`,
  }
  /** Ids that name a thing without a resource: documented in docs/spec-gaps.md. */
  const NAMES = [
    'mapping_id',
    'calculation_run_id',
    'policy_id',
    'resolver_id',
    'settlement_asset_id',
    'venue_id',
    'constituent_id',
  ]
  const OF_CONSTITUENTS = ['missing_constituent_ids', 'rating_assessment_id_at_selection']

  test(
    'in lists, details and histories',
    async () => {
      const found = new Map<string, Set<string>>()
      const unknown = new Set<string>()
      const visit = (value: unknown, parents: Row): void => {
        if (Array.isArray(value)) for (const item of value) visit(item, parents)
        else if (typeof value === 'object' && value !== null) {
          const row = { ...parents, ...(value as Row) }
          for (const [name, inner] of Object.entries(value as Row)) {
            if (/_ids?$/.test(name)) note(name, inner, row)
            else if (name !== 'definition' && name !== 'parameters') visit(inner, row)
          }
        }
      }
      const note = (name: string, value: unknown, row: Row): void => {
        if (
          /^(source_(?!observation)|.*_outcome_ids$)/.test(name) ||
          NAMES.includes(name) ||
          OF_CONSTITUENTS.includes(name)
        )
          return
        if (!(name in FETCHED)) unknown.add(name)
        for (const id of [value].flat()) {
          const path = id === null || id === undefined ? null : FETCHED[name]?.(String(id), row)
          if (path != null) found.set(name, (found.get(name) ?? new Set()).add(path))
        }
      }
      for (const path of await answeredPaths()) {
        const answer = await sample.get(path)
        if (answer.body.error?.code === 'SOURCE_NOT_PUBLIC') continue
        expect([path, answer.status]).toEqual([path, 200])
        visit(answer.body.data, {})
      }
      expect([...unknown]).toEqual([])
      for (const [name, paths] of found) {
        const list = [...paths]
        const step = Math.max(1, Math.floor(list.length / OF_A_KIND))
        for (const path of list.filter((_, place) => place % step === 0)) {
          const { status, body } = await sample.get(path)
          // A level may derive from a trade that its venue's terms keep inside.
          expect([name, path, status]).toEqual([name, path, body.error?.code === 'SOURCE_NOT_PUBLIC' ? 403 : 200])
        }
      }
      expect([...found.keys()]).toEqual(
        expect.arrayContaining(['window_observation_ids', 'resolution_id', 'trade_id', 'market_ids']),
      )
    },
    SLOW_MS,
  )

  async function answeredPaths(): Promise<string[]> {
    const markets = await sample.all('/markets')
    const resolved = markets.filter(({ status }) => status === 'resolved').slice(0, 3)
    const level = rowOf(await sample.get(`${LOWPORT}/price`))
    const corrected = (await sample.all(`${LOWPORT}/prices`)).find(({ revision }) => revision === 2)
    const some = [...markets.slice(0, 4), ...resolved]
    return [
      ...['/indexes', '/markets', '/events', '/methodologies', `${LOWPORT}/versions`],
      `${LOWPORT}/versions/${level.index_version_id}/constituents?expand=market,outcomes,venue`,
      `${LOWPORT}/prices?${RANGE}`,
      `${LOWPORT}/prices/${level.observation_id}?expand=inputs`,
      `${LOWPORT}/prices/${corrected!.observation_id}?expand=inputs`,
      ...some.flatMap(({ market_id }) => [
        `/markets/${market_id}/prices?limit=50`,
        `/markets/${market_id}/price`,
        `/markets/${market_id}/trades?limit=20`,
        `/markets/${market_id}/rating`,
      ]),
      ...resolved.map(({ market_id }) => `/markets/${market_id}/resolution`),
    ]
  }

  test('a record is answered in the form of its own endpoint, as of any instant', async () => {
    const newest = rowOf(await sample.get(`${LOWPORT}/price`))
    const level = rowOf(await sample.get(`${LOWPORT}/prices/${newest.observation_id}`))
    const answer = await sample.get(`/observations/${level.observation_id}`)
    assertMatchesOperation('get_observation', answer.body)
    expect(rowOf(answer)).toEqual({ observation_id: level.observation_id, kind: 'index_observation', record: level })
    const [market] = await sample.all('/markets?venue_id=kalshi')
    const path = `/markets/${market!.market_id}`
    const [observed] = await sample.pages(`${path}/prices?field=bid&${RANGE}`, 1000)
    const alone = await sample.get(`/observations/${observed!.observation_id}`)
    const detail = await sample.get(`${path}/prices/${observed!.observation_id}`)
    expect(rowOf(alone)).toMatchObject({ kind: 'market_observation', record: detail.body.data })
    expect(alone.body.meta.correction_chain).toEqual(detail.body.meta.correction_chain)
    const before = await sample.get(`/observations/${level.observation_id}?as_of=2025-12-02T00:00:00Z`)
    expect([before.status, before.body.error?.code]).toEqual([404, 'OBSERVATION_NOT_FOUND'])
    for (const id of ['iob_none', 'obs_none.bid', 'mrk_none.mark', 'trd_none', 'res_none', 'evd_none', 'svl_none']) {
      const missing = await sample.get(`/observations/${id}`)
      expect([id, missing.status, missing.body.error?.code]).toEqual([id, 404, 'OBSERVATION_NOT_FOUND'])
    }
  })

  test('documents and texts of methodologies hash to content_hash and text_sha256', async () => {
    const methodologies = await sample.all('/methodologies')
    expect(methodologies.length).toBeGreaterThan(1)
    for (const one of methodologies) {
      const texts = await Promise.all(
        [one.document_uri, one.text_uri].map(async (uri) => (await fetch(`${sample.base_url()}${uri}`)).text()),
      )
      expect(texts.map((text) => sha256Hex(text))).toEqual([
        String(one.content_hash).replace('sha256:', ''),
        one.text_sha256,
      ])
      const detail = await sample.get(`/methodologies/${one.methodology_id}/versions/${one.version}`)
      expect(rowOf(detail)).toEqual(one)
    }
    for (const path of ['/rating-methodologies', '/market-rating-methodologies', '/severity-methodologies'])
      expect((await sample.get(path)).status).toBe(200)
  })
})

describe('look-ups', () => {
  test(
    "a market by its venue's own id, and an event by its feed's",
    async () => {
      for (const market of await sample.all('/markets')) {
        const { venue_id, source_market_id } = market.venue_mapping as { venue_id: string; source_market_id: string }
        const query = `venue_id=${venue_id}&source_market_id=${encodeURIComponent(source_market_id)}`
        expect(await sample.all(`/markets?${query}`)).toEqual([market])
      }
      const [event] = await sample.all('/events')
      const [mapping] = event!.source_mappings as { source_event_id: string }[]
      expect(await sample.all(`/events?source_event_id=${mapping!.source_event_id}`)).toEqual([event])
    },
    SLOW_MS,
  )

  test('words of a title, in any case and order', async () => {
    const markets = await sample.all('/markets')
    const found = await sample.all(`/markets?q=${encodeURIComponent('LOWPORT mayor')}`)
    const wanted = markets.filter(({ title }) => /lowport/i.test(String(title)) && /mayor/i.test(String(title)))
    expect(found).toEqual(wanted)
    expect(found.length).toBeGreaterThan(1)
    expect((await sample.all('/events?q=regatta')).length).toBeGreaterThan(0)
    for (const q of ['ab', '%20%20%20', 'a'.repeat(101)]) {
      const refused = await sample.get(`/markets?q=${q}`)
      expect([q, refused.status, refused.body.error?.code]).toEqual([q, 400, 'VALIDATION_PARAMETER_INVALID'])
    }
  })

  test.each([
    ['now', ''],
    ['as of an instant', '&as_of=2025-12-04T00:00:00Z'],
  ])(
    'several prices in one request, %s',
    async (_name, as_of) => {
      const ids = (await sample.all('/markets')).map(({ market_id }) => String(market_id))
      const asked = ['mkt_none', ...ids].slice(0, 100)
      const answer = await sample.get(`/market-prices?market_ids=${asked.join(',')}${as_of}`)
      assertMatchesOperation('list_latest_prices', answer.body)
      const results = answer.body.data as { market_id: string; price: Row | null; error: { code: string } | null }[]
      expect(results.map(({ market_id }) => market_id)).toEqual([...asked].sort())
      // In the fast lane every sixth one, and the last, which there is not.
      const some = results.filter(({ market_id }, n) => n % sized(6, 1) === 0 || market_id === 'mkt_none')
      for (const { market_id, price, error } of some) {
        const alone = await sample.get(`/markets/${market_id}/price${as_of.replace('&', '?')}`)
        if (price === null) expect([market_id, error?.code]).toEqual([market_id, alone.body.error?.code])
        else {
          const { freshness_ms: _, ...shown } = price
          const { freshness_ms: __, ...wanted } = rowOf(alone)
          expect(shown).toEqual(wanted)
        }
      }
      expect(results.some(({ price }) => price !== null)).toBe(true)
      const many = Array.from({ length: 101 }, (_, n) => `mkt_${n}`).join(',')
      expect((await sample.get(`/market-prices?market_ids=${many}`)).body.error?.code).toBe(
        'VALIDATION_PARAMETER_INVALID',
      )
    },
    SLOW_MS,
  )
})

describe('a quote leads to what its venue sent', () => {
  const quotesOf = (venue_id: string) =>
    sample.sql(`select any_value(record_id) as record_id, received_at from market_quote_history
      where venue_id = '${venue_id}' and confirms_id is null group by received_at order by received_at limit 2`)

  test.each(['kalshi', 'polymarket'])(
    '%s: the payloads of its instant, whose texts have their hashes',
    async (venue_id) => {
      for (const { record_id, received_at } of await quotesOf(venue_id)) {
        const path = `/observations/${record_id}.bid/payloads`
        const answer = await sample.get(path)
        assertMatchesOperation('get_observation_payloads', answer.body)
        expect(rowOf(answer)).toMatchObject({
          observation_id: `${record_id}.bid`,
          venue_id,
          received_at,
          payloads_omitted: 0,
        })
        const payloads = rowOf(answer).payloads as Row[]
        expect(payloads.length).toBeGreaterThan(0)
        for (const { content_hash, byte_count, ...payload } of payloads) {
          expect(payload).toMatchObject({ received_at })
          const [whole, ...others] = rowOf(await sample.get(`${path}?content_hash=${content_hash}`)).payloads as Row[]
          expect([others, sha256Hex(String(whole!.body)), Buffer.byteLength(String(whole!.body))]).toEqual([
            [],
            content_hash,
            byte_count,
          ])
        }
        const unknown = await sample.get(`${path}?content_hash=${'0'.repeat(64)}`)
        expect([unknown.status, unknown.body.error?.code]).toEqual([404, 'OBSERVATION_NOT_FOUND'])
        assertIsError(unknown.body)
      }
    },
    SLOW_MS,
  )

  test('a venue whose terms keep single trades inside shows none; an unknown record and another id are refused', async () => {
    const [quote] = await quotesOf('manifold')
    const refused = await sample.get(`/observations/${quote!.record_id}/payloads`)
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'SOURCE_NOT_PUBLIC'])
    const none = await sample.get('/observations/obs_none/payloads')
    expect([none.status, none.body.error?.code]).toEqual([404, 'OBSERVATION_NOT_FOUND'])
    const level = await sample.get('/observations/iob_none/payloads')
    expect([level.status, level.body.error?.code]).toEqual([400, 'VALIDATION_PARAMETER_INVALID'])
  })
})
