import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { computeIndexes } from '../../../operations/index/compute-indexes.ts'
import { correctIndex } from '../../../operations/index/correct-index.ts'
import { diffIndex } from '../../../operations/index/diff-index.ts'
import { indexCandles } from '../../../operations/index/index-candles.ts'
import { listIndexes } from '../../../operations/index/list-indexes.ts'
import { verifyObservations } from '../../../operations/index/verify-observations.ts'
import { type ReplayLine, replayIndex } from '../../../operations/replay/replay-index.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { type ShortRow, valueLine, writeArchive } from '../../support/archive-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** The life of two small indexes over an archive written by hand: publish, ask again, late data, correct, verify. */
const folder = tempFolder()
let warehouse: Warehouse
let definition: string

//              set  market day published  value  final payout
const FIRST: readonly ShortRow[] = [
  ['s1', 'A', 1, '01T06:00', '0.5'],
  ['s1', 'B', 1, '01T06:00', '0.3'],
  ['s1', 'A', 2, '02T06:00', '0.6'],
  ['s1', 'B', 2, '02T06:00', '0.4'],
  // nothing about 01-03 and 01-04: the index goes stale, once
  ['s1', 'A', 5, '05T06:00', '0.7'],
  ['s1', 'B', 5, '05T06:00', '0.4'],
  ['s1', 'A', 6, '06T06:00', '1.0', 'F'],
  ['s1', 'B', 6, '06T06:00', '0.4'],
]
const LATE: readonly ShortRow[] = [
  ['s1', 'A', 4, '08T06:00', '0.65'], // late data for a stale tick
  ['s1', 'B', 2, '08T06:00', '0.5'], // a revised value
  ['s1', 'A', 6, '08T06:00', '0.0', 'F'], // a corrected resolution
]

/** Says again what is known. */
const CONFIRMING: readonly ShortRow[] = [['s1', 'A', 6, '09T06:00', '0.0', 'F']]

/** About markets that were not known before. */
const EARLY: readonly ShortRow[] = [
  ['s1', 'C', 1, '09T06:00', '0.2'],
  ['s1', 'D', 1, '09T06:00', '0.3'],
]

const RANGE = { from: '2026-01-01T00:00:00Z', to: '2026-01-08T00:00:00Z' }

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  await load(FIRST, 'recorded')
  definition = join(folder, 'tide.yaml')
  await writeFile(definition, definitionText('idx_tide', 'gauge', ['0.5', '0.5']))
})
afterAll(async () => warehouse.close())

test('recorded clock: levels of the archive, one record on going stale, stamped at tick + grace', async () => {
  await applyDefinitions({ files: [definition], clock: 'recorded', warehouse })
  const { indexes, commits } = await computeIndexes({ index_ids: ['idx_tide'], ...RANGE, clock: 'recorded', warehouse })
  // 100 x (0.5 + 0.3) / 2 = 40; (0.6 + 0.4) / 2 = 50; stale; (0.7 + 0.4) / 2 = 55; payout 1: (1 + 0.4) / 2 = 70
  expect(await levels()).toEqual([
    ['2026-01-01T00:00:00Z', '40.0000', 'indicative', 1],
    ['2026-01-02T00:00:00Z', '50.0000', 'indicative', 1],
    ['2026-01-03T00:00:00Z', '50.0000', 'stale', 1],
    ['2026-01-05T00:00:00Z', '55.0000', 'indicative', 1],
    ['2026-01-06T00:00:00Z', '70.0000', 'valid', 1],
    ['2026-01-07T00:00:00Z', '70.0000', 'degraded', 1],
  ])
  expect(indexes).toEqual([
    expect.objectContaining({
      ticks: 7,
      published: 6,
      already_published: 0,
      unchanged: 1,
      states: { indicative: 3, stale: 2, valid: 1, degraded: 1 },
    }),
  ])
  expect(commits).toBe(7) // six stamps of levels and one link
  const [listed] = await listIndexes({ as_of: '2026-01-06T12:00:00Z', warehouse })
  expect(listed?.latest).toMatchObject({
    tick_at: '2026-01-06T00:00:00Z',
    level: '70.0000',
    published_at: '2026-01-06T12:00:00Z',
  })
})

test('recorded clock: levels are not known before the definition that they are of', async () => {
  const other = await openWarehouse({ root: join(folder, 'before-definition'), create: true })
  await load(FIRST, 'recorded', other)
  await applyDefinitions({ files: [definition], clock: 'wall', warehouse: other })
  const recorded = () => computeIndexes({ index_ids: ['idx_tide'], ...RANGE, clock: 'recorded', warehouse: other })
  const [version] = await select(other, 'select published_at from index_version', null)
  const refused = await recorded().catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'VALIDATION_CLOCK_REFUSED' })
  for (const part of ['idx_tide', String(version!.published_at), 'tidemark index apply --clock recorded'])
    expect((refused as Error).message).toContain(part)
  expect(await select(other, 'select count(*) as n from index_observation', null)).toEqual([{ n: 0 }])
  await other.close()
})

test('a second compute publishes nothing; another index under the recorded clock is refused and says why', async () => {
  const again = await computeIndexes({ index_ids: ['idx_tide'], ...RANGE, clock: 'recorded', warehouse })
  expect(again).toMatchObject({ commits: 0, indexes: [{ published: 0, already_published: 6, unchanged: 1 }] })
  const other = join(folder, 'other.yaml')
  await writeFile(other, definitionText('idx_other', 'chain_linked', ['0.75', '0.25']))
  await expect(applyDefinitions({ files: [other], clock: 'recorded', warehouse })).rejects.toMatchObject({
    code: 'VALIDATION_CLOCK_REFUSED',
  })
  await applyDefinitions({ files: [other], clock: 'wall', warehouse })
  await expect(
    computeIndexes({ index_ids: ['idx_other'], ...RANGE, clock: 'recorded', warehouse }),
  ).rejects.toMatchObject({ code: 'VALIDATION_CLOCK_REFUSED' })
  const report = await computeIndexes({ index_ids: ['idx_other'], ...RANGE, clock: 'wall', warehouse })
  expect(report.indexes[0]).toMatchObject({ published: 6 })
  // K = 1000 / 0.45; 0.75 x 0.6 + 0.25 x 0.4 = 0.55 -> 1222.2222
  expect((await levels('idx_other')).map(([, level]) => level)).toEqual([
    '1000.0000',
    '1222.2222',
    '1222.2222',
    '1388.8889',
    '1888.8889',
    '1888.8889',
  ])
})

test('the published series is what a replay of the file gives, tick by tick', async () => {
  const published = new Map((await levels()).map(([tick, level, state]) => [tick, [level, state]]))
  for (const line of await replay({}))
    if (published.has(line.tick_at)) expect([line.level, line.quality_state]).toEqual(published.get(line.tick_at))
  const lines = await replay({ as_of: '2026-01-05T12:00:00Z' })
  expect(lines.map((line) => line.tick_at.slice(8, 10))).toEqual(['01', '02', '03', '04', '05'])
})

test('late data: past answers stay, a correction publishes revisions, everything is reproduced', async () => {
  const before = await levels('idx_tide', '2026-01-07T12:00:00Z')
  await load(LATE, 'wall')
  const correction = { index_id: 'idx_tide', from: null, to: null, reason: 'LATE_DATA', warehouse }
  const published = await select(warehouse, 'select * from index_observation_history', null)
  const shown = await correctIndex({ ...correction, dry_run: true })
  expect(await select(warehouse, 'select * from index_observation_history', null)).toEqual(published)
  const report = await correctIndex(correction)
  expect(shown).toEqual(report)
  expect(report.revised.map((r) => [r.tick_at, r.old_level, r.new_level, r.basis_points, r.restatement])).toEqual([
    ['2026-01-02T00:00:00Z', '50.0000', '55.0000', '1000.00', 'late'],
    ['2026-01-03T00:00:00Z', '50.0000', '55.0000', '1000.00', 'late'],
    ['2026-01-04T00:00:00Z', null, '57.5000', null, null], // (0.65 + 0.5) / 2: its first record
    ['2026-01-06T00:00:00Z', '70.0000', '20.0000', '7142.86', 'late'],
    ['2026-01-07T00:00:00Z', '70.0000', '20.0000', '7142.86', 'late'],
  ])
  expect(await levels('idx_tide', '2026-01-07T12:00:00Z')).toEqual(before)
  expect((await levels()).map(([, , state, revision]) => [state, revision])).toEqual([
    ['indicative', 1],
    ['indicative', 2],
    ['stale', 2],
    ['degraded', 1],
    ['indicative', 1],
    ['corrected', 2],
    ['degraded', 2],
  ])
  expect(
    await correctIndex({ index_id: 'idx_tide', from: null, to: null, reason: 'LATE_DATA', warehouse }),
  ).toMatchObject({ revised: [] })
  const verified = await verifyObservations({ warehouse })
  expect(verified).toEqual({ checked: 17, reproduced: 17, failures: [], gaps: [] })
})

test('a resolution that is only said again corrects nothing', async () => {
  await load(CONFIRMING, 'wall')
  const confirming = await select(
    warehouse,
    "select finality from market_resolution_history where confirms_id is not null and source_at = timestamptz '2026-01-06T00:00:00Z'",
    null,
  )
  expect(confirming).toEqual([{ finality: 'final' }])
  const report = await correctIndex({ index_id: 'idx_tide', from: null, to: null, reason: 'LATE_DATA', warehouse })
  expect(report.revised).toEqual([])
  expect((await verifyObservations({ warehouse })).failures).toEqual([])
})

test('diff names what became known and what was superseded; candles are of the current rows', async () => {
  const now = formatMicros(await warehouse.now())
  const { changes } = await diffIndex({ index_id: 'idx_tide', as_of: '2026-01-07T12:00:00Z', with: now, warehouse })
  expect(
    changes.map((change) => [
      change.tick_at.slice(8, 10),
      change.change,
      change.before?.level ?? null,
      change.after.level,
    ]),
  ).toEqual([
    ['02', 'superseded', '50.0000', '55.0000'],
    ['03', 'superseded', '50.0000', '55.0000'],
    ['04', 'became_known', null, '57.5000'],
    ['06', 'superseded', '70.0000', '20.0000'],
    ['07', 'superseded', '70.0000', '20.0000'],
  ])
  const candles = await indexCandles({
    index_id: 'idx_tide',
    from: '2026-01-02T00:00:00Z',
    to: '2026-01-05T00:00:00Z',
    interval: 'P1D',
    as_of: null,
    warehouse,
  })
  expect(candles.map((candle) => [candle.bucket_start.slice(8, 10), candle.close, candle.quality_states])).toEqual([
    ['02', '55.0000', ['indicative']],
    ['04', '57.5000', ['degraded']],
  ])
})

test('a published version, a methodology and a base are never edited; a new version comes after the last level', async () => {
  const edited = join(folder, 'edited.yaml')
  const text = definitionText('idx_tide', 'gauge', ['0.5', '0.5'])
  const apply = async (changed: string) => {
    await writeFile(edited, changed)
    return applyDefinitions({ files: [edited], clock: 'wall', warehouse })
  }
  await expect(apply(definitionText('idx_tide', 'gauge', ['0.6', '0.4']))).rejects.toMatchObject({
    code: 'VALIDATION_VERSION_PUBLISHED',
  })
  await expect(apply(text.replace('fresh.max_carry: P30D', 'fresh.max_carry: P31D'))).rejects.toMatchObject({
    code: 'VALIDATION_VERSION_PUBLISHED',
  })
  await expect(apply(text.replace('base_value: "1000"', 'base_value: "100"'))).rejects.toMatchObject({
    code: 'VALIDATION_VERSION_PUBLISHED',
  })
  const second = (at: string) => text.replace('versions:', `versions:\n${versionText('2', at, ['0.4', '0.6'])}`)
  await expect(apply(second('2026-01-01T00:00:00Z'))).rejects.toMatchObject({ code: 'VALIDATION_VERSION_OVERLAP' })
  await expect(apply(second('2026-01-04T00:00:00Z'))).rejects.toMatchObject({ code: 'VALIDATION_VERSION_OVERLAP' })
  expect(await apply(second('2026-01-08T00:00:00Z'))).toMatchObject({
    indexes: [{ created: false, versions_published: ['2'], versions_unchanged: ['1'] }],
  })
  expect(await apply(text.replace('name: Tide', 'name: High tide'))).toMatchObject({
    indexes: [{ updated: true, versions_published: [] }],
  })
})

test('what is not there is not found, and bad requests name what is wrong', async () => {
  await expect(replay({ target: 'idx_none' })).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
  await expect(replay({ target: 'idx_tide@9' })).rejects.toMatchObject({
    code: 'INDEX_NOT_FOUND',
    message: expect.stringContaining('allowed: 1, 2'),
  })
  await expect(replay({ as_of: '2199-01-01T00:00:00Z' })).rejects.toMatchObject({ code: 'VALIDATION_AS_OF_IN_FUTURE' })
  await expect(replay({ target: join(folder, 'absent.yaml') })).rejects.toMatchObject({
    code: 'VALIDATION_INPUT_UNREADABLE',
  })
  await expect(verifyObservations({ observation_ids: ['iob_none'], warehouse })).rejects.toMatchObject({
    code: 'OBSERVATION_NOT_FOUND',
  })
  await expect(
    correctIndex({ index_id: 'idx_tide', from: null, to: null, reason: 'BECAUSE', warehouse }),
  ).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
})

test('a version whose first level is a correction gets its link with it, and the later link stays', async () => {
  const file = join(folder, 'early.yaml')
  const first = definitionText('idx_early', 'chain_linked', ['0.5', '0.5'])
    .replaceAll('source_market_id: A', 'source_market_id: C')
    .replaceAll('source_market_id: B', 'source_market_id: D')
  await writeFile(file, `${first}\n${versionText('2', '2026-01-05T00:00:00Z', ['0.5', '0.5'])}`)
  const links = () =>
    select(warehouse, "select link_at, link_factor from index_link where index_id = 'idx_early' order by link_at", null)
  await applyDefinitions({ files: [file], clock: 'wall', warehouse })
  await computeIndexes({ index_ids: ['idx_early'], ...RANGE, clock: 'wall', warehouse })
  const dated = async () => (await levels('idx_early')).map(([tick, level]) => [String(tick).slice(8, 10), level])
  expect(await dated()).toEqual([
    ['01', null],
    ['05', '1000.0000'],
    ['06', '1272.7273'],
    ['07', '1272.7273'],
  ])
  const [later] = await links()
  await load(EARLY, 'wall')
  await correctIndex({ index_id: 'idx_early', from: null, to: null, reason: 'LATE_DATA', warehouse })
  expect(await dated()).toEqual([
    ['01', '1000.0000'],
    ['02', '1000.0000'],
    ['05', '1000.0000'],
    ['06', '363.6364'],
    ['07', '363.6364'],
  ])
  expect(await links()).toEqual([{ link_at: '2026-01-01T00:00:00Z', link_factor: '4000.000000000000' }, later])
  expect((await verifyObservations({ index_id: 'idx_early', warehouse })).failures).toEqual([])
})

test('an interrupted publication leaves a prefix, and the next one completes it', async () => {
  const root = join(folder, 'interrupted')
  const other = await openWarehouse({ root, create: true })
  await load(FIRST, 'recorded', other)
  await applyDefinitions({ files: [definition], clock: 'recorded', warehouse: other })
  let appends = 0
  const stopping: Warehouse = {
    ...other,
    append: (...args) => {
      appends += 1
      if (appends > 3) return Promise.reject(new Error('killed'))
      return other.append(...args)
    },
  }
  await expect(
    computeIndexes({ index_ids: ['idx_tide'], ...RANGE, clock: 'recorded', warehouse: stopping }),
  ).rejects.toThrow('killed')
  await computeIndexes({ index_ids: ['idx_tide'], ...RANGE, clock: 'recorded', warehouse: other })
  const rows = await observationIds(other, '2026-01-07T12:00:00Z')
  expect(rows).toEqual(await observationIds(warehouse, '2026-01-07T12:00:00Z'))
  await other.close()
})

test('a replay of an index of the recorded clock admits what was published by each tick, as its levels did', async () => {
  const other = await openWarehouse({ root: join(folder, 'published-later'), create: true })
  const lines = async (target: string) => {
    const found: unknown[] = []
    const request = { target, as_of: null, ...RANGE, warehouse: other }
    for await (const { tick_at, level, input_observation_ids } of replayIndex(request))
      found.push({ tick_at, level, input_observation_ids })
    return found as { readonly tick_at: string; readonly level: string | null }[]
  }
  await load(FIRST, 'recorded', other)
  await applyDefinitions({ files: [definition], clock: 'recorded', warehouse: other })
  await computeIndexes({ index_ids: ['idx_tide'], ...RANGE, clock: 'recorded', warehouse: other })
  const before = await lines('idx_tide')
  await load([['s1', 'B', 2, '02T07:00', '0.5']], 'wall', other)
  expect(await lines('idx_tide')).toEqual(before)
  const published = await select(
    other,
    "select tick_at, level from index_observation where index_id = 'idx_tide' order by tick_at",
    null,
  )
  const replayed = new Map((await lines('idx_tide')).map(({ tick_at, level }) => [tick_at, level]))
  expect(published.map(({ tick_at }) => replayed.get(String(tick_at)))).toEqual(published.map(({ level }) => level))
  // A draft of a published index reads its records, so that a comparison shows the change of the draft alone.
  expect(await lines(definition)).toEqual(before)
  // In a back-test of another index the row counts by its receipt: 100 x (0.6 + 0.5) / 2.
  const draft = join(folder, 'draft.yaml')
  await writeFile(draft, definitionText('idx_draft', 'gauge', ['0.5', '0.5']))
  expect((await lines(draft))[1]).toMatchObject({ level: '55.0000' })
  await other.close()
})

async function load(rows: readonly ShortRow[], clock: 'wall' | 'recorded', into: Warehouse = warehouse): Promise<void> {
  const dir = writeArchive(join(folder, 'archive'), rows.map(valueLine))
  await importArchive({ archive: 'forecastbench', dir, clock, warehouse: into })
}

async function levels(index_id = 'idx_tide', as_of: string | null = null) {
  const rows = await select(
    warehouse,
    `select tick_at, level, quality_state, revision from index_observation where index_id = '${index_id}' order by tick_at`,
    as_of,
  )
  return rows.map((row) => [row.tick_at, row.level, row.quality_state, row.revision])
}

const observationIds = (of: Warehouse, as_of: string) =>
  select(
    of,
    "select observation_id, record_hash, published_at from index_observation where index_id = 'idx_tide' order by tick_at",
    as_of,
  )

async function select(of: Warehouse, sql: string, as_of: string | null) {
  const session = await openReadSession(of, { as_of: as_of === null ? null : Date.parse(as_of) * 1000 })
  try {
    return await session.query(sql)
  } finally {
    await session.close()
  }
}

async function replay(request: { target?: string; as_of?: string }): Promise<ReplayLine[]> {
  const lines: ReplayLine[] = []
  for await (const line of replayIndex({ target: definition, as_of: null, ...RANGE, warehouse, ...request }))
    lines.push(line)
  return lines
}

function definitionText(index_id: string, mode: string, weights: readonly [string, string]): string {
  return `
index: { index_id: ${index_id}, slug: tide, symbol: TIDE, name: Tide, base_value: "1000", base_date: 2026-01-01T00:00:00Z }
methodology: { methodology_id: mth_${mode}, version: "1.0.0", name: Test, parameters: { mode: ${mode}, admission.grace: PT12H, fresh.stale_after: PT12H, fresh.max_carry: P30D } }
versions:
${versionText('1', '2026-01-01T00:00:00Z', weights)}`
}

function versionText(version: string, effective_from: string, [a, b]: readonly [string, string]): string {
  const constituent = (id: string, market: string, weight: string) =>
    `      - { constituent_id: con_${id}, venue_id: v, source_series_id: s1, source_market_id: ${market}, outcome: "YES", target_weight: "${weight}", normalization: probability_0_1 }`
  return `  - version: "${version}"
    effective_from: ${effective_from}
    calculation_frequency: P1D
    minimum_coverage_ratio: "0.80"
    constituents:
${constituent('a', 'A', a)}
${constituent('b', 'B', b)}`
}
