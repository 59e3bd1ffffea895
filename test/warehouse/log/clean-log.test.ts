import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Micros } from '../../../primitives/instants.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { afterTest, answerAsOf, tempFolder as folderOfTest, linkRow, step, testWarehouse } from './fixtures.ts'

const START = toMicros('2026-01-10T00:00:00Z')
const at = (n: number): Micros => START + n * 1_000_000
const recordedAt = (n: number) => step(n, { kind: 'recorded', at: at(n) })
const filesOf = ({ root }: Warehouse, folder: string) => {
  try {
    return readdirSync(join(root, 'index_link', folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}
const commitsOf = (warehouse: Warehouse) =>
  filesOf(warehouse, '_delta_log').filter((name) => /^\d{20}\.json$/.test(name))

async function append(warehouse: Warehouse, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) await warehouse.append('index_link', [linkRow(`v${n}`)], recordedAt(n))
}

async function opened(root: string, ports: Parameters<typeof openWarehouse>[0]['ports'] = {}): Promise<Warehouse> {
  const warehouse = await openWarehouse({ root, ports })
  afterTest(() => warehouse.close())
  return warehouse
}

const base = join(tempFolder(), 'warehouse')

/** Commits, checkpoints after some of them, and more commits: two checkpoints stay, and the first commits may go. */
beforeAll(async () => {
  const warehouse = await openWarehouse({ root: base, create: true })
  const log = warehouse.log('index_link')
  await append(warehouse, 1, 12)
  await log.checkpoint()
  await append(warehouse, 13, 20)
  await log.checkpoint()
  await append(warehouse, 21, 24)
  await warehouse.close()
})

/** Opens a copy of it. */
async function withCheckpoints(): Promise<Warehouse> {
  const root = join(folderOfTest(), 'warehouse')
  cpSync(base, root, { recursive: true })
  return opened(root)
}

const clean = (warehouse: Warehouse) => warehouse.log('index_link').vacuum({ retention_ms: 0 })

test('commits behind an old checkpoint move to the archive; every answer and every commit stays', async () => {
  const warehouse = await withCheckpoints()
  const log = warehouse.log('index_link')
  const every = Array.from({ length: 25 }, (_, n) => n)
  // In the fast lane those on both sides of the archive's end and of the checkpoints.
  const instants = sized([0, 11, 12, 13, 20, 21, 24], every).map(at)
  const before = await Promise.all(instants.map((instant) => answerAsOf(warehouse, instant)))
  const commits = await Promise.all(every.map((version) => log.commit(version)))
  const { files, rows, transactions } = await log.snapshot()
  await clean(warehouse)
  expect(commitsOf(warehouse).map((name) => Number(name.slice(0, 20)))).toEqual([
    12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
  ])
  expect(filesOf(warehouse, '_log_archive')).toEqual(['00000000000000000000-12.parquet'])
  expect(filesOf(warehouse, '_delta_log').filter((name) => name.includes('checkpoint.'))).toHaveLength(2)
  for (const one of [warehouse, await opened(warehouse.root)]) {
    expect(await one.log('index_link').snapshot()).toMatchObject({ version: 25, files, rows, transactions })
    expect(await Promise.all(instants.map((instant) => answerAsOf(one, instant)))).toEqual(before)
    expect(await Promise.all(commits.map((_, version) => one.log('index_link').commit(version)))).toEqual(commits)
    expect(await one.log('index_link').verify()).toMatchObject({ commits: 26, violations: [] })
    expect(await one.append('index_link', [linkRow('v3')], recordedAt(3))).toMatchObject({
      already_done: true,
      version: 3,
    })
  }
  expect(await clean(warehouse)).toEqual({ deleted: [], deleted_bytes: 0 })
})

test('younger commits than the retention stay, and a dry run removes nothing', async () => {
  const warehouse = await withCheckpoints()
  const log = warehouse.log('index_link')
  expect((await log.vacuum({ retention_ms: 3_600_000 })).deleted).toEqual([])
  expect((await log.vacuum({ retention_ms: 0, dry_run: true })).deleted).toHaveLength(12)
  expect(commitsOf(warehouse)).toHaveLength(25)
})

test('a tail gets every version once, in order, also those that were archived', async () => {
  const warehouse = await withCheckpoints()
  await clean(warehouse)
  const stop = new AbortController()
  const seen: number[] = []
  for await (const { version } of warehouse.log('index_link').tail({ after_version: -1, signal: stop.signal })) {
    seen.push(version)
    if (version === 25) break
  }
  expect(seen).toEqual(Array.from({ length: 26 }, (_, n) => n))
})

test('a process that slept while another cleaned continues to read and to write', async () => {
  const warehouse = await withCheckpoints()
  const asleep = await opened(warehouse.root)
  await asleep.log('index_link').snapshot()
  await append(warehouse, 25, 30)
  await warehouse.log('index_link').checkpoint()
  await append(warehouse, 31, 32)
  await warehouse.log('index_link').checkpoint()
  await clean(warehouse)
  expect(commitsOf(warehouse)[0]).toContain('30.json')
  expect(await asleep.log('index_link').next(24)).toMatchObject({ version: 25 })
  expect(await asleep.log('index_link').snapshot()).toEqual(await warehouse.log('index_link').snapshot())
  await append(asleep, 33, 33)
  expect((await warehouse.log('index_link').verify()).violations).toEqual([])
})

test('a writer that slept before it took a version that is archived by now takes the next one', async () => {
  const warehouse = await withCheckpoints()
  let slept = false
  const reach = async (point: string) => {
    if (point !== 'before-link' || slept) return
    slept = true
    await append(warehouse, 26, 30)
    await warehouse.log('index_link').checkpoint()
    await append(warehouse, 31, 31)
    await warehouse.log('index_link').checkpoint()
    await clean(warehouse)
  }
  const writer = await opened(warehouse.root, { reach })
  const done = await writer.append('index_link', [linkRow('late')], step(1, { kind: 'recorded', at: at(99) }, 'writer'))
  expect(done.version).toBe(32)
  expect(commitsOf(warehouse)[0]).toContain('29.json')
  expect((await warehouse.log('index_link').verify()).violations).toEqual([])
})

test.each(['archived', 'before-link', 'after-link', 'start-stated', 'log-file-removed'])(
  'a clean-up that ends at %s is completed by the next one',
  async (end) => {
    const warehouse = await withCheckpoints()
    const before = await answerAsOf(warehouse, at(24))
    let removed = 0
    const reach = (point: string) => {
      if (point !== end || (end === 'log-file-removed' && ++removed < 5)) return
      throw new Error('killed')
    }
    const killed = await opened(warehouse.root, { reach })
    await expect(clean(killed)).rejects.toThrow('killed')
    await append(warehouse, 25, 26)
    const next = await opened(warehouse.root)
    expect((await next.log('index_link').verify()).violations).toEqual([])
    await clean(next)
    expect(commitsOf(next)[0]).toContain('12.json')
    expect(filesOf(next, '_log_archive')).toEqual(['00000000000000000000-12.parquet'])
    expect((await next.log('index_link').verify()).violations).toEqual([])
    expect(await answerAsOf(next, at(24))).toBe(before)
  },
)

test('without its last checkpoint or the pointer to it, a start takes the one before', async () => {
  const warehouse = await withCheckpoints()
  await clean(warehouse)
  const store = openLocalStore(warehouse.root)
  const expected = await warehouse.log('index_link').snapshot()
  await store.delete('index_link/_delta_log/_last_checkpoint')
  expect(await (await opened(warehouse.root)).log('index_link').snapshot()).toEqual(expected)
  await store.delete('index_link/_delta_log/00000000000000000020.checkpoint.parquet')
  expect(await (await opened(warehouse.root)).log('index_link').snapshot()).toEqual(expected)
  await store.delete('index_link/_delta_log/00000000000000000012.checkpoint.parquet')
  await expect((await opened(warehouse.root)).log('index_link').snapshot()).rejects.toMatchObject({
    code: 'WAREHOUSE_CORRUPT',
  })
})

test('a damaged archive is named by an audit', async () => {
  const warehouse = await withCheckpoints()
  await clean(warehouse)
  const key = 'index_link/_log_archive/00000000000000000000-12.parquet'
  const store = openLocalStore(warehouse.root)
  await store.replace(key, Buffer.from('damaged'))
  const { violations } = await (await opened(warehouse.root)).log('index_link').verify()
  expect(violations.map(({ rule, file }) => [rule, file])).toContainEqual(['LOG_ARCHIVE_DAMAGED', key])
})

test('a table that is written for ever has a bounded number of files', { timeout: 120_000 }, async () => {
  const warehouse = await testWarehouse()
  const log = warehouse.log('index_link')
  const turns = sized(2, 12)
  const most: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    await append(warehouse, turn * 110 + 1, turn * 110 + 110)
    await log.idle()
    await log.compact()
    await clean(warehouse)
    most.push(filesOf(warehouse, '.').length)
  }
  expect(Math.max(...most)).toBeLessThan(330)
  expect(most.at(-1)! - most[1]!).toBeLessThanOrEqual(60)
  expect((await log.verify()).violations).toEqual([])
})
