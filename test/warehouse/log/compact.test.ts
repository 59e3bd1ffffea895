import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { afterTest, answerAsOf, linkRow, queryTable, recorded, step, testWarehouse } from './fixtures.ts'

const DAYS = ['2026-01-15', '2026-01-16', '2026-01-17']

/** Four commits a day on three days. */
async function threeDays(): Promise<Warehouse> {
  const warehouse = await testWarehouse()
  let sequence = 0
  for (const day of DAYS) {
    for (const hour of ['03', '09', '15', '21']) {
      const rows = [
        linkRow(`${day}-${hour}-b`, { correction_reason: 'größer\0' }),
        linkRow(`${day}-${hour}-a`, { link_factor: '-0.000000000001' }),
      ]
      await warehouse.append('index_link', rows, step(++sequence, recorded(`${day}T${hour}:00:00.000001Z`)))
    }
  }
  return warehouse
}

const everyRow = (warehouse: Warehouse) =>
  queryTable(warehouse, 'index_link', 'SELECT * FROM rows ORDER BY published_at, row_ordinal')

async function answers(warehouse: Warehouse): Promise<string[]> {
  const instants = DAYS.flatMap((day) =>
    ['00', '03', '12', '22'].map((hour) => toMicros(`${day}T${hour}:00:00.000001Z`)),
  )
  const given: string[] = []
  for (const at of instants) given.push(await answerAsOf(warehouse, at))
  return given
}

test('closed days become one file each, the open one is left alone, and no row or answer changes', async () => {
  const warehouse = await threeDays()
  const log = warehouse.log('index_link')
  const before = [await everyRow(warehouse), await answers(warehouse)]
  const days = await log.compact()
  expect(days.map((day) => [day.published_date, day.files_before, day.files_after, day.rows, day.committed])).toEqual([
    ['2026-01-15', 4, 1, 8, true],
    ['2026-01-16', 4, 1, 8, true],
  ])
  expect((await log.snapshot()).files).toHaveLength(6)
  expect([await everyRow(warehouse), await answers(warehouse)]).toEqual(before)
  expect((await log.verify()).violations).toEqual([])
  expect(await log.compact()).toEqual([])
})

test('a day that one file may not hold becomes as few as may, and is not merged again', async () => {
  const warehouse = await testWarehouse()
  const log = warehouse.log('index_link')
  const text = (n: number) => createHash('shake256', { outputLength: 4000 }).update(String(n)).digest('hex')
  for (let n = 1; n <= 8; n++) {
    const at = recorded(`2026-01-15T0${n}:00:00.000001Z`)
    await warehouse.append('index_link', [linkRow(text(n)), linkRow(text(-n))], step(n, at))
  }
  await log.seal(toMicros('2026-01-16T00:00:00Z'))
  const before = await everyRow(warehouse)
  const file_bytes_max = 40_000
  expect(await log.compact({ file_bytes_max })).toMatchObject([{ files_before: 8, files_after: 3, rows: 16 }])
  const { files } = await log.snapshot()
  expect(files.every(({ size_bytes }) => size_bytes <= file_bytes_max)).toBe(true)
  expect(await everyRow(warehouse)).toEqual(before)
  expect((await log.verify()).violations).toEqual([])
  expect(await log.compact({ file_bytes_max })).toEqual([])
})

test('a day that a seal has closed is due too, and so is an open day past a hundred files', async () => {
  const warehouse = await threeDays()
  const log = warehouse.log('index_link')
  await log.seal(toMicros('2026-01-18T00:00:00Z'))
  expect((await log.compact()).map((day) => day.published_date)).toEqual(DAYS)
  for (let i = 0; i <= 100; i++) {
    await warehouse.append(
      'index_link',
      [linkRow(`v${i}`)],
      step(100 + i, { kind: 'recorded', at: toMicros('2026-01-18T00:00:00.000001Z') + i }),
    )
  }
  expect(await log.compact()).toMatchObject([
    { published_date: '2026-01-18', files_before: 101, files_after: 1, rows: 101 },
  ])
})

test('of a day that goes on only the smallest files are merged, until as much is new as a larger one has', async () => {
  const warehouse = await testWarehouse()
  const log = warehouse.log('index_link')
  const day = toMicros('2026-01-18T00:00:00Z')
  let sequence = 0
  const append = (rows: number) => {
    const texts = Array.from({ length: rows }, (_, i) => linkRow(`${sequence}-${i}-${'x'.repeat(i % 40)}`))
    return warehouse.append('index_link', texts, step(++sequence, { kind: 'recorded', at: day + sequence }))
  }
  const sizes = async () => (await log.snapshot()).files.map(({ rows }) => rows).toSorted((a, b) => b - a)
  const more = async () => {
    for (let i = 0; i < 100; i++) await append(1)
    return log.compact()
  }
  await append(800)
  expect(await more()).toMatchObject([{ files_before: 100, files_after: 1, rows: 100 }])
  expect(await sizes()).toEqual([800, 100])
  const before = await everyRow(warehouse)
  expect(await more()).toMatchObject([{ files_before: 101, files_after: 1, rows: 200 }])
  expect(await sizes()).toEqual([800, 200])
  expect(await log.compact()).toEqual([])
  await log.seal(day + 86_400_000_000)
  await log.compact()
  expect(await sizes()).toEqual([1_000])
  expect((await everyRow(warehouse)).length).toBe(before.length + 100)
  expect((await log.verify()).violations).toEqual([])
})

test('a reader of the version before still finds its files; vacuum removes them only after the retention', async () => {
  const warehouse = await threeDays()
  const log = warehouse.log('index_link')
  const old = await log.snapshot()
  const before = [await everyRow(warehouse), await answers(warehouse)]
  await log.compact()
  expect((await log.vacuum()).deleted).toEqual([])
  for (const file of old.files) expect(existsSync(join(warehouse.root, file.key))).toBe(true)
  const gone = await log.vacuum({ retention_ms: 0 })
  expect(gone.deleted).toHaveLength(8)
  expect([await everyRow(warehouse), await answers(warehouse)]).toEqual(before)
  const cold = await openWarehouse({ root: warehouse.root })
  afterTest(() => cold.close())
  expect([await everyRow(cold), await answers(cold)]).toEqual(before)
  expect((await cold.log('index_link').verify()).violations).toEqual([])
})

test.each([
  ['keeps', 'running', process.ppid, 0],
  ['does not keep', 'gone', 2 ** 22 + 1, 8],
])('vacuum %s the files that a lease of a process that is %s covers', async (_, __, pid, deleted) => {
  const warehouse = await threeDays()
  const log = warehouse.log('index_link')
  const lease = join(warehouse.root, '.unfinished', `reading-${await warehouse.now()}-${pid}-test`)
  writeFileSync(lease, '')
  await log.compact()
  expect((await log.vacuum({ retention_ms: 0 })).deleted).toHaveLength(deleted)
  rmSync(lease)
  expect((await log.vacuum({ retention_ms: 0 })).deleted).toHaveLength(8 - deleted)
})

test('a warehouse opened with a lease holds one until it is closed', async () => {
  const { root } = await testWarehouse()
  const leases = () => readdirSync(join(root, '.unfinished')).filter((name) => name.startsWith('reading-'))
  const reading = await openWarehouse({ root, lease: true })
  expect(leases()).toHaveLength(1)
  await reading.close()
  expect(leases()).toEqual([])
})

test('vacuum removes what a crashed writer left, but nothing that a commit under way may need', async () => {
  const warehouse = await threeDays()
  const log = warehouse.log('index_link')
  const folder = join(warehouse.root, 'index_link', 'published_date=2026-01-17')
  const day = (days: number) => new Date(Date.now() - days * 86_400_000)
  for (const [name, age] of [
    ['old', 8],
    ['young', 6],
    ['new', 0],
  ] as const) {
    writeFileSync(join(folder, `part-${name}.zstd.parquet`), 'half')
    utimesSync(join(folder, `part-${name}.zstd.parquet`), day(age), day(age))
  }
  writeFileSync(join(warehouse.root, '.unfinished', 'left'), 'half')
  utimesSync(join(warehouse.root, '.unfinished', 'left'), day(9), day(9))
  const live = (await log.snapshot()).files
  for (const file of live) utimesSync(join(warehouse.root, file.key), day(400), day(400))
  expect((await log.vacuum({ dry_run: true })).deleted).toHaveLength(2)
  expect([...(await log.vacuum()).deleted].sort()).toEqual([
    '.unfinished/left',
    'index_link/published_date=2026-01-17/part-old.zstd.parquet',
  ])
  expect((await log.vacuum({ retention_ms: 0 })).deleted).toEqual([
    'index_link/published_date=2026-01-17/part-young.zstd.parquet',
  ])
  expect((await log.verify()).violations).toEqual([])
})

test('an append during a compaction is no conflict; of two compactors the later one drops its file', async () => {
  const warehouse = await threeDays()
  let others: (() => Promise<unknown>) | null = null
  const compactor = await openWarehouse({
    root: warehouse.root,
    ports: {
      reach: async (point) => {
        const work = point === 'before-link' ? others : null
        others = null
        await work?.()
      },
    },
  })
  afterTest(() => compactor.close())
  const before = await everyRow(warehouse)
  others = () => warehouse.append('index_link', [linkRow('meanwhile')], step(50, recorded('2026-01-18T00:00:00Z')))
  const [first] = await compactor.log('index_link').compact({ published_date: '2026-01-15' })
  expect(first).toMatchObject({ committed: true })
  expect(await everyRow(warehouse)).toHaveLength(before.length + 1)

  others = () => warehouse.log('index_link').compact({ published_date: '2026-01-16' })
  const [second] = await compactor.log('index_link').compact({ published_date: '2026-01-16' })
  expect(second).toMatchObject({ committed: false, files_after: 4 })
  const folder = readdirSync(join(warehouse.root, 'index_link', 'published_date=2026-01-16'))
  expect(folder).toHaveLength(5) // four that were merged and the winner's one
  expect((await everyRow(warehouse)).slice(0, before.length)).toEqual(before)
  expect((await warehouse.log('index_link').verify()).violations).toEqual([])
})

test('a compaction of damaged files stops and names the file', async () => {
  const warehouse = await threeDays()
  const log = warehouse.log('index_link')
  const [file] = (await log.snapshot()).files
  writeFileSync(join(warehouse.root, file!.key), 'no parquet')
  await expect(log.compact()).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT', facts: { file: file!.key } })
  expect((await log.snapshot()).files).toHaveLength(12)
})
