import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sha256Hex } from '../../../primitives/ids.ts'
import { formatMicros, MICROS_PER_DAY } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { until } from '../../support/service-process.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type Answer, rowOf, rowsOf, serve, sql, walk } from '../acceptance/served.ts'
import { bytesOf, expectRefused, expectSameBytes } from './served-records.ts'
import { append, day, E14, writeSeverity, writeSeverityIndex } from './severity-records.ts'

/** Severity over the API: the worked examples, what is in force at every instant, the indexes, and every filter of the histories. */
const folder = tempFolder()
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
const root = join(folder, 'warehouse')
let warehouse: Warehouse
let api: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  warehouse = await openWarehouse({ root, create: true })
  await writeSeverity(warehouse, folder)
  await writeSeverityIndex(warehouse, folder)
  api = await serve(root)
})
afterAll(() => warehouse.close())

async function severity(event_id: string, type = 'observed', query = ''): Promise<Row> {
  const answer = await api.get(`/events/${event_id}/severity?assessment_type=${type}${query}`)
  expect([answer.status, answer.body.error ?? null]).toEqual([200, null])
  assertMatchesOperation('get_event_severity', answer.body)
  return rowOf(answer)
}
const at = (date: string) => `&as_of=${date}T00:00:00Z`

const PATH = '/events/evt_e12/severity-history'

describe('worked examples, through the fields of the API', () => {
  test('E12: components, score, range, level and confidence to the last digit, when a person has approved it', async () => {
    const whole = await severity('evt_e12')
    expect(whole).toMatchObject({
      component_scores: {
        human: '66.03',
        economic: '73.97',
        infrastructure: '56.71',
        geographic: '58.16',
        geopolitical: '20.00',
        duration: '37.16',
      },
      score: '66.64',
      level: 'SEV-4',
      score_range: { low: '61.25', high: '71.66' },
      confidence: '0.8063',
      review_state: 'approved',
      dispute: { state: 'rejected', filer: 'analyst', decision: 'as decided' },
    })
    const before = await severity('evt_e12', 'observed', at('2026-07-02'))
    expect(before).toMatchObject({ score: '66.56', component_scores: { infrastructure: null } })
    expect((await severity('evt_e12', 'observed', at('2026-07-05'))).review_state).toBe('disputed')
  })

  test('E13: score, range and P(SEV-3 or worse) of a forecast, which is no observation', async () => {
    const forecast = await severity('evt_e13', 'forecast')
    expect(forecast).toMatchObject({ score: '37.00', score_range: { low: '20.00', high: '75.00' } })
    expect((forecast.exceedance as Row[]).find(({ level }) => level === 'SEV-3')!.probability).toMatch(/^0\.50*$/)
    expect((forecast.scenarios as Row[]).map(({ score }) => score)).toEqual(['20.00', '45.00', '75.00'])
    expect(await severity('evt_e13')).toMatchObject({
      assessment_id: null,
      level: 'UNKNOWN',
      reason_codes: ['NO_APPROVED_ASSESSMENT'],
      exceedance: null,
    })
    expect(await severity('evt_e12', 'forecast')).toMatchObject({ assessment_id: null, level: 'UNKNOWN' })
    expect((await severity('evt_e13', 'forecast', at('2026-07-07'))).reason_codes).toEqual(['PENDING_REVIEW'])
  })

  test('E14: value 73.68, SEV-4, coverage 0.848485, with every event of the rule', async () => {
    const values = rowsOf(await api.get('/severity-indexes/svi_e14/values?expand=inputs'))
    expect(values[0]).toMatchObject({ value: '73.68', level_equivalent: 'SEV-4', coverage_ratio: '0.848485' })
    expect(values[0]!.input_assessment_ids).toEqual(E14.map(([event_id]) => `asm_${event_id}`))
    expect((values[0]!.inputs as Row[]).map(({ event_id, level, score }) => [event_id, score, level])).toEqual(
      E14.map(([event_id, score, level]) => [event_id, score, level]),
    )
    expect(values[1]).toMatchObject({ value: '66.64', level_equivalent: 'SEV-4', coverage_ratio: '1.000000' })
  })

  test('UNKNOWN is not SEV-0: everything that nobody has said is null', async () => {
    const silent = await severity('evt_silent')
    expect(silent).toMatchObject({ level: 'UNKNOWN', score: null, score_range: null, assessment_id: null })
    expect(Object.values(silent.component_scores as Row)).toEqual(Array(6).fill(null))
    expect([silent.confidence, silent.event_time_window, silent.issuer, silent.published_at]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
})

describe('what is in force', () => {
  test('at many instants the API answers what `tidemark sql --as-of` does, of each type', async () => {
    let compared = 0
    for (let micros = day('2026-06-21'); micros <= day('2026-07-12'); micros += MICROS_PER_DAY) {
      const as_of = formatMicros(micros)
      const rows = await sql(
        warehouse,
        'select event_id, assessment_type, assessment_id from severity_assessment',
        as_of,
      )
      for (const event_id of ['evt_e12', 'evt_a', 'evt_silent']) {
        for (const assessment_type of ['observed', 'forecast']) {
          const wanted = rows.find((row) => row.event_id === event_id && row.assessment_type === assessment_type)
          const shown = await severity(event_id, assessment_type, `&as_of=${as_of}`)
          expect([as_of, event_id, shown.assessment_id]).toEqual([as_of, event_id, wanted?.assessment_id ?? null])
          compared += 1
        }
      }
    }
    expect(compared).toBe(22 * 6)
  })

  test('an event that was not known then is not found then', async () => {
    const { status, body } = await api.get(`/events/evt_e13/severity?assessment_type=forecast${at('2026-07-06')}`)
    expect([status, body.error?.code]).toEqual([404, 'EVENT_NOT_FOUND'])
  })
})

describe('history', () => {
  const HEADS = `select * from severity_assessment_history where event_id = 'evt_e12'
    qualify row_number() over (partition by chain_id order by revision desc) = 1`
  const ORDER = 'order by effective_from, published_at, assessment_id'
  const SHOWN = "review_state in ('approved', 'disputed', 'superseded')"
  const FILTERS: readonly (readonly [query: string, where: string])[] = [
    ['', SHOWN],
    ['assessment_type=observed', `${SHOWN} and assessment_type = 'observed'`],
    ['assessment_type=forecast', 'false'],
    ['level=SEV-4', `${SHOWN} and level = 'SEV-4'`],
    ['level=UNKNOWN', `${SHOWN} and level = 'UNKNOWN'`],
    ['review_state=under_review', "review_state = 'under_review'"],
    ['include_withdrawn=true', `${SHOWN} or review_state = 'withdrawn'`],
    ['methodology_id=mth_event_severity', SHOWN],
    ['methodology_id=mth_other', 'false'],
    ['start_time=2026-07-02T00:00:00Z', `${SHOWN} and effective_from >= '2026-07-02'`],
    ['end_time=2026-07-02T00:00:00Z', `${SHOWN} and effective_from < '2026-07-02'`],
    ['published_after=2026-07-01T00:00:00Z', `${SHOWN} and published_at > '2026-07-01'`],
  ]

  test.each(FILTERS)('?%s', async (query, where) => {
    const answer = await api.get(`${PATH}?limit=1000${query === '' ? '' : `&${query}`}`)
    assertMatchesOperation('list_event_severity', answer.body)
    const wanted = await sql(warehouse, `select assessment_id from (${HEADS}) where ${where} ${ORDER}`)
    expect(idsOf(answer)).toEqual(wanted.map(({ assessment_id }) => assessment_id))
  })

  test('every revision, walked one by one', async () => {
    const query = `${PATH}?include_corrections=true&review_state=approved,disputed,under_review`
    const whole = idsOf(await api.get(query))
    expect(whole).toHaveLength(5)
    expect((await walk(api.get, query, 1)).map(({ assessment_id }) => assessment_id)).toEqual(whole)
  })
})

test('the list of every event has the assessments of each, by type and level', async () => {
  const STATES = 'limit=1000&review_state=approved,disputed,superseded,under_review,draft,withdrawn'
  const all = await api.get(`/severity-assessments?${STATES}`)
  assertMatchesOperation('list_severity_assessments', all.body)
  const items = rowsOf(all)
  const event_ids = [...new Set(items.map(({ event_id }) => String(event_id)))]
  expect(event_ids.length).toBeGreaterThan(1)
  for (const event_id of event_ids)
    expect(items.filter((one) => one.event_id === event_id)).toEqual(
      rowsOf(await api.get(`/events/${event_id}/severity-history?${STATES}`)),
    )
  for (const filter of ['assessment_type=observed', 'assessment_type=forecast', `level=${items[0]!.level}`]) {
    const [field, value] = filter.split('=') as [string, string]
    const kept = items.filter((one) => one[field] === value)
    expect(rowsOf(await api.get(`/severity-assessments?${STATES}&${filter}`))).toEqual(kept)
  }
})

test('an assessment and a value are found by their ids alone', async () => {
  const items = rowsOf(await api.get('/events/evt_e12/severity-history?limit=1000'))
  expect(items.length).toBeGreaterThan(0)
  for (const item of items) {
    const alone = await api.get(`/severity-assessments/${item.assessment_id}`)
    assertMatchesOperation('get_severity_assessment', alone.body)
    expect(rowOf(alone)).toEqual(item)
  }
  expect((await api.get('/severity-assessments/asm_absent')).body.error?.code).toBe('ASSESSMENT_NOT_FOUND')
  const [value] = rowsOf(await api.get('/severity-indexes/svi_e14/values'))
  const found = await api.get(`/observations/${value!.value_id}`)
  assertMatchesOperation('get_observation', found.body)
  expect(rowOf(found)).toMatchObject({ kind: 'severity_index_value', record: value })
  const [index] = rowsOf(await api.get('/severity-indexes'))
  expect(rowOf(await api.get('/severity-indexes/svi_e14'))).toEqual(index)
  const by_id = rowOf(await api.get(`/severity-indexes/svi_e14/versions/${index!.active_version_id}`))
  expect(by_id).toEqual(rowOf(await api.get(`/severity-indexes/svi_e14/versions/${index!.active_version}`)))
  for (const one of rowsOf(await api.get('/severity-methodologies')))
    expect(rowOf(await api.get(`/severity-methodologies/${one.methodology_id}/versions/${one.version}`))).toEqual(one)
})

describe('severity indexes', () => {
  test('list, version and value', async () => {
    const list = await api.get('/severity-indexes')
    assertMatchesOperation('list_severity_indexes', list.body)
    expect(rowsOf(list)).toMatchObject([
      { severity_index_id: 'svi_e14', name: 'Example', unit: 'severity_points', active_version: '2' },
    ])
    const version = await api.get('/severity-indexes/svi_e14/versions/1')
    assertMatchesOperation('get_severity_index_version', version.body)
    expect(rowOf(version)).toMatchObject({
      effective_from: '2026-01-01T00:00:00Z',
      effective_to: '2026-07-15T00:00:00Z',
      assessment_type: 'observed',
      event_rule: { venue_ids: null, hazard_types: ['flood'], countries: null },
      relevance: { default: '0.5' },
      rho: '0.2',
      decay_days: '90',
    })
    const second = rowOf(await api.get('/severity-indexes/svi_e14/versions/2'))
    expect(second).toMatchObject({
      decay_days: '30',
      rho: '0.2',
      effective_to: null,
      relevance: { default: '1', events: [] },
    })
    const value = await api.get('/severity-indexes/svi_e14/value')
    assertMatchesOperation('get_severity_index_value', value.body)
    expect(rowOf(value)).toMatchObject({ value: '66.64', source_cutoff_at: '2026-07-17T00:00:00Z' })
    expect(value.body.meta).toMatchObject({ max_age_ms: 86_400_000, stale: true, stale_since: '2026-07-18T00:00:00Z' })
    expect('inputs' in rowOf(value)).toBe(false)
  })

  test('as of its first publication the value is the first; a correction is a further record', async () => {
    const [first, second] = rowsOf(await api.get('/severity-indexes/svi_e14/values'))
    const as_of = first!.published_at
    expect(rowOf(await api.get(`/severity-indexes/svi_e14/value?as_of=${as_of}`)).value_id).toBe(first!.value_id)
    const [stored] = await sql(warehouse, `select * from severity_index_value where value_id = '${first!.value_id}'`)
    const { published_at: _at, row_ordinal: _ordinal, ...kept } = stored!
    const revised = { ...kept, value_id: 'svl_corrected', revision: 2, supersedes_id: first!.value_id, value: '70.00' }
    await append(warehouse, 'severity_index_value', [{ ...revised, correction_reason: 'INPUT_CORRECTED' }], null)
    await until(
      async () => valueIds(await api.get('/severity-indexes/svi_e14/values')).includes('svl_corrected'),
      10_000,
    )
    const path = '/severity-indexes/svi_e14/values'
    expect(valueIds(await api.get(path))).toEqual([second!.value_id, 'svl_corrected'])
    expect(valueIds(await api.get(`${path}?include_corrections=true`))).toEqual([
      first!.value_id,
      second!.value_id,
      'svl_corrected',
    ])
    expect(valueIds(await api.get(`${path}?time_domain=source`))).toEqual(['svl_corrected', second!.value_id])
    expect(valueIds(await api.get(`${path}?time_domain=source&start_time=2026-07-11T00:00:00Z`))).toEqual([
      second!.value_id,
    ])
    expect(valueIds(await api.get(`${path}?quality_state=suspended`))).toEqual([])
    expect(rowOf(await api.get('/severity-indexes/svi_e14/value')).value_id).toBe(second!.value_id)
    expect(rowOf(await api.get(`/severity-indexes/svi_e14/value?as_of=${as_of}`)).value_id).toBe(first!.value_id)
    expect((await walk(api.get, `${path}?include_corrections=true`, 1)).map(({ value_id }) => value_id)).toHaveLength(3)
  })
})

test('what is not known is refused, never ignored', async () => {
  await expectRefused(api, [
    ['/events/evt_e12/severity', 400, 'VALIDATION_PARAMETER_MISSING'],
    ['/events/evt_e12/severity?assessment_type=both', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/events/evt_e12/severity?assessment_type=observed&assessment_kind=model', 400, 'VALIDATION_PARAMETER_UNKNOWN'],
    ['/events/evt_e12/severity-history?level=SEV-6', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/events/evt_e12/severity-history?band=MR1', 400, 'VALIDATION_PARAMETER_UNKNOWN'],
    ['/events/evt_absent/severity?assessment_type=observed', 404, 'EVENT_NOT_FOUND'],
    ['/events/evt_absent/severity-history', 404, 'EVENT_NOT_FOUND'],
    ['/severity-indexes/svi_absent/value', 404, 'SEVERITY_INDEX_NOT_FOUND'],
    ['/severity-indexes/svi_absent/values', 404, 'SEVERITY_INDEX_NOT_FOUND'],
    ['/severity-indexes/svi_absent/versions/1', 404, 'SEVERITY_INDEX_NOT_FOUND'],
    ['/severity-indexes/svi_e14/versions/9', 404, 'INDEX_VERSION_NOT_FOUND'],
    ['/severity-indexes/svi_e14/value?as_of=2026-07-20T00:00:00Z', 404, 'SEVERITY_INDEX_NOT_FOUND'],
    ['/severity-indexes/svi_e14/values?sampling=raw', 400, 'VALIDATION_PARAMETER_UNKNOWN'],
    ['/severity-methodologies/mth_market_rating/versions/1.0.0', 404, 'METHODOLOGY_NOT_FOUND'],
  ])
})

test('the methodology: components, thresholds, coverage, tiers, text and hash', async () => {
  const answer = await api.get('/severity-methodologies/mth_event_severity/versions/1.0.0')
  assertMatchesOperation('get_severity_methodology', answer.body)
  const shown = rowOf(answer)
  expect(shown).toMatchObject({
    level_thresholds: { 'SEV-0': '0', 'SEV-1': '5', 'SEV-2': '20', 'SEV-3': '40', 'SEV-4': '60', 'SEV-5': '80' },
    minimum_coverage: '0.5',
    range_levels_max: '3',
    evidence_hierarchy: { A: '1', B: '0.8', C: '0.5', D: '0.2' },
  })
  expect((shown.component_definitions as Row[]).filter(({ is_consequence }) => is_consequence)).toHaveLength(4)
  expect(sha256Hex(String(shown.document))).toBe(shown.text_sha256)
})

test('what was answered stays after new records, corrections, compaction and a restart', async () => {
  const now = formatMicros(await warehouse.now())
  const earlier = ['2026-07-01T12:00:00Z', '2026-07-05T12:00:00Z', '2026-07-11T00:00:00Z']
  const paths = [...sized(earlier.slice(1, 2), earlier), now].flatMap((as_of) => [
    `/events/evt_e12/severity?assessment_type=observed&as_of=${as_of}`,
    `/events/evt_e12/severity?assessment_type=forecast&expand=measured&as_of=${as_of}`,
    `/events/evt_e12/severity-history?as_of=${as_of}&include_corrections=true`,
    `/events?as_of=${as_of}&category=flood`,
    `/severity-indexes?as_of=${as_of}`,
  ])
  paths.push(`/severity-indexes/svi_e14/value?as_of=${now}`, `/severity-indexes/svi_e14/values?as_of=${now}`)
  const first = await bytesOf(api, paths)
  expect(Object.values(first).map(({ status }) => status)).toEqual(paths.map(() => 200))
  const [head] = await sql(
    warehouse,
    "select * from severity_assessment_history where event_id = 'evt_e12' order by effective_from desc, revision desc limit 1",
  )
  const { published_at: _at, row_ordinal: _ordinal, ...kept } = head!
  const gone = {
    ...kept,
    assessment_id: 'asm_gone',
    revision: (head!.revision as number) + 1,
    review_state: 'withdrawn',
  }
  await append(warehouse, 'severity_assessment', [gone], null)
  await append(
    warehouse,
    'severity_assessment',
    [{ ...kept, assessment_id: 'asm_new', chain_id: 'ach_new', revision: 1 }],
    null,
  )
  await until(async () => (await severity('evt_e12')).assessment_id === 'asm_new', 60_000)
  api = await expectSameBytes({ api, root, warehouse }, first)
  expect((await severity('evt_e12')).assessment_id).toBe('asm_new')
})

const idsOf = (answer: Answer) => rowsOf(answer).map(({ assessment_id }) => assessment_id)
const valueIds = (answer: Answer) => rowsOf(answer).map(({ value_id }) => value_id)
