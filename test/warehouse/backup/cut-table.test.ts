import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { utcDay } from '../../../primitives/instants.ts'
import { openCut, type TableCut } from '../../../warehouse/backup/cut-table.ts'
import { pointsInto, tableObjects } from '../../../warehouse/backup/table-objects.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { sized } from '../../support/sized.ts'
import { afterTest, answerAsOf, linkRow, step, tempFolder, testWarehouse } from '../log/fixtures.ts'

/** Makes a warehouse of the objects of a cut alone. */
async function copyOf(warehouse: Warehouse, cut: TableCut): Promise<Warehouse> {
  const root = join(tempFolder(), 'restored')
  const put = (key: string) => {
    mkdirSync(dirname(join(root, key)), { recursive: true })
    cpSync(join(warehouse.root, key), join(root, key))
  }
  put('warehouse.json')
  for (const { key } of await tableObjects(warehouse.store, cut)) put(key)
  const copy = await openWarehouse({ root })
  afterTest(() => copy.close())
  return copy
}

const ACTS = ['append', 'append', 'append', 'compact', 'seal', 'checkpoint', 'clean'] as const
const BEFORE = ACTS
/** Without clean-up, which removes files at once here: a lease keeps them while another process copies them. */
const MEANWHILE = ACTS.filter((act) => act !== 'clean')

/** Does acts of a writer and of upkeep, chosen by chance. */
async function disturb(
  warehouse: Warehouse,
  random: () => number,
  acts: readonly string[],
  name: string,
): Promise<void> {
  const log = warehouse.log('index_link')
  for (let n = 1; n <= 5; n++) {
    const act = pick(acts, random)
    if (act === 'append')
      await warehouse.append('index_link', [linkRow(`${name}${n}`)], step(n, { kind: 'wall' }, name))
    else if (act === 'compact') await log.compact({ published_date: utcDay(await warehouse.now()) })
    else if (act === 'seal') await log.seal(await warehouse.now())
    else if (act === 'checkpoint') await log.checkpoint()
    else await log.vacuum({ retention_ms: 0 })
  }
}

test.each(Array.from({ length: sized(3, 60) }, (_, n) => n + 1))(
  'a cut has every row published through its instant and none later, whatever upkeep does meanwhile (seed %i)',
  async (seed) => {
    const random = seededRandom(seed)
    const warehouse = await testWarehouse()
    await warehouse.append('index_link', [linkRow('first')], step(1))
    await disturb(warehouse, random, BEFORE, 'before')
    const opened = await openCut(warehouse)
    await disturb(warehouse, random, MEANWHILE, 'after')
    await warehouse.append('index_link', [linkRow('last')], step(2))
    const cut = (await opened.table('index_link'))!
    const expected = await answerAsOf(warehouse, opened.through)
    expect(cut.files.every(({ stamp_max }) => stamp_max <= opened.through)).toBe(true)
    const copy = await copyOf(warehouse, cut)
    const log = copy.log('index_link')
    expect(await answerAsOf(copy, opened.through)).toBe(expected)
    expect(await answerAsOf(copy, await copy.now())).toBe(expected)
    expect(await log.snapshot()).toMatchObject({
      version: cut.version,
      commit_sha256: cut.commit_sha256,
      rows: cut.rows,
    })
    expect((await log.verify()).violations).toEqual([])
  },
)

test('a compaction after the instant, and commits in the archive, are in the cut; the instant is sealed when it is chosen', async () => {
  const warehouse = await testWarehouse()
  const log = warehouse.log('index_link')
  const append = (n: number) => warehouse.append('index_link', [linkRow(`v${n}`)], step(n))
  for (let n = 1; n <= 6; n++) {
    await append(n)
    if (n % 2 === 0) await log.checkpoint()
  }
  await log.vacuum({ retention_ms: 0 })
  const opened = await openCut(warehouse)
  expect(await log.closedThrough()).toBeGreaterThanOrEqual(opened.through)
  await log.compact({ published_date: utcDay(await warehouse.now()) })
  await append(7)
  const cut = (await opened.table('index_link'))!
  expect(cut).toMatchObject({ rows: 6, files: { length: 1 } })
  expect(cut.log_start).toBeGreaterThan(0)
  const copied = (await copyOf(warehouse, cut)).log('index_link')
  expect(await copied.verify()).toMatchObject({ commits: cut.version + 1, rows: 6, violations: [] })
})

test('a pointer to a checkpoint is kept only if its version is in the cut', () => {
  const cut = { log_start: 10, version: 60 } as TableCut
  const pointer = (version: unknown) => Buffer.from(JSON.stringify({ version }))
  expect([9, 10, 50, 60, 61, 'x'].map((version) => pointsInto(pointer(version), cut))).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
  ])
  expect(pointsInto(Buffer.from('{'), cut)).toBe(false)
})

test('a table without a version has no cut, and a last stamp that stays ahead of the clock is refused', async () => {
  const warehouse = await testWarehouse()
  await warehouse.append('index_link', [linkRow('a')], step(1))
  const behind = { ...warehouse, now: async () => 1 }
  await expect(openCut(behind)).rejects.toMatchObject({ code: 'WAREHOUSE_CLOCK_SKEW' })
  const root = join(tempFolder(), 'bare')
  mkdirSync(root)
  writeFileSync(join(root, 'warehouse.json'), '{"format":1,"warehouse_id":"x"}\n')
  const bare = await openWarehouse({ root })
  afterTest(() => bare.close())
  expect(await (await openCut(bare)).table('index_link')).toBeNull()
})
