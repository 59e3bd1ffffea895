import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { wilsonInterval } from '../../../pipelines/rating/wilson.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { formatMicros, MICROS_PER_DAY } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { modelRow } from '../../support/review-world.ts'
import { until } from '../../support/service-process.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { wholeWarehouse } from '../../support/whole-warehouse.ts'
import { type Answer, rowOf, rowsOf, serve, sql, walk } from '../acceptance/served.ts'
import { day, VALIDATED, withdrawAll } from './rating-records.ts'
import { bytesOf, expectRefused, expectSameBytes } from './served-records.ts'

/** Ratings over the API: the worked examples, who is in force at every instant, and every filter of the history. */
const folder = tempFolder()
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
const root = join(folder, 'warehouse')
let warehouse: Warehouse
let api: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  warehouse = await openWarehouse({ root: await wholeWarehouse(folder) })
  api = await serve(root)
})
afterAll(() => warehouse.close())

async function rating(market_id: string, query = ''): Promise<Row> {
  const answer = await api.get(`/markets/${market_id}/rating${query}`)
  expect([answer.status, answer.body.error ?? null]).toEqual([200, null])
  assertMatchesOperation('get_market_rating', answer.body)
  return rowOf(answer)
}
const at = (date: string) => `?as_of=${date}T00:00:00Z`

describe('worked examples, through the fields of the API', () => {
  test('E11: components, score and band to the last digit; what is missing is null and never zero', async () => {
    expect(await rating('mkt_e11')).toMatchObject({
      component_scores: {
        resolution_clarity: '88.40',
        source_reliability: '96.12',
        liquidity: '85.68',
        manipulation_resistance: '82.43',
        data_quality: '99.58',
        venue_operational_risk: '32.25',
      },
      score: '86.87',
      band: 'MR1',
      issuer: { kind: 'analyst', issuer_id: 'analyst', model_version: null },
      review_state: 'approved',
    })
    const without_source = await rating('mkt_e11b')
    expect(without_source).toMatchObject({ score: '85.24', band: 'MR2', reason_codes: ['COMPONENT_MISSING'] })
    expect(without_source.component_scores).toMatchObject({ source_reliability: null })
    const without_clarity = await rating('mkt_e11c')
    expect(without_clarity).toMatchObject({ score: null, band: 'NR' })
    expect(without_clarity.reason_codes).toContain('MISSING_REQUIRED:resolution_clarity')
    expect(without_clarity.rating_id).not.toBeNull()
    const weak = await rating('mkt_e11d')
    expect(weak.component_scores).toMatchObject({ manipulation_resistance: '31.00' })
    expect(weak).toMatchObject({ score: '76.59', band: 'MR4', reason_codes: ['WEAK_LINK:manipulation_resistance'] })
    const ninety = await rating('mkt_e11e')
    const { venue_operational_risk, ...others } = ninety.component_scores as Row
    expect([venue_operational_risk, ...Object.values(others)]).toEqual(['10.00', ...Array(5).fill('90.00')])
    expect(ninety).toMatchObject({ score: '90.00', band: 'MR1' })
    const without_quality = await rating('mkt_e11f')
    expect(without_quality).toMatchObject({ score: '90.00', band: 'MR2', reason_codes: ['COMPONENT_MISSING'] })
    expect(without_quality.component_scores).toMatchObject({ data_quality: null })
  })

  test('E19: of 40 markets of band MR3 three were disputed later: 7.5 %, Wilson 0.0258 to 0.1986', async () => {
    const disputed = await Promise.all(
      VALIDATED.map(async (market_id) => {
        expect((await rating(market_id, at('2026-05-02'))).band).toBe('MR3')
        const resolution = await api.get(`/markets/${market_id}/resolution${at('2026-05-20')}`)
        return rowOf(resolution).finality === 'disputed'
      }),
    )
    const count = disputed.filter(Boolean).length
    const { low, high } = wilsonInterval(count, VALIDATED.length)!
    expect([count / VALIDATED.length, low.toFixed(4), high.toFixed(4)]).toEqual([0.075, '0.0258', '0.1986'])
  })

  test('E24: the rating in force as it was known, and NR without an identity or a score before the first', async () => {
    const ids: unknown[] = []
    for (const date of ['2026-01-05', '2026-01-12', '2026-01-16', '2026-01-25', '2026-02-02'])
      ids.push((await rating('mkt_e24', at(date))).rating_id)
    expect(ids).toEqual(['rat_1', 'rat_2', 'rat_2', 'rat_3', 'rat_2'])
    expect((await rating('mkt_e24')).rating_id).toBe('rat_2')
    const before = await rating('mkt_e24', at('2025-12-31'))
    expect(before).toMatchObject({ band: 'NR', score: null, reason_codes: ['NO_APPROVED_RATING'], rating_id: null })
    expect(Object.values(before.component_scores as Row)).toEqual(Array(6).fill(null))
    expect([before.confidence, before.published_at, before.issuer, before.evidence]).toEqual([null, null, null, []])
  })
})

describe('who is in force', () => {
  const MARKETS = ['mkt_acts', 'mkt_kinds', 'mkt_e24', 'mkt_e11', 'mkt_bare']
  test('at many instants the API answers what `tidemark sql --as-of` does, by every kind', async () => {
    for (let days = 0.5; days < 22; days += sized(3, 1)) {
      const as_of = formatMicros(day('2026-03-31') + days * MICROS_PER_DAY)
      const rows = await sql(warehouse, 'select market_id, rating_id, band, published_at from market_rating', as_of)
      for (const market_id of MARKETS) {
        const wanted = rows.find((row) => row.market_id === market_id)
        const shown = await rating(market_id, `?as_of=${as_of}`)
        const none = { market_id, rating_id: null, band: 'NR', published_at: null }
        expect([as_of, shown]).toMatchObject([as_of, wanted ?? none])
      }
    }
  })

  test('an override first, then committee, analyst, model; assessment_kind and methodology_id choose', async () => {
    const kind = async (date: string, query = '') =>
      ((await rating('mkt_kinds', `${at(date)}${query}`)).issuer as Row | null)?.kind ?? null
    const kinds = [await kind('2026-04-16'), await kind('2026-04-18'), await kind('2026-04-21')]
    expect(kinds).toEqual(['model', 'committee', 'analyst'])
    for (const one of ['model', 'analyst', 'committee'])
      expect(await kind('2026-04-18', `&assessment_kind=${one}`)).toBe(one)
    expect(await kind('2026-04-21', '&assessment_kind=committee')).toBeNull()
    expect(await kind('2026-04-18', '&methodology_id=mth_market_rating')).toBe('committee')
    expect(await kind('2026-04-18', '&methodology_id=mth_other')).toBeNull()
    expect((await rating('mkt_kinds', '?assessment_kind=model')).band).toBe('MR3')
    expect(await rating('mkt_kinds', '?assessment_kind=committee')).toMatchObject({ rating_id: null, band: 'NR' })
  })

  test('override, dispute and withdrawal are shown with what they must carry; a disputed record stays current', async () => {
    const disputed = await rating('mkt_acts', '?as_of=2026-04-03T12:00:00Z')
    expect(disputed).toMatchObject({
      band: 'MR1',
      review_state: 'disputed',
      dispute: { state: 'open', filer: 'observer', basis: 'as decided', decision: null, decided_at: null },
    })
    expect(await rating('mkt_acts', '?as_of=2026-04-08T00:00:00Z')).toMatchObject({
      band: 'MR5',
      previous_band: 'MR2',
      override: {
        authority: 'analyst',
        reason_code: 'NEWS',
        narrative: 'the source is in doubt',
        previous_value: 'MR2',
        proposed_value: 'MR5',
        starts_at: '2026-04-05T06:00:00Z',
        expires_at: '2026-04-09T00:00:00Z',
      },
    })
    expect(await rating('mkt_acts', '?as_of=2026-04-09T12:00:00Z')).toMatchObject({
      band: 'MR1',
      reason_codes: ['OVERRIDE_EXPIRED'],
      override: null,
    })
    expect(await rating('mkt_acts', '?as_of=2026-04-12T00:00:00Z')).toMatchObject({
      band: 'MR4',
      issuer: { kind: 'committee' },
    })
    const withdrawn = rowsOf(await api.get('/markets/mkt_acts/ratings?review_state=withdrawn'))
    expect(withdrawn.map(({ band }) => band)).toEqual(['MR2', 'MR3'])
    expect(withdrawn[1]!.withdrawal).toEqual({
      withdrawn_by: 'member_a',
      reason: 'as decided',
      withdrawn_at: '2026-04-10T06:00:00Z',
    })
  })

  test('expand=measured gives the text that the hash of the evidence is of; else it is left out', async () => {
    const [item] = (await rating('mkt_e11')).evidence as Row[]
    expect('measured' in item!).toBe(false)
    const whole = (await rating('mkt_e11', '?expand=measured')).evidence as Row[]
    expect(whole).toHaveLength(6)
    for (const { measured, content_hash } of whole)
      if (measured !== null) expect(content_hash).toBe(`sha256:${sha256Hex(String(measured))}`)
    expect(whole.map(({ evidence_id }) => evidence_id)).toContain(item!.evidence_id)
  })
})

describe('history', () => {
  const PATH = '/markets/mkt_acts/ratings'
  const HEADS = `select * from market_rating_history where market_id = 'mkt_acts'
    qualify row_number() over (partition by chain_id order by revision desc) = 1`
  const ORDER = 'order by effective_from, published_at, rating_id'
  const SHOWN = "review_state in ('approved', 'disputed', 'superseded')"
  const FILTERS: readonly (readonly [query: string, where: string])[] = [
    ['', SHOWN],
    ['include_withdrawn=true', `${SHOWN} or review_state = 'withdrawn'`],
    ['review_state=withdrawn', "review_state = 'withdrawn'"],
    ['review_state=superseded,withdrawn', "review_state in ('superseded', 'withdrawn')"],
    ['review_state=draft', "review_state = 'draft'"],
    ['review_state=superseded&include_withdrawn=true', "review_state in ('superseded', 'withdrawn')"],
    ['band=MR1', `${SHOWN} and band = 'MR1'`],
    ['band=NR', 'false'],
    ['methodology_id=mth_market_rating', SHOWN],
    ['methodology_id=mth_other', 'false'],
    ['start_time=2026-04-05T00:00:00Z', `${SHOWN} and effective_from >= '2026-04-05T00:00:00Z'`],
    ['end_time=2026-04-05T00:00:00Z', `${SHOWN} and effective_from < '2026-04-05T00:00:00Z'`],
    [
      'start_time=2026-04-02T00:00:00Z&end_time=2026-04-06T00:00:00Z',
      `${SHOWN} and effective_from >= '2026-04-02' and effective_from < '2026-04-06'`,
    ],
    ['published_after=2026-04-09T06:00:00Z', `${SHOWN} and published_at > '2026-04-09T06:00:00Z'`],
  ]

  test.each(FILTERS)('?%s', async (query, where) => {
    const answer = await api.get(`${PATH}?limit=1000${query === '' ? '' : `&${query}`}`)
    assertMatchesOperation('list_market_ratings', answer.body)
    const wanted = await sql(warehouse, `select rating_id from (${HEADS}) where ${where} ${ORDER}`)
    expect(idsOf(answer)).toEqual(wanted.map(({ rating_id }) => rating_id))
  })

  test('each filter leaves something out', async () => {
    const counts = await Promise.all(FILTERS.map(async ([query]) => idsOf(await api.get(`${PATH}?${query}`)).length))
    expect(new Set(counts).size).toBeGreaterThan(6)
  })

  test('include_corrections: every revision, and the states it had', async () => {
    const answer = await api.get(
      `${PATH}?include_corrections=true&review_state=draft,under_review,approved,superseded,disputed,withdrawn`,
    )
    const wanted = await sql(
      warehouse,
      `select rating_id, review_state from market_rating_history where market_id = 'mkt_acts' ${ORDER}`,
    )
    expect(rowsOf(answer).map(({ rating_id, review_state }) => ({ rating_id, review_state }))).toEqual(wanted)
    expect(wanted.length).toBeGreaterThan(idsOf(await api.get(PATH)).length + 4)
  })

  test('a record under review is shown when requested, and not otherwise', async () => {
    const waiting = rowsOf(await api.get('/markets/mkt_kinds/ratings?review_state=under_review'))
    expect(waiting.map(({ band, review_state }) => [band, review_state])).toEqual([['NR', 'under_review']])
    expect(idsOf(await api.get('/markets/mkt_kinds/ratings'))).not.toContain(waiting[0]!.rating_id)
  })

  test('each is found by its id alone, with every revision of it, and as a row of a table', async () => {
    const query = `${PATH}?include_corrections=true&limit=1000&review_state=approved,disputed,under_review,draft`
    const items = rowsOf(await api.get(query))
    for (const item of items) {
      const alone = await api.get(`/ratings/${item.rating_id}`)
      assertMatchesOperation('get_rating', alone.body)
      expect(rowOf(alone)).toEqual(item)
      expect(alone.body.meta.correction_chain).toContain(item.rating_id)
    }
    const [absent] = [await api.get('/ratings/rat_absent')]
    expect([absent.status, absent.body.error?.code]).toEqual([404, 'RATING_NOT_FOUND'])
    const early = await api.get(`/ratings/${items[0]!.rating_id}?as_of=2020-01-01T00:00:00Z`)
    expect([early.status, early.body.error?.code]).toEqual([404, 'RATING_NOT_FOUND'])
    const csv = await fetch(`${api.base_url}/v1${query}`, { headers: { accept: 'text/csv' } })
    const ids = (await csv.text()).split('\r\n').flatMap((line) => /^rat_[^,]*/.exec(line)?.[0] ?? [])
    expect(ids).toEqual(items.map(({ rating_id }) => rating_id))
  })

  test('as of an instant it is what was known then', async () => {
    for (const as_of of ['2026-04-03T07:00:00Z', '2026-04-06T12:00:00Z', '2026-04-10T06:30:00Z']) {
      const wanted = await sql(warehouse, `select rating_id from (${HEADS}) where ${SHOWN} ${ORDER}`, as_of)
      expect(idsOf(await api.get(`${PATH}?as_of=${as_of}`))).toEqual(wanted.map(({ rating_id }) => rating_id))
    }
  })

  test('walked in small pages it is whole, though others publish meanwhile; a cursor is of its filters', async () => {
    const whole = idsOf(await api.get(PATH))
    let pages = 0
    const items = await walk(api.get, PATH, 2, async () => {
      pages += 1
      if (pages !== 2) return
      const now = await warehouse.now()
      await warehouse.append('market_rating', [modelRow('mkt_acts', 'MR2', now)], {
        app_id: 'meanwhile',
        app_sequence: 1,
        stamp: { kind: 'wall' },
        operation: 'TEST',
      })
    })
    expect(items.map(({ rating_id }) => rating_id)).toEqual(whole)
    const { next_cursor } = (await api.get(`${PATH}?limit=2`)).body.page!
    const other = await api.get(`${PATH}?limit=2&band=MR1&cursor=${next_cursor}`)
    expect([other.status, other.body.error?.code]).toEqual([400, 'VALIDATION_CURSOR_INVALID'])
  })
})

test('what is not known is refused, never ignored', async () => {
  await expectRefused(api, [
    ['/markets/mkt_e11/rating?assessment_kind=program', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/markets/mkt_e11/rating?band=MR1', 400, 'VALIDATION_PARAMETER_UNKNOWN'],
    ['/markets/mkt_e11/rating?expand=inputs', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/markets/mkt_e11/rating?as_of=2199-01-01T00:00:00Z', 400, 'VALIDATION_AS_OF_IN_FUTURE'],
    ['/markets/mkt_e11/ratings?band=MR6', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/markets/mkt_e11/ratings?review_state=published', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/markets/mkt_e11/ratings?sort=band', 400, 'VALIDATION_PARAMETER_UNKNOWN'],
    ['/markets/mkt_e11/ratings?include_withdrawn=yes', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/markets/mkt_e11/ratings?limit=1001', 400, 'VALIDATION_PARAMETER_INVALID'],
    [
      '/markets/mkt_e11/ratings?start_time=2026-02-01T00:00:00Z&end_time=2026-01-01T00:00:00Z',
      400,
      'VALIDATION_RANGE_INVALID',
    ],
    ['/markets/mkt_absent/rating', 404, 'MARKET_NOT_FOUND'],
    ['/markets/mkt_absent/ratings', 404, 'MARKET_NOT_FOUND'],
    ['/markets/mkt_e11/rating?as_of=2025-11-30T00:00:00Z', 404, 'MARKET_NOT_FOUND'],
    ['/market-rating-methodologies/mth_market_rating/versions/9', 404, 'METHODOLOGY_NOT_FOUND'],
    ['/market-rating-methodologies/mth_event_severity/versions/1.0.0', 404, 'METHODOLOGY_NOT_FOUND'],
  ])
})

test('methodologies are listed as their details show them; document and text are what their hashes cover', async () => {
  const listed = rowsOf(await api.get('/rating-methodologies'))
  expect(listed.length).toBeGreaterThan(0)
  for (const one of listed) {
    const path = `/market-rating-methodologies/${one.methodology_id}/versions/${one.version}`
    expect(rowOf(await api.get(path))).toEqual(one)
    const [document, text] = await Promise.all(
      [one.document_uri, one.text_uri].map(async (uri) => (await fetch(`${api.base_url}${uri}`)).text()),
    )
    expect(`sha256:${sha256Hex(document!)}`).toBe(one.content_hash)
    expect(sha256Hex(text!)).toBe(one.text_sha256)
  }
})

test('the methodology: scale, components, thresholds, policy, text and hash', async () => {
  const path = '/market-rating-methodologies/mth_market_rating/versions/1.0.0'
  const answer = await api.get(path)
  assertMatchesOperation('get_rating_methodology', answer.body)
  const shown = rowOf(answer)
  expect(shown).toMatchObject({
    scale: ['MR1', 'MR2', 'MR3', 'MR4', 'MR5', 'NR'],
    band_thresholds: { MR1: '85', MR2: '70', MR3: '55', MR4: '40', MR5: '0' },
    missing_evidence_policy: {
      required_components: ['resolution_clarity', 'liquidity', 'manipulation_resistance'],
      minimum_weight: '0.8',
      best_band_when_missing: 'MR2',
      missing_is_zero: false,
    },
  })
  expect(
    (shown.component_definitions as Row[]).map(({ name, weight, higher_is_better }) => [
      name,
      weight,
      higher_is_better,
    ]),
  ).toEqual([
    ['resolution_clarity', '0.25', true],
    ['source_reliability', '0.15', true],
    ['liquidity', '0.2', true],
    ['manipulation_resistance', '0.2', true],
    ['data_quality', '0.1', true],
    ['venue_operational_risk', '0.1', false],
  ])
  expect(sha256Hex(String(shown.document))).toBe(shown.text_sha256)
  const response = await fetch(`${api.base_url}/v1${path}`)
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const again = await fetch(`${api.base_url}/v1${path}`, {
    headers: { 'if-none-match': response.headers.get('etag')! },
  })
  expect(again.status).toBe(304)
})

describe('what was answered stays', () => {
  const AS_OF = ['2026-04-03T12:00:00Z', '2026-04-12T00:00:00Z', '2026-06-01T00:00:00Z']
  const PLACES = ['mkt_acts', 'mkt_kinds', 'mkt_e24'].flatMap((market_id) =>
    AS_OF.map((as_of) => ({ market_id, as_of })),
  )
  // In the fast lane each market at an instant of its own.
  const PATHS = PLACES.filter((_, n) => n % sized(4, 1) === 0).flatMap(({ market_id, as_of }) => [
    `/markets/${market_id}/rating?as_of=${as_of}`,
    `/markets/${market_id}/rating?as_of=${as_of}&expand=measured`,
    `/markets/${market_id}/ratings?as_of=${as_of}&include_withdrawn=true`,
    `/markets/${market_id}/ratings?as_of=${as_of}&include_corrections=true&limit=3`,
  ])

  test('after new records, corrections, a withdrawal of all, compaction and a restart', async () => {
    const first = await bytesOf(api, PATHS)
    const heads = await sql(warehouse, "select * from market_rating_history where market_id in ('mkt_acts', 'mkt_e24')")
    await withdrawAll(warehouse, heads)
    await until(async () => (await rating('mkt_acts')).rating_id === null, 60_000)
    expect(await rating('mkt_e24')).toMatchObject({ rating_id: null, reason_codes: ['NO_APPROVED_RATING'] })
    api = await expectSameBytes({ api, root, warehouse }, first)
    expect(await rating('mkt_acts')).toMatchObject({ rating_id: null, band: 'NR' })
  })
})

test('when the newest ratings of the program are withdrawn one by one, the one before is in force each time', async () => {
  const rows = sized([20, 21, 22], [20, 21, 22, 23, 24, 25]).map((n) =>
    modelRow('mkt_bare', 'MR2', day(`2026-06-${n}`)),
  )
  const now = await warehouse.now()
  const wall = (app_id: string) => ({ app_id, app_sequence: now, stamp: { kind: 'wall' }, operation: 'TEST' }) as const
  await warehouse.append('market_rating', rows, wall('bare'))
  for (const [place, row] of rows.toReversed().entries()) {
    await until(async () => (await rating('mkt_bare')).rating_id === row.rating_id, 60_000)
    const gone = { ...row, rating_id: `${row.rating_id}_gone`, revision: 2, supersedes_id: row.rating_id }
    const stored = { ...gone, correction_reason: 'WITHDRAWN', review_state: 'withdrawn' }
    await warehouse.append('market_rating', [stored], wall(`bare ${place}`))
  }
  await until(async () => (await rating('mkt_bare')).rating_id === null, 60_000)
  await api.close()
  api = await serve(root)
  expect((await rating('mkt_bare')).band).toBe('NR')
})

const idsOf = (answer: Answer) => rowsOf(answer).map(({ rating_id }) => rating_id)
