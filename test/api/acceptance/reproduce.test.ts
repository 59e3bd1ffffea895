import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyOverHttp } from '../../../client/verify/verify-over-http.ts'
import { verifyObservations } from '../../../operations/index/verify-observations.ts'
import { recordIdOf } from '../../../pipelines/market/quote.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { alteredFetch } from '../../client/everything/altered-fetch.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { tidemark } from '../../support/run-cli.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { TAKEN_AS_PUBLISHED, unnoticedFields } from './changed-values.ts'
import { copyWarehouse } from './copy-warehouse.ts'
import { addLateData, harborWarehouse } from './harbor.ts'
import { marketOf, outcomeOf } from './harbor-rows.ts'
import { rowOf, rowsOf, serve, sql, walk } from './served.ts'

/** Point-in-time reproduction over HTTP alone: no line of the verifying code sees the warehouse. */
const folder = tempFolder()
// Hundreds of requests each, on a machine that may have more to do.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
let root: string
let api: Awaited<ReturnType<typeof serve>>
let observations: Row[]

beforeAll(async () => {
  root = await harborWarehouse(folder)
  const warehouse = await openWarehouse({ root })
  await addLateData(warehouse)
  observations = await sql(warehouse, 'select * from index_observation_history order by published_at, observation_id')
  await warehouse.close()
  api = await serve(root)
})

/** In the fast lane every third record, and each that was corrected. */
const isOfSample = ({ revision }: Row, n: number) => n % sized(3, 1) === 0 || revision === 2

test('the world has one of everything', () => {
  const used = observations.flatMap((row) => row.inputs as Row[]).flatMap((input) => input.legs as Row[])
  const rules = [...new Set(used.flatMap((leg) => [leg.mark_rule, leg.origin_rule]))].sort()
  expect(rules).toEqual(['M0', 'M1', 'M2', 'M3', 'M4', 'M6', 'M7', 'fixing'])
  expect(observations.filter(({ revision }) => revision === 2).map(({ index_id }) => index_id)).toEqual([
    'idx_harbor',
    'idx_pier',
  ])
  expect(new Set(observations.map(({ index_version_id }) => index_version_id)).size).toBe(3)
})

test('every published level, revisions included, is recomputed to the last digit from public answers', async () => {
  const progress: { done: number; total: number }[] = []
  const report = await verifyOverHttp({ base_url: api.base_url, on_progress: (made) => progress.push(made) })
  expect(report).toEqual({ checked: observations.length, reproduced: observations.length, failures: [], gaps: [] })
  expect(progress.map(({ done }) => done)).toEqual(progress.map(({ done }) => done).sort((a, b) => a - b))
  expect(progress.at(-1)).toEqual({ done: observations.length, total: observations.length })
})

test('every input of every level is found by its id, and is the one that was known then', async () => {
  for (const { index_id, observation_id, published_at } of observations.filter(isOfSample)) {
    const detail = rowOf(await api.get(`/indexes/${index_id}/prices/${observation_id}?expand=inputs`))
    for (const leg of (detail.inputs as Row[]).flatMap((input) => input.legs as Row[])) {
      const ids = [...(leg.source_observation_ids as string[]), ...(leg.window_observation_ids as string[])]
      for (const id of ids.filter((one) => one.startsWith('obs_'))) {
        const { status, body } = await api.get(`/markets/${leg.market_id}/prices/${id}?as_of=${published_at}`)
        expect([id, status, (body.data as Row).observation_id]).toEqual([id, 200, id])
      }
    }
  }
})

test('one value of an answer that is another is found, but for those that nothing is compared with', async () => {
  const rules = new Set<string>()
  const places = observations.toReversed().flatMap((row) => {
    const used = (row.inputs as Row[]).flatMap((input) => input.legs as Row[])
    const fresh = used.flatMap(({ mark_rule, origin_rule }) => [String(mark_rule), String(origin_rule)])
    if (fresh.every((rule) => rules.has(rule))) return []
    for (const rule of fresh) rules.add(rule)
    return [{ index_id: String(row.index_id), observation_id: String(row.observation_id) }]
  })
  expect(await unnoticedFields(api.base_url, places)).toEqual(
    Object.fromEntries(Object.entries(TAKEN_AS_PUBLISHED).map(([kind, names]) => [kind, names.toSorted()])),
  )
})

describe('a list that is not the history of the index', () => {
  const PIER = '/indexes/idx_pier/prices'
  const verifyPier = async (change: (levels: Row[]) => void) => {
    vi.stubGlobal('fetch', alteredFetch({ api: (path, { data }) => void (path === PIER && change(data as Row[])) }))
    try {
      return await verifyOverHttp({ base_url: api.base_url, index_id: 'idx_pier' })
    } finally {
      vi.unstubAllGlobals()
    }
  }

  test('without a level: nothing was verified', async () => {
    const refused = verifyPier((levels) => levels.splice(0))
    await expect(refused).rejects.toThrow('there is no level of idx_pier, so nothing was verified')
  })

  test('a level twice, and one left out', async () => {
    const twice = await verifyPier((levels) => levels.splice(1, 0, levels[0]!))
    expect(twice.failures).toEqual([expect.objectContaining({ step: 'list: revision', expected: '1', actual: '2' })])
    const [first] = await verifyPier((levels) => levels.splice(3, 1)).then(({ gaps }) => gaps)
    expect(first).toMatchObject({ index_id: 'idx_pier', missing: 1 })
  })

  test('of another index', async () => {
    const real = globalThis.fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => real(url.replace('/idx_pier', '/idx_harbor'), init))
    const { failures, checked } = await verifyOverHttp({ base_url: api.base_url, index_id: 'idx_pier' })
    vi.unstubAllGlobals()
    expect(failures).toHaveLength(checked)
    expect(failures[0]).toMatchObject({ step: 'index: index_id', expected: '"idx_harbor"', actual: '"idx_pier"' })
  })
})

test('a page of levels embeds the inputs that each level has, and every quote behind them once', async () => {
  for (const index_id of new Set(observations.map((row) => String(row.index_id)))) {
    const path = `/indexes/${index_id}/prices?include_corrections=true&limit=200`
    const answer = await api.get(`${path}&expand=inputs,quotes`)
    assertMatchesOperation('list_index_prices', answer.body)
    const levels = rowsOf(answer)
    expect(levels).toHaveLength(observations.filter((row) => row.index_id === index_id).length)
    const named = new Set<string>()
    for (const [n, { quotes: _beside, ...level }] of levels.entries()) {
      const path_of_level = `/indexes/${index_id}/prices/${level.observation_id}`
      if (isOfSample(level, n)) expect(level).toEqual(rowOf(await api.get(`${path_of_level}?expand=inputs`)))
      for (const leg of (level.inputs as Row[]).flatMap((input) => input.legs as Row[])) {
        const [first] = leg.source_observation_ids as string[]
        if (!['M0', 'fixing'].includes(String(leg.origin_rule))) named.add(recordIdOf(first!))
      }
    }
    const quotes = levels.flatMap((level) => level.quotes as Row[])
    expect(quotes.map((one) => recordIdOf(String(one.observation_id))).sort()).toEqual([...named].sort())
    for (const one of quotes.filter(isOfSample))
      expect(rowOf(await api.get(`/markets/${one.market_id}/prices/${one.observation_id}`))).toMatchObject({ ...one })
    expect((await api.get(path.replace('200', '201'))).status).toBe(200)
    const refused = await api.get(`${path.replace('200', '201')}&expand=inputs`)
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'VALIDATION_PARAMETER_INVALID'])
    const plain = rowsOf(await api.get(path))
    const without = levels.map(({ quotes: _quotes, inputs: _inputs, ...level }) => level)
    expect(plain).toEqual(without)
  }
})

describe('tidemark index verify --base-url', () => {
  const verify = (...argv: string[]) => tidemark(['index', 'verify', ...argv])

  test('one observation, one index, all', async () => {
    const id = String(observations.at(-1)!.observation_id)
    const one = await verify(id, '--base-url', api.base_url)
    expect(one).toMatchObject({ exit_code: 0, stdout: expect.stringContaining('1 of 1 observations reproduced') })
    const index = await verify('--index', 'idx_pier', '--base-url', `${api.base_url}/`, '--json')
    expect(JSON.parse(index.stdout)).toEqual({ checked: 13, reproduced: 13, failures: [], gaps: [] })
  })

  test('3: no such observation or index; 4: nobody there, or somebody else; 2: no address', async () => {
    const unknown = await verify('iob_none', '--base-url', api.base_url)
    expect(unknown).toMatchObject({ exit_code: 3, stderr: expect.stringContaining('OBSERVATION_NOT_FOUND') })
    expect(await verify('--index', 'idx_none', '--base-url', api.base_url)).toMatchObject({ exit_code: 3 })
    const nobody = await verify('--all', '--base-url', 'http://127.0.0.1:1')
    expect(nobody).toMatchObject({
      exit_code: 4,
      stderr: expect.stringMatching(
        /^error: base URL is http:\/\/127\.0\.0\.1:1: .+; allowed: the address of a running service/,
      ),
    })
    expect(await verify('--all', '--base-url', `${api.base_url}/elsewhere`)).toMatchObject({ exit_code: 4 })
    expect(await verify('--all', '--base-url', 'ftp://here')).toMatchObject({ exit_code: 2 })
  })
})

describe('planted faults: a warehouse in which one digit is another', () => {
  const at = (hour: number) => `2026-02-01T${String(hour).padStart(2, '0')}:00:00Z`
  const shown = (time: string) => `2026-02-01T${time}:00Z`
  const isQuote = (row: Row, outcome_id: string, time: string) =>
    row.outcome_id === outcome_id && row.source_at === shown(time) && row.revision === 1
  const isLevel = (row: Row, hour: number) => row.index_id === 'idx_harbor' && row.tick_at === at(hour)
  const inputsWith = (row: Row, change: Row) => {
    const [first, ...others] = row.inputs as Row[]
    return [{ ...first!, ...change }, ...others]
  }

  /** One fault of each kind of input and of each kind of output, each at a tick of its own. */
  const FAULTS: readonly {
    readonly table: TableName
    readonly hit: (row: Row) => boolean
    readonly change: (row: Row) => Row
    /** index, tick, and the step that must be named. */
    readonly found: readonly [index_id: string, hour: number, step: RegExp]
  }[] = [
    {
      table: 'market_quote',
      hit: (row) => isQuote(row, outcomeOf('v', 'A'), '00:45'),
      change: (row) => ({ ...row, last_trade: '0.226000000' }),
      found: ['idx_harbor', 1, /^mark of out_\w+: value$/],
    },
    {
      table: 'market_quote',
      hit: (row) => isQuote(row, outcomeOf('w', 'C'), '01:45'),
      change: (row) => ({ ...row, bid_depth: '71.000000' }),
      found: ['idx_harbor', 2, /^mark of out_\w+: value$/],
    },
    {
      table: 'market_resolution',
      hit: (row) => row.finality === 'final' && row.source_series_id === null,
      change: (row) => ({ ...row, payouts: [{ outcome_id: outcomeOf('v', 'S'), payout: '0.900000000' }] }),
      found: ['idx_pier', 9, /^mark of out_\w+: value$/],
    },
    {
      table: 'public_trade',
      hit: (row) => row.source_trade_id === 't3',
      change: (row) => ({ ...row, price: '0.415000000' }),
      found: ['idx_pier', 6, /^mark of out_\w+: value$/],
    },
    {
      table: 'market',
      hit: (row) => row.market_id === marketOf('v', 'R1') && row.revision === 2,
      change: (row) => ({ ...row, schedule: { expected_resolution_at: '2026-02-23T00:00:00Z' } }),
      found: ['idx_pier', 7, /^inputs: con_r /],
    },
    ...(
      [
        [4, { level: '1037.2209' }, /^level$/],
        [5, { confidence: '0.5001' }, /^confidence$/],
        [7, { coverage_ratio: '0.500001' }, /^coverage_ratio$/],
        [8, { record_hash: `${'0'.repeat(64)}` }, /^record_hash$/],
        [9, { input_observation_ids: [] }, /^input_observation_ids$/],
        [10, { quality_state: 'valid' }, /^quality_state$/],
      ] as const
    ).map(([hour, change, step]) => ({
      table: 'index_observation' as const,
      hit: (row: Row) => isLevel(row, hour) && row.revision === (hour === 4 ? 2 : 1),
      change: (row: Row): Row => ({ ...row, ...change }),
      found: ['idx_harbor', hour, step] as const,
    })),
    {
      table: 'index_observation',
      hit: (row) => isLevel(row, 11),
      change: (row) => ({ ...row, inputs: inputsWith(row, { contribution: '1.000000000000' }) }),
      found: ['idx_harbor', 11, /^inputs: con_a contribution$/],
    },
  ]

  test('verify names the step', async () => {
    const changed = new Set<number>()
    const copy = await copyWarehouse(root, join(folder, 'faults'), (table, row) => {
      const fault = FAULTS.findIndex((item) => item.table === table && item.hit(row))
      if (fault < 0) return row
      changed.add(fault)
      return FAULTS[fault]!.change(row)
    })
    expect(changed.size, 'every fault was planted').toBe(FAULTS.length)
    const faulty = await serve(copy)
    const { failures } = await verifyOverHttp({ base_url: faulty.base_url })
    const tick = new Map(observations.map((row) => [row.observation_id, `${row.index_id} ${row.tick_at}`]))
    const named = failures.map(({ observation_id, step }) => [tick.get(observation_id), step] as const)
    for (const { found } of FAULTS) {
      const [index_id, hour, step] = found
      const steps = named.filter(([place]) => place === `${index_id} ${at(hour)}`).map(([, text]) => text)
      expect(steps, `${index_id} ${at(hour)}`).toContainEqual(expect.stringMatching(step))
    }
    // What is not touched stays reproduced.
    expect(named.filter(([place]) => place === `idx_harbor ${at(0)}` || place === `idx_pier ${at(2)}`)).toEqual([])
  })

  test('facts of a whole version: its link, its methodology', async () => {
    const copy = await copyWarehouse(root, join(folder, 'versions'), (table, row) => {
      if (table === 'index_link' && row.link_factor !== null && String(row.link_at).includes('T06'))
        return { ...row, link_factor: `${row.link_factor}`.replace(/.$/, (digit) => (digit === '1' ? '2' : '1')) }
      const texts = String(row.parameters)
      if (table === 'methodology' && row.methodology_id === 'mth_pier')
        return { ...row, parameters: texts.replace('"fresh.max_carry":"PT4H"', '"fresh.max_carry":"PT5H"') }
      return row
    })
    const faulty = await serve(copy)
    const { failures } = await verifyOverHttp({ base_url: faulty.base_url })
    const pier = failures.filter(({ step }) => step === 'methodology mth_pier@1.0.0: content_hash')
    expect(pier.length).toBe(observations.filter(({ index_id }) => index_id === 'idx_pier').length)
    // The rest are the levels of the linked version, and the warehouse's own verification names the same steps and digits.
    const linked = failures.filter((failure) => !pier.includes(failure))
    expect(linked.length).toBe(6)
    expect(linked.every(({ step }) => /^inputs: con_\w contribution$|^link_factor$/.test(step))).toBe(true)
    const warehouse = await openWarehouse({ root: copy })
    const stored = await verifyObservations({ warehouse, index_id: 'idx_harbor' })
    await warehouse.close()
    const byId = (a: { observation_id: string }, b: { observation_id: string }) =>
      a.observation_id < b.observation_id ? -1 : 1
    expect([...stored.failures].sort(byId)).toEqual([...linked].sort(byId))
  })
})

test('unknown ids are refused with an error object, not a sentence of the framework', async () => {
  const index = await walk(api.get, '/indexes', 1)
  expect(index.map(({ index_id }) => index_id)).toEqual(['idx_harbor', 'idx_pier'])
  await expect(verifyOverHttp({ base_url: api.base_url, observation_ids: ['iob_x'] })).rejects.toSatisfy((error) =>
    isServiceError(error, 'OBSERVATION_NOT_FOUND'),
  )
  expect(rowsOf(await api.get('/indexes')).length).toBe(2)
})
