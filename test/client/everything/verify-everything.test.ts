import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { routeOf } from '../../../client/everything/answer-fault.ts'
import type { Facts } from '../../../client/everything/compare-shown.ts'
import type { EverythingCheck, EverythingReport } from '../../../client/everything/report.ts'
import { UNCHECKED_FIELDS } from '../../../client/everything/unproven-fields.ts'
import { type VerifyEverythingOptions, verifyEverything } from '../../../client/everything/verify-everything.ts'
import { keyText } from '../../../pipelines/transparency/signed-note.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { serve, sql } from '../../api/acceptance/served.ts'
import { LOG_KEY, testKey, WITNESS_KEY } from '../../support/log/log-keys.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type Alterations, alteredFetch } from './altered-fetch.ts'
import { fieldsOf, toAnother, toNull, unfoundFields, unfoundSwaps } from './altered-fields.ts'
import { ALTERED_ACT, ALTERED_KINDS, LEVEL_QUOTE, levelKind } from './altered-kinds.ts'
import { breakagesOf } from './broken-records.ts'
import { makeDeployment } from './deployment.ts'
import { FAULTS } from './deployment-faults.ts'

const root = await makeDeployment(tempFolder())
const api = await serve(root)
const checkpoint = () => readFileSync(join(root, 'log/checkpoint'), 'utf8')
const TRUSTED = { vkey: keyText(LOG_KEY.key), witnesses: [keyText(WITNESS_KEY.key)] }
/** After every level: a run asks for none. */
const NO_LEVELS = '2090-01-01T00:00:00Z'

afterEach(() => vi.unstubAllGlobals())

function verify(options: Partial<VerifyEverythingOptions> = {}, altered: Alterations = {}): Promise<EverythingReport> {
  vi.stubGlobal('fetch', alteredFetch(altered))
  return verifyEverything({ base_url: api.base_url, ...TRUSTED, ...options })
}

/** Records of each read whose fields are broken one by one. */
const RECORDS_EACH = 2
/** One field of so many is set to null: each is altered in both lanes. */
const NULLED = sized(4, 1)

/** Checks that failed. */
const failed = ({ checks }: EverythingReport) => checks.filter((one) => one.failed > 0).map(({ check }) => check)

/** Views with every row of the tables whose records are counted. */
const VIEWS = [
  'index_observation_history',
  'index_version',
  'methodology',
  'assessment_methodology',
  'governance_roster',
  'governance_policy',
  'governance_act',
  'governance_proposal_history',
  'eligibility_policy',
  'governance_notice',
  'index_restatement',
  'market_rating_history',
  'severity_assessment_history',
  'governance_complaint_history',
]

describe('a deployment that is as it should be', () => {
  let report: EverythingReport
  let root_hash = ''
  const steps: string[] = []
  beforeAll(async () => {
    root_hash = ((await api.get('/governance/roster')).body.data as { record_hash: string }).record_hash
    report = await verify({ seen: checkpoint(), root_hash, on_step: (step) => steps.push(step) })
  })

  test('verifies in every check', () => {
    expect(report.failures).toEqual([])
    expect(report.ok).toBe(true)
    const unchecked = report.checks.filter(({ checked }) => checked === 0).map(({ check }) => check)
    const of_governed = ['approved', 'announced', 'restated', 'drift']
    expect(unchecked.filter((check) => !of_governed.includes(check))).toEqual([])
    expect(report.log).toMatchObject({ origin: LOG_KEY.key.name })
  })

  test('names each step as it begins, with every index', () => {
    const [log, governance, ...others] = steps
    const indexes = others.filter((step) => step.startsWith('index '))
    expect([log, governance, others[0], others.slice(1 + indexes.length)]).toEqual([
      ...['the log', 'governance', 'indexes'],
      [
        ...['methodologies', 'policies', 'notices', 'records of notices', 'restatements'],
        ...[
          'ratings',
          'records of ratings',
          'severity',
          'records of severity',
          'complaints',
          'drift',
          'number of records',
        ],
      ],
    ])
    expect(indexes.length).toBeGreaterThan(0)
    expect(indexes).toEqual(
      indexes.map((_step, n) =>
        expect.stringMatching(new RegExp(`^index idx_\\w+ \\(${n + 1} of ${indexes.length}\\)$`)),
      ),
    )
  })

  test('has as many records as SQL over its warehouse counts', async () => {
    const warehouse = await openWarehouse({ root, create: false })
    const rows = async (view: string) => {
      const [row] = await sql(warehouse, `select count(*)::integer as n from ${view}`, report.log!.sealed_through)
      return row!.n as number
    }
    const counts = Object.fromEntries(await Promise.all(VIEWS.map(async (view) => [view, await rows(view)] as const)))
    await warehouse.close()
    const checked = (name: EverythingCheck) => report.checks.find(({ check }) => check === name)!.checked
    expect(
      Math.min(...['index_observation_history', 'governance_act', 'governance_notice'].map((view) => counts[view]!)),
    ).toBeGreaterThan(0)
    expect(checked('levels')).toBe(counts.index_observation_history)
    expect(checked('acts')).toBe(counts.governance_act)
    expect(checked('complaints')).toBe(counts.governance_complaint_history)
    // The log has each list of constituents as a record of its own.
    const sum = Object.values(counts).reduce((all, count) => all + count, counts.index_version!)
    expect(checked('complete')).toBe(sum)
  })

  test('may have fields of a later contract, and the report names them', async () => {
    const api: Alterations['api'] = (path, body) => {
      body.meta.schema_version = '1.9'
      if (path === '/governance/acts') body.data[0].seat = 'first'
    }
    const { ok, checks } = await verify({ since: NO_LEVELS }, { api })
    const { skipped } = checks.find(({ check }) => check === 'answers')!
    expect([ok, skipped]).toEqual([true, expect.stringMatching(/^not known to this release.*seat is "first"/)])
  })

  test('says what nobody trusted beforehand, and so was not checked', async () => {
    const { ok, checks } = await verify({ vkey: null, witnesses: [], since: NO_LEVELS })
    const skipped = checks.filter((one) => one.skipped !== null).map(({ check }) => check)
    expect([ok, skipped]).toEqual([true, expect.arrayContaining(['key', 'consistency', 'witness', 'roster_chain'])])
  })
})

describe('a deployment is rejected', () => {
  test.each(FAULTS)('%s', async (_name, check, options, altered) => {
    const report = await verify({ since: NO_LEVELS, ...options }, altered)
    expect([report.ok, failed(report)]).toEqual([false, expect.arrayContaining([check])])
  })

  test('whose log is of another key than the trusted one', async () => {
    const { key } = testKey('log.example/other')
    const report = await verify({ since: NO_LEVELS, vkey: keyText({ ...key, name: LOG_KEY.key.name }) })
    expect(failed(report)).toEqual(expect.arrayContaining(['key', 'log']))
  })
})

describe('every field of every record that is read, altered,', () => {
  const verified = (altered: Alterations) => verify({ since: NO_LEVELS }, altered)
  const whole = (altered: Alterations) => verify({}, altered)

  test('is found, except those that docs/log.md names', async () => {
    const unfound = await unfoundFields(await fieldsOf(ALTERED_KINDS, verified), verified, toAnother, UNCHECKED_FIELDS)
    const of_acts = await unfoundFields(await fieldsOf([ALTERED_ACT], verified), verified, toAnother, UNCHECKED_FIELDS)
    // Three fields of each level, so that three runs alter them all.
    const levels = await fieldsOf(
      Array.from({ length: 10 }, (_, n) => levelKind(n)),
      whole,
    )
    const some = new Map([...levels].map(([kind, fields], n) => [kind, fields.slice(3 * n, 3 * n + 3)]))
    const of_levels = await unfoundFields(some, whole, toAnother, UNCHECKED_FIELDS)
    const of_quotes = await unfoundFields(await fieldsOf([LEVEL_QUOTE], whole), whole, toAnother, UNCHECKED_FIELDS)
    expect({ ...unfound, ...of_acts, ...of_levels, ...of_quotes }).toEqual(UNCHECKED_FIELDS)
  })

  test('is found if it is null, except those that docs/log.md names', async () => {
    const fields = await fieldsOf([...ALTERED_KINDS, ALTERED_ACT], verified, (value) => value !== null)
    const some = new Map([...fields].map(([kind, names]) => [kind, names.filter((_, n) => n % NULLED === 0)]))
    const unfound = await unfoundFields(some, verified, toNull, UNCHECKED_FIELDS)
    const expected: Readonly<Record<string, readonly string[]>> = UNCHECKED_FIELDS
    const others = Object.entries(unfound).flatMap(([kind, fields]) =>
      fields.filter((field) => !expected[kind]?.includes(field)).map((field) => `${kind}.${field}`),
    )
    expect(others).toEqual([])
  })

  test("is found if two records have each other's ids", async () => {
    // Of indexes the ids alone count, and a list has them in any order.
    const kinds = ALTERED_KINDS.filter(({ kind }) => kind !== 'index')
    const { swapped, unfound } = await unfoundSwaps([...kinds, ALTERED_ACT], verified)
    expect(swapped.length).toBeGreaterThan(8)
    expect(unfound).toEqual([])
  })

  test('breaks the contract if it is absent, unknown or of another type, in every answer that is read', async () => {
    const answers = new Map<string, readonly Facts[]>()
    const keep: Alterations['api'] = (path, body) => {
      const route = routeOf(path).path
      const records = Array.isArray(body.data) ? body.data.slice(0, RECORDS_EACH) : [body.data]
      answers.set(route, [...(answers.get(route) ?? []), ...records].slice(0, RECORDS_EACH))
    }
    await verify({}, { api: keep })
    expect(answers.size).toBeGreaterThan(20)
    const found = [...answers].map(([route, records]) => [route, ...records.map((one) => breakagesOf(route, one))])
    expect(found.filter(([, ...breakages]) => breakages.flat().length > 0)).toEqual([])
  })

  test('is one of those that docs/log.md names, or is checked', () => {
    const page = readFileSync('docs/log.md', 'utf8')
    for (const [kind, fields] of Object.entries(UNCHECKED_FIELDS))
      expect(page).toContain(`| \`${kind}\` | ${fields.map((field) => `\`${field}\``).join(', ')} |`)
  })
})

/** Two ways to read levels: pages with inputs and quotes, and one request a quote with a receipt a page. */
const WAYS = [
  ['pages of levels with their quotes', {}],
  ['one request a quote', { unknown: 'expand' }],
] as const satisfies readonly (readonly [string, Alterations])[]

describe('two ways to read the levels', () => {
  // One answer has one level by the second way.
  const counts = ({ checks }: EverythingReport) =>
    checks.map(({ check, checked, failed }) => [check, check === 'answers' ? null : checked, failed])

  test('have equal results, and the pages need a fifth of the requests for levels and quotes', async () => {
    const asked = { pages: 0, single: 0 }
    const counting = (way: keyof typeof asked) => (path: string) => {
      if (path.includes('/prices')) asked[way] += 1
    }
    const pages = await verify({}, { seen: counting('pages') })
    const single = await verify({}, { unknown: 'expand', seen: counting('single') })
    expect(counts(pages)).toEqual(counts(single))
    expect([pages.ok, pages.failures, single.failures]).toEqual([true, [], []])
    expect(asked.pages * 5).toBeLessThan(asked.single)
  })

  /** Levels as they are served, whichever way; a receipt has them as texts. */
  const alterLevels = (
    path: string,
    body: { data: Level[]; meta: { receipt?: Receipt } },
    alter: (l: Level) => void,
  ) => {
    if (!/^\/indexes\/[^/]+\/prices$/.test(path)) return
    body.data.slice(0, 1).forEach(alter)
    for (const record of body.meta.receipt?.records.slice(0, 1) ?? []) {
      const level = JSON.parse(record.record_text) as Level
      alter(level)
      record.record_text = JSON.stringify(level)
    }
  }
  type Quote = { quote: { bid: string | null } | null }
  type Level = { level: string | null; quotes?: Quote[] }
  type Receipt = { records: { record_text: string }[] }
  const FAULTS: readonly (readonly [string, readonly EverythingCheck[], NonNullable<Alterations['api']>])[] = [
    [
      'a digit of a level',
      ['levels', 'included'],
      (path, body) =>
        alterLevels(path, body, (level) => {
          level.level = level.level!.replace(/\d$/, (digit) => String(9 - Number(digit)))
        }),
    ],
    [
      'a quote',
      ['levels'],
      (path, body) => {
        const quotes: Quote[] = body.data.quote === undefined ? [] : [body.data]
        if (/^\/indexes\/[^/]+\/prices$/.test(path)) quotes.push(...body.data.flatMap((l: Level) => l.quotes ?? []))
        for (const one of quotes) if (one.quote?.bid != null) one.quote.bid = '0.010000000'
      },
    ],
    [
      'the approval of a version',
      ['approved'],
      (path, body) => {
        if (path.endsWith('/versions')) body.data[0].governance = 'governed'
      },
    ],
    [
      'a level that is left out',
      ['complete'],
      (path, body) => {
        if (!/^\/indexes\/[^/]+\/prices$/.test(path)) return
        body.data.pop()
        body.meta.receipt?.records.pop()
      },
    ],
  ]
  /** In the fast lane each fault by one way, in turn. */
  const CASES = FAULTS.flatMap(([name, checks, api], n) =>
    sized<readonly (typeof WAYS)[number][]>([WAYS[n % WAYS.length]!], WAYS).map(
      ([way, how]) => [name, way, checks, { api, ...how }] as const,
    ),
  )
  test.each(CASES)('find %s by %s', async (_name, _way, checks, altered) => {
    const since = checks[0] === 'approved' ? NO_LEVELS : null
    expect(failed(await verify({ since }, altered))).toEqual(expect.arrayContaining([...checks]))
  })
})

test('an address that does not answer cannot be verified', async () => {
  await expect(verifyEverything({ base_url: 'http://127.0.0.1:9' })).rejects.toThrow('does not answer')
})
