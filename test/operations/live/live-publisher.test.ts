import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { computeIndexes } from '../../../operations/index/compute-indexes.ts'
import { openLivePublisher } from '../../../operations/live/live-publisher.ts'
import { readStuck } from '../../../operations/live/stuck-indexes.ts'
import { type Instant, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { questionLine, type ShortRow, valueLine, writeArchive } from '../../support/archive-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { writeTideDefinition } from '../../support/tide-warehouse.ts'

//              set  market day published  value  final payout
const ROWS: readonly ShortRow[] = [
  ['s1', 'A', 1, '01T06:00', '0.5'],
  ['s1', 'B', 1, '01T06:00', '0.3'],
  ['s1', 'A', 2, '02T06:00', '0.6'],
  ['s1', 'B', 2, '02T06:00', '0.4'],
  ['s1', 'A', 5, '05T06:00', '0.7'],
  ['s1', 'B', 5, '05T06:00', '0.4'],
  ['s1', 'B', 2, '05T18:00', '0.9'], // late: about a tick that is published
  ['s1', 'A', 6, '06T06:00', '1.0', 'F'],
  ['s1', 'B', 6, '06T06:00', '0.4'],
]
const RANGE = { from: '2026-01-01T00:00:00Z', to: '2026-01-08T00:00:00Z' } as const
const QUESTIONS = ['A', 'B'].map((market) => questionLine('s1', market, '2026-01-01T00:00:00+00:00'))
const folder = tempFolder()

/** A warehouse with a clock that a test sets; each reading may advance it by a step. */
async function clockedWarehouse(name: string) {
  let now = toMicros('2026-01-01T00:00:00Z')
  let step = 0
  const read = async () => {
    now += step
    return now
  }
  const ports = { now: read, without_clock_guards: true }
  const warehouse = await openWarehouse({ root: join(folder, name), create: true, ports })
  return {
    warehouse,
    setClock: (at: Instant, step_s = 0) => {
      now = toMicros(at)
      step = step_s * 1_000_000
    },
  }
}

const importRows = (warehouse: Warehouse, name: string, rows: readonly ShortRow[], clock: 'wall' | 'recorded') => {
  const dir = writeArchive(join(folder, name), rows.map(valueLine), QUESTIONS)
  return importArchive({ archive: 'forecastbench', dir, clock, warehouse })
}

async function levels(warehouse: Warehouse) {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query(`
      select tick_at, level, quality_state, coverage_ratio, confidence, source_cutoff_at, input_observation_ids
      from index_observation order by tick_at`)
  } finally {
    await session.close()
  }
}

test('levels published as the clock goes on are those of one computation afterwards, late rows and restarts included', async () => {
  const { warehouse, setClock } = await clockedWarehouse('live')
  const definition = writeTideDefinition(folder, 'live-tide')
  let publisher = openLivePublisher(warehouse)
  const hours = [...new Set(ROWS.map(([, , , published]) => published))]
  for (let day = 1; day <= 7; day += 1) {
    for (const hour of ['06:00', '18:00']) {
      const at = `0${day}T${hour}`
      setClock(`2026-01-${at}:01Z`)
      if (day === 1 && hour === '06:00') await applyDefinitions({ files: [definition], clock: 'wall', warehouse })
      const rows = ROWS.filter(([, , , published]) => published === at)
      if (rows.length > 0) await importRows(warehouse, `live-${at.replace(':', '')}`, rows, 'wall')
      await publisher.publishDue()
    }
    if (day === 4) publisher = openLivePublisher(warehouse)
  }
  expect(hours).toHaveLength(5)

  const { warehouse: other, setClock: setOther } = await clockedWarehouse('afterwards')
  setOther('2026-02-01T00:00:00Z')
  await importRows(other, 'all', ROWS, 'recorded')
  await applyDefinitions({ files: [definition], clock: 'recorded', warehouse: other })
  await computeIndexes({ index_ids: ['idx_tide'], ...RANGE, clock: 'recorded', warehouse: other })

  const live = await levels(warehouse)
  expect(live.length).toBeGreaterThan(4)
  expect(live.map(({ input_observation_ids: _, ...row }) => row)).toEqual(
    (await levels(other)).map(({ input_observation_ids: _, ...row }) => row),
  )
  const again = await publisher.publishDue()
  expect(again).toMatchObject({ levels: 0, marks: 0, commits: 0 })
  await warehouse.close()
  await other.close()
})

test('an index whose version cannot be linked is named with the reason, also by the next process, until it is defined otherwise', async () => {
  const { warehouse, setClock } = await clockedWarehouse('stuck')
  const text = readFileSync(writeTideDefinition(folder, 'stuck-tide', { parameters: 'mode: chain_linked' }), 'utf8')
  const second = text
    .slice(text.indexOf('  - version'))
    .replace('"1"', '"2"')
    .replaceAll(/_market_id: [AB]/g, '_market_id: Z')
  const file = join(folder, 'stuck.yaml')
  writeFileSync(file, text + second.replace(/effective_from: .*/, 'effective_from: 2026-01-03T00:00:00Z'))
  setClock('2026-01-01T06:00:01Z')
  await applyDefinitions({ files: [file], clock: 'wall', warehouse })
  await importRows(warehouse, 'stuck-rows', ROWS.slice(0, 2), 'wall')
  const publisher = openLivePublisher(warehouse)
  await publisher.publishDue()
  expect(await readStuck(warehouse.local_root)).toEqual([])
  setClock('2026-01-03T13:00:00Z')
  await expect(publisher.publishDue()).rejects.toMatchObject({ code: 'INDEX_LINK_UNSTABLE' })
  const stuck = { index_id: 'idx_tide', version: '2', since: '2026-01-03T13:00:00Z', code: 'INDEX_LINK_UNSTABLE' }
  expect(await readStuck(warehouse.local_root)).toMatchObject([stuck])
  setClock('2026-01-03T14:00:00Z')
  await expect(openLivePublisher(warehouse).publishDue()).rejects.toThrow('S of the new composition is missing')
  expect(await readStuck(warehouse.local_root)).toMatchObject([stuck])
  await openLivePublisher(warehouse, { follows: () => false }).publishDue()
  expect(await readStuck(warehouse.local_root)).toEqual([])
  await warehouse.close()
})

test('an index that takes long to catch up keeps no other waiting, and misses no tick', async () => {
  const { warehouse, setClock } = await clockedWarehouse('joining')
  const publisher = openLivePublisher(warehouse)
  const newest = async (index_id: string) => {
    const session = await openReadSession(warehouse, { as_of: null })
    const sql = `select count(*) as ticks, max(tick_at) as newest from index_observation where index_id = '${index_id}'`
    return session.query(sql).finally(() => session.close())
  }
  setClock('2026-01-01T06:00:01Z')
  await applyDefinitions({ files: [writeTideDefinition(folder, 'joined')], clock: 'wall', warehouse })
  await importRows(warehouse, 'joining-rows', ROWS.slice(0, 2), 'wall')
  await publisher.publishDue()
  setClock('2026-01-02T18:00:06Z')
  await importRows(warehouse, 'joining-more', ROWS.slice(2, 4), 'wall')
  const text = readFileSync(writeTideDefinition(folder, 'joining', { frequency: 'PT1M' }), 'utf8')
  const file = join(folder, 'flood.yaml')
  writeFileSync(
    file,
    text.replace('idx_tide', 'idx_flood').replace('slug: tide', 'slug: flood').replace('TIDE', 'FLOOD'),
  )
  await applyDefinitions({ files: [file], clock: 'wall', warehouse })
  // Each look at the clock takes 20 seconds, so the next tick is near after two of them.
  setClock('2026-01-02T18:05:06Z', 20)
  await publisher.publishDue()
  expect(await newest('idx_tide')).toMatchObject([{ newest: '2026-01-02T00:00:00Z' }])
  const [first] = await newest('idx_flood')
  setClock('2026-01-02T18:10:06Z')
  await publisher.publishDue()
  const [last] = await newest('idx_flood')
  expect(String(first!.newest) < '2026-01-02T00:00:00Z').toBe(true)
  expect(last).toMatchObject({ newest: '2026-01-02T06:10:00Z' })
  await warehouse.close()
})
