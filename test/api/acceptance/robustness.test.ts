import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPublicApi } from '../../../client/http/public-api.ts'
import { recomputeBand, recomputeRobustness } from '../../../client/verify/recompute-robustness.ts'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { computeIndexes } from '../../../operations/index/compute-indexes.ts'
import { correctIndex } from '../../../operations/index/correct-index.ts'
import { knowledgeDiff } from '../../../operations/index/knowledge-diff.ts'
import { levelBand, levelRobustness } from '../../../operations/index/level-robustness.ts'
import { applyChanges, type KnowledgeChange, type KnownRecord } from '../../../pipelines/index/knowledge-diff.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import type { ExecutableBand, IndexPreview, LevelRobustness } from '../../../protocol/resources/robustness.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { assertIsError, assertMatchesOperation } from '../../support/match-schema.ts'
import { modelRow } from '../../support/review-world.ts'
import { tidemark } from '../../support/run-cli.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { addLateData, append, fillHarbor, HARBOR_RANGE } from './harbor.ts'
import { END, type HarborCommit, harborCommits, MINUTE, marketOf, outcomeOf, START } from './harbor-rows.ts'
import { rowOf, rowsOf, serve, walk } from './served.ts'

/** Everything beside a level over REST, by the command's operation and by a client; the diff of knowledge at many instants. */
const folder = tempFolder()
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
const root = join(folder, 'warehouse')
let warehouse: Warehouse
let api: Awaited<ReturnType<typeof serve>>
let levels: Row[]

/** An index whose constituents have one leg each: a midpoint, a mirrored one, a settled one and a complement. */
const QUAY = `
index: { index_id: idx_quay, slug: quay, symbol: QUAY, name: Quay, family: coast, base_value: "100", base_date: 2026-02-01T00:00:00Z, tags: [] }
methodology: { methodology_id: mth_pier, version: "1.0.0", name: Pier, parameters: { mode: gauge, admission.grace: PT1M, fresh.stale_after: PT1H, fresh.max_carry: PT4H, mark.book_max_age: PT1H, mark.t_recent: PT2H, mark.t_last: PT6H, quality.min_confidence: "0.30" } }
versions:
  - version: "1"
    effective_from: 2026-02-01T00:00:00Z
    calculation_frequency: PT1H
    minimum_coverage_ratio: "0.60"
    constituents:
      - { constituent_id: con_a, venue_id: v, source_market_id: A, target_weight: "0.4" }
      - { constituent_id: con_f, venue_id: v, source_market_id: F, target_weight: "0.4", normalization: inverse }
      - { constituent_id: con_s, venue_id: v, source_market_id: S, target_weight: "0.2" }
`
const INDEXES = ['idx_quay', 'idx_harbor', 'idx_pier']

beforeAll(async () => {
  warehouse = await openWarehouse({ root, create: true })
  await fillHarbor(warehouse, folder, withBooks(harborCommits()))
  writeFileSync(join(folder, 'quay.yaml'), QUAY)
  await applyDefinitions({ files: [join(folder, 'quay.yaml')], clock: 'wall', warehouse })
  await computeIndexes({ index_ids: ['idx_quay'], ...HARBOR_RANGE, clock: 'wall', warehouse })
  await addLateData(warehouse)
  await correctIndex({ index_id: 'idx_quay', from: null, to: null, reason: 'LATE_DATA', warehouse })
  await append(warehouse, { table: 'market_rating', rows: [RATING], at: END }, 2_000_000, 'wall')
  api = await serve(root)
  levels = (
    await Promise.all(INDEXES.map((id) => walk(api.get, `/indexes/${id}/prices?include_corrections=true`, 100)))
  ).flat()
})
afterAll(() => warehouse.close())

const RATING: Row = modelRow(marketOf('v', 'A'), 'MR2', START)

/** Adds to each quote of both sides the book that it is the top of. */
function withBooks(commits: readonly HarborCommit[]): HarborCommit[] {
  const books = commits.flatMap(({ table, at, rows }): HarborCommit[] => {
    const quoted = table !== 'market_quote' ? [] : rows.filter(({ bid, ask }) => bid !== null && ask !== null)
    return quoted.length === 0 ? [] : [{ table: 'order_book', at, rows: quoted.map(bookOf) }]
  })
  return [...commits.filter(({ table }) => table !== 'order_book'), ...books].sort((a, b) => a.at - b.at)
}

function bookOf(quote: Row): Row {
  const { venue_id, source_market_id, market_id, outcome_id, source_at, received_at, record_id } = quote
  const side = (price: unknown, step: number, size: unknown) =>
    [0, 1, 2].map((n) => ({
      price: (Number(price) + n * step).toFixed(9),
      quantity: n === 0 ? String(size ?? '25.000000') : `${(n + 1) * 40}.000000`,
    }))
  return {
    order_book_id: `obk_${record_id}`,
    revision: 1,
    ...{ venue_id, source_market_id, market_id, outcome_id, source_at, received_at },
    price_unit: 'probability',
    bids: side(quote.bid, -0.02, quote.bid_depth),
    asks: side(quote.ask, 0.02, quote.ask_depth),
    asks_derived: false,
  }
}

async function ok<T>(operation_id: Parameters<typeof assertMatchesOperation>[0], path: string): Promise<T> {
  const answer = await api.get(path)
  expect([path, answer.status, answer.body.error ?? null]).toEqual([path, 200, null])
  assertMatchesOperation(operation_id, answer.body)
  return answer.body.data as T
}

/** Some levels, and each that was corrected: a level takes five requests. */
const isOfSample = ({ revision }: Row, n: number) => n % sized(12, 6) === 0 || revision === 2

test('bound and cost of levels: over REST, by the operation of the command, and by a client', async () => {
  const client = createPublicApi(api.base_url)
  const seen = { bounds: 0, costs: 0 }
  for (const { index_id, observation_id, level } of levels.filter(isOfSample)) {
    const [id, observation] = [String(index_id), String(observation_id)]
    const path = `/indexes/${id}/robustness?observation_id=${observation}&basis_points=200`
    const shown = await ok<LevelRobustness>('get_index_robustness', path)
    const by_command = await levelRobustness({ index_id: id, observation_id: observation, as_of: null, warehouse }, 200)
    expect([by_command.missing_input, by_command.manipulation_cost]).toEqual([
      shown.missing_input,
      shown.manipulation_cost,
    ])
    const { agrees, stated } = await recomputeRobustness(client, {
      index_id: id,
      observation_id: observation,
      basis_points: 200,
    })
    expect([observation, agrees, stated]).toEqual([observation, true, shown])
    expect(shown.reason === null).toBe(shown.missing_input !== null)
    if (shown.missing_input === null) continue
    expect(shown.missing_input.level).toBe(level)
    seen.bounds += 1
    if (shown.manipulation_cost!.notional_at_least !== null) seen.costs += 1
  }
  expect(seen.bounds).toBeGreaterThan(3)
  expect(seen.costs).toBeGreaterThan(0)
})

test('the band of a level holds it, where the books stood at its tick', async () => {
  const client = createPublicApi(api.base_url)
  let held = 0
  for (const { index_id, observation_id, level } of levels.filter(
    (row, n) => row.index_id === 'idx_quay' && n % sized(6, 3) === 0,
  )) {
    const [id, observation] = [String(index_id), String(observation_id)]
    for (const notional of ['0', '60']) {
      const path = `/indexes/${id}/executable-band?observation_id=${observation}&notional=${notional}`
      const { bid, ask } = await ok<ExecutableBand>('get_executable_band', path)
      const request = { index_id: id, observation_id: observation, as_of: null, warehouse }
      expect(await levelBand(request, notional)).toMatchObject({ bid, ask })
      if (notional === '60') {
        expect((await recomputeBand(client, { index_id: id, observation_id: observation, notional })).agrees).toBe(true)
      }
      if (bid?.level == null || ask?.level == null) continue
      expect(Number(bid.level) <= Number(level) && Number(level) <= Number(ask.level)).toBe(true)
      held += 1
    }
  }
  expect(held).toBeGreaterThan(1)
})

test('the latest level is the default, as of any instant, and other requests are refused', async () => {
  const latest = rowOf(await api.get('/indexes/idx_quay/price'))
  const shown = await ok<LevelRobustness>('get_index_robustness', '/indexes/idx_quay/robustness')
  expect([shown.observation_id, shown.manipulation_cost?.basis_points ?? 100]).toEqual([latest.observation_id, 100])
  const then = await ok<LevelRobustness>(
    'get_index_robustness',
    `/indexes/idx_quay/robustness?as_of=${latest.published_at}`,
  )
  expect(then.observation_id).toBe(
    rowOf(await api.get(`/indexes/idx_quay/price?as_of=${latest.published_at}`)).observation_id,
  )
  const pier = String(levels.find((row) => row.index_id === 'idx_pier')!.observation_id)
  const tomorrow = formatMicros((await warehouse.now()) + 1440 * MINUTE)
  const REFUSED: readonly (readonly [path: string, status: number, code: string])[] = [
    ['/indexes/idx_none/robustness', 404, 'INDEX_NOT_FOUND'],
    [`/indexes/idx_quay/robustness?observation_id=${pier}`, 404, 'OBSERVATION_NOT_FOUND'],
    ['/indexes/idx_quay/robustness?basis_points=0', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/indexes/idx_quay/robustness?basis_points=10001', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/indexes/idx_quay/executable-band', 400, 'VALIDATION_PARAMETER_MISSING'],
    ['/indexes/idx_quay/executable-band?notional=-1', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/indexes/idx_quay/executable-band?notional=1000000000', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/indexes/idx_quay/executable-band?notional=1.0000001', 400, 'VALIDATION_PARAMETER_INVALID'],
    ['/markets/mkt_none/index-previews', 404, 'MARKET_NOT_FOUND'],
    [`/indexes/idx_quay/knowledge-diff?from_as_of=${at(2)}&to_as_of=${at(1)}`, 400, 'VALIDATION_RANGE_INVALID'],
    [`/indexes/idx_none/knowledge-diff?from_as_of=${at(1)}&to_as_of=${at(2)}`, 404, 'INDEX_NOT_FOUND'],
    [`/indexes/idx_quay/knowledge-diff?from_as_of=${at(1)}&to_as_of=${tomorrow}`, 400, 'VALIDATION_AS_OF_IN_FUTURE'],
  ]
  for (const [path, status, code] of REFUSED) {
    const { status: found, body } = await api.get(path)
    expect([path, found, body.error?.code]).toEqual([path, status, code])
    assertIsError(body)
  }
})

const at = (minute: number) => formatMicros(START + minute * MINUTE)

test('each index that reads a market is previewed under each of its outcomes', async () => {
  const market_id = marketOf('v', 'A')
  const previews = await ok<IndexPreview[]>('list_index_previews', `/markets/${market_id}/index-previews`)
  expect(previews.map(({ index_id }) => index_id)).toEqual(['idx_harbor', 'idx_quay'])
  for (const { outcomes, voided, level } of previews) {
    expect(outcomes.map(({ outcome_id }) => outcome_id)).toEqual(
      ['YES', 'NO'].map((label) => outcomeOf('v', 'A', label)),
    )
    const [yes, no] = outcomes.map((outcome) => Number(outcome.level))
    expect(no! < Number(level) && Number(level) < yes!).toBe(true)
    const [shares, none] = voided
    expect([shares!.payout_rule, shares!.payout, none!.payout_rule]).toEqual(['equal_shares', '0.500000', 'none'])
    expect(no! < Number(shares!.level) && Number(shares!.level) < yes!).toBe(true)
    expect([level, null]).toContain(none!.level)
  }
  const pages = await walk(api.get, `/markets/${market_id}/index-previews`, 1)
  expect(pages).toEqual(previews)
  const [after] = levels
    .map(({ published_at }) => String(published_at))
    .sort()
    .slice(-1)
  const then = rowsOf(await api.get(`/markets/${market_id}/index-previews?as_of=${after}`))
  expect(then).toEqual(previews)
  expect(rowsOf(await api.get(`/markets/${marketOf('v', 'R1')}/index-previews`)).map((row) => row.index_id)).toEqual([
    'idx_pier',
  ])
})

/** Answers about an index at an instant, by the subject of a diff. */
async function answersAt(index_id: string, as_of: string, markets: ReadonlySet<string>) {
  const read = async (path: string) => walk(api.get, `${path}${path.includes('?') ? '&' : '?'}as_of=${as_of}`, 100)
  const index = await api.get(`/indexes/${index_id}?as_of=${as_of}`)
  const known = index.status === 200 ? rowOf(index) : null
  const version = known?.active_version_id ?? null
  const constituents = version === null ? [] : await read(`/indexes/${index_id}/versions/${version}/constituents`)
  const ratings = await Promise.all(
    [...markets].map(async (market_id) => rowOf(await api.get(`/markets/${market_id}/rating?as_of=${as_of}`))),
  )
  const by = (rows: readonly Row[], id: string) => new Map(rows.map((row) => [String(row[id]), row as KnownRecord]))
  return {
    index: by(known === null ? [] : [known], 'index_id'),
    index_version: by(known === null ? [] : await read(`/indexes/${index_id}/versions`), 'index_version_id'),
    constituent: by(constituents, 'constituent_id'),
    rating: by(
      ratings.filter((rating) => rating !== undefined),
      'market_id',
    ),
    level: by(known === null ? [] : await read(`/indexes/${index_id}/prices`), 'tick_at'),
  }
}

test('asked twice: a diff of knowledge applied to the answers at one instant gives those at another', async () => {
  const stamps = [...new Set(levels.map(({ published_at }) => String(published_at)))].sort()
  const last = formatMicros(await warehouse.now())
  const instants = [at(0), at(400), stamps[Math.floor(stamps.length / 2)]!, stamps.at(-1)!, last]
  const ordered = [...new Set(instants)].sort((a, b) => toMicros(a) - toMicros(b))
  const counts = new Map<string, number>()
  for (const index_id of ['idx_quay', 'idx_harbor']) {
    for (const [n, from] of ordered.entries()) {
      // In the fast lane every second span of the second index.
      if (index_id === 'idx_harbor' && n % sized(2, 1) !== 0) continue
      const to = ordered[Math.min(n + 1 + (n % 2), ordered.length - 1)]!
      const path = `/indexes/${index_id}/knowledge-diff?from_as_of=${from}&to_as_of=${to}`
      if ((await api.get(`${path}&limit=1000`)).status === 404) continue
      const changes = (await walk(api.get, path, 7)) as unknown as KnowledgeChange[]
      expect(await walk(api.get, path, 100)).toEqual(changes)
      // What fits on one page is on it, whatever it is about.
      if (changes.length < 100) expect(rowsOf(await api.get(`${path}&limit=100`))).toEqual(changes)
      const markets = new Set(changes.filter(({ subject }) => subject === 'rating').map(({ subject_id }) => subject_id))
      const [before, after] = [await answersAt(index_id, from, markets), await answersAt(index_id, to, markets)]
      for (const subject of ['index', 'index_version', 'constituent', 'rating', 'level'] as const) {
        const of_subject = changes.filter((change) => change.subject === subject)
        const applied = applyChanges(before[subject], of_subject)
        expect([path, subject, sorted(applied)]).toEqual([path, subject, sorted(after[subject])])
        for (const { subject_id, before: known } of of_subject)
          expect(known).toEqual(before[subject].get(subject_id) ?? null)
        for (const { change } of of_subject)
          counts.set(`${subject} ${change}`, (counts.get(`${subject} ${change}`) ?? 0) + 1)
      }
      const by_command = await knowledgeDiff({
        index_id,
        from_as_of: from,
        to_as_of: to,
        from: null,
        to: null,
        warehouse,
      })
      const keyOf = ({ subject, subject_id, change, changed_inputs }: KnowledgeChange) =>
        [subject, subject_id, change, ...changed_inputs.map((input) => input.constituent_id)].join(' ')
      // The command states ratings that begin or end; a service answers NR where there is none.
      const comparable = (all: readonly KnowledgeChange[]) =>
        all
          .filter(({ subject }) => subject !== 'rating')
          .map(keyOf)
          .sort()
      expect(comparable(by_command)).toEqual(comparable(changes))
    }
  }
  expect([...counts.keys()].sort()).toEqual(
    expect.arrayContaining(['index added', 'index_version added', 'level added', 'level revised', 'rating revised']),
  )
})

const sorted = (records: ReadonlyMap<string, unknown>) => [...records].sort(([a], [b]) => (a < b ? -1 : 1))

test('ticks outside of a range are left out of a diff, and equal instants differ in nothing', async () => {
  const now = formatMicros(await warehouse.now())
  const path = `/indexes/idx_quay/knowledge-diff?from_as_of=${at(0)}&to_as_of=${now}&start_time=${at(120)}&end_time=${at(240)}`
  const changes = await ok<Row[]>('list_knowledge_changes', `${path}&limit=1000`)
  const ticks = (await walk(api.get, path, 100))
    .filter(({ subject }) => subject === 'level')
    .map(({ subject_id }) => subject_id)
  expect([...ticks].sort()).toEqual([at(120), at(180)])
  expect(changes.length).toBeGreaterThan(0)
  const same = await ok<Row[]>(
    'list_knowledge_changes',
    `/indexes/idx_quay/knowledge-diff?from_as_of=${now}&to_as_of=${now}`,
  )
  expect(same).toEqual([])
})

test('the commands print what the service answers', async () => {
  const command = async (...argv: string[]) => tidemark(['index', ...argv, '--warehouse', root])
  const robustness = await command('robustness', 'idx_quay', '--basis-points', '200', '--json')
  const shown = rowOf(await api.get('/indexes/idx_quay/robustness?basis_points=200'))
  const { missing_input, manipulation_cost } = shown
  expect(JSON.parse(robustness.stdout)).toMatchObject({ missing_input, manipulation_cost })
  const text = await command('robustness', 'idx_quay')
  expect([text.exit_code, text.stdout.startsWith(`Level ${shown.level}`)]).toEqual([0, true])
  const band = await command('band', 'idx_quay', '--notional', '10')
  expect([band.exit_code, band.stdout]).toEqual([0, expect.stringContaining(String(shown.level))])
  const refused = await command('band', 'idx_quay', '--notional', 'ten')
  expect([refused.exit_code, refused.stderr]).toEqual([2, expect.stringContaining('with at most 6 decimals')])
  const instants = ['--from-as-of', at(0), '--to-as-of', formatMicros(await warehouse.now())]
  const diff = await command('knowledge-diff', 'idx_quay', ...instants)
  expect([diff.exit_code, diff.stdout]).toEqual([1, expect.stringContaining('index_version')])
})
