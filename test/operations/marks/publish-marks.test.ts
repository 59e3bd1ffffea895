import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { MARK_METHODOLOGY, publishMarks } from '../../../operations/marks/publish-marks.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { questionLine, type ShortRow, valueLine, writeArchive } from '../../support/archive-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
let warehouse: Warehouse

const VALUES: readonly ShortRow[] = [
  ['s1', 'A', 1, '01T00:00:02', '0.5'],
  ['s1', 'A', 2, '02T00:00:04', '0.6'],
  ['s1', 'A', 3, '03T06:00', '0.7'], // too late for its own tick
  ['s1', 'A', 6, '06T00:00:01', '1.0', 'F'],
]

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  const questions = [questionLine('s1', 'A', '2026-01-01T00:00:00+00:00')]
  const dir = writeArchive(join(folder, 'archive'), VALUES.map(valueLine), questions)
  await importArchive({ archive: 'forecastbench', dir, clock: 'recorded', warehouse })
})
afterAll(async () => {
  await warehouse.close()
})

async function rows(sql: string, as_of: string | null = null) {
  const session = await openReadSession(warehouse, { as_of: as_of === null ? null : toMicros(as_of) })
  try {
    return await session.query(sql)
  } finally {
    await session.close()
  }
}

const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-08T00:00:00Z', interval: 'P1D' } as const

test('marks of the days are published at tick + grace, once', async () => {
  const first = await publishMarks({ ...range, clock: 'recorded', warehouse })
  expect(first.published).toBeGreaterThan(0)
  const again = await publishMarks({ ...range, clock: 'recorded', warehouse })
  expect(again).toMatchObject({ published: 0, commits: 0 })
  const yes = await rows(
    `select tick_at, mark, mark_rule, quality_state, published_at from market_mark
     where outcome_id = (select outcomes[1].outcome_id from market) order by tick_at`,
  )
  const said = (day: number, mark: string, rule: string, state: string) => ({
    tick_at: `2026-01-0${day}T00:00:00Z`,
    mark,
    mark_rule: rule,
    quality_state: state,
    published_at: `2026-01-0${day}T00:00:05Z`,
  })
  expect(yes).toEqual([
    said(1, '0.500000', 'M5r', 'valid'),
    said(2, '0.600000', 'M5r', 'valid'),
    said(3, '0.600000', 'M5r', 'stale'),
    said(4, '0.700000', 'M5r', 'stale'),
    { ...said(5, '', '', 'suspended'), mark: null, mark_rule: null },
    said(6, '1.000000', 'M0', 'valid'),
  ])
})

test('a mark names its methodology, which is published with it', async () => {
  const named = await rows('select distinct methodology_id, methodology_version as version from market_mark')
  expect(named).toEqual([MARK_METHODOLOGY])
  const published = await rows(`select version from methodology where methodology_id = 'mth_market_mark'`)
  expect(published).toEqual([{ version: '1.0.0' }])
})

test('as of an instant only the marks published by then are there', async () => {
  const early = await rows('select max(tick_at) as last from market_mark', '2026-01-02T12:00:00Z')
  expect(early).toEqual([{ last: '2026-01-02T00:00:00Z' }])
})

test('every source observation of a mark is an observation of the warehouse', async () => {
  const strays = await rows(`
    select s.id from (select unnest(source_observation_ids) as id from market_mark where mark_rule <> 'M0') as s
    where s.id not in (select observation_id from market_observation_history)`)
  expect(strays).toEqual([])
})
