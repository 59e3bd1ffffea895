import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import { probeStore } from '../../../warehouse/store/probe-store.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { faultyStore, twoWinners } from '../store/faulty-store.ts'
import { answerAsOf, linkRow, linkRows, step, tempFolder, testWarehouse } from './fixtures.ts'

const logOf = (warehouse: Warehouse) => warehouse.log('index_link')

/** A writer whose store loses answers, and a list of its pauses; `onPause` runs in each. */
async function faultyWriter(onPause: () => unknown = () => undefined) {
  const root = join(tempFolder(), 'warehouse')
  const faulty = faultyStore(openLocalStore(root))
  const pauses: number[] = []
  const pause = async (ms: number) => {
    pauses.push(ms)
    await onPause()
  }
  const writer = await testWarehouse({ root, ports: { store: faulty.store, pause } })
  await writer.append('index_link', [linkRow('first')], step(1))
  return { root, writer, pauses, ...faulty }
}

async function isIntact(warehouse: Warehouse): Promise<void> {
  expect((await logOf(warehouse).verify()).violations).toEqual([])
}

const dataFiles = (root: string) =>
  readdirSync(join(root, 'index_link'), { recursive: true }).filter((name) => String(name).endsWith('zstd.parquet'))

test('a commit that took effect and whose repetition was refused is ours: its rows stay', async () => {
  const { writer, next, pauses } = await faultyWriter()
  next('repeated')
  const done = await writer.append('index_link', linkRows(3, 'a'), step(2))
  expect(done).toMatchObject({ version: 2, rows: 3, already_done: false })
  expect((await logOf(writer).snapshot()).rows).toBe(4)
  await isIntact(writer)
  expect(pauses).toEqual([])
})

test('a compaction, a seal and a new table know their own commits too', async () => {
  const { writer, next } = await faultyWriter()
  await writer.append('index_link', [linkRow('second')], step(2))
  const day = (await logOf(writer).snapshot()).files[0]!.published_date
  next('repeated')
  expect(await logOf(writer).compact({ published_date: day })).toMatchObject([{ committed: true, files_after: 1 }])
  next('repeated')
  const through = await writer.now()
  expect(await logOf(writer).seal(through)).toMatchObject({ version: 4, sealed_through: through })
  await isIntact(writer)
})

test('a commit without an answer that appears while it is looked for is reported as done', async () => {
  const faulty = await faultyWriter(async () => {
    if (faulty.pauses.length === 3) await faulty.land()
  })
  faulty.next('late')
  const done = await faulty.writer.append('index_link', linkRows(3, 'a'), step(2))
  expect(done).toMatchObject({ version: 2, rows: 3, already_done: false })
  expect(faulty.pauses).toEqual([50, 100, 200])
  await isIntact(faulty.writer)
})

test('one that appears later has its rows, and the repeated step finds it', async () => {
  const { writer, next, land, pauses } = await faultyWriter()
  next('late')
  const append = () => writer.append('index_link', linkRows(3, 'a'), step(2))
  await expect(append()).rejects.toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    message: expect.stringMatching(/run the same command again: what was written is found/),
    facts: { key: 'index_link/_delta_log/00000000000000000002.json' },
  })
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(9550)
  expect(await land()).toBe('placed')
  expect(await append()).toMatchObject({ version: 2, rows: 3, already_done: true })
  expect((await logOf(writer).snapshot()).rows).toBe(4)
  await isIntact(writer)
})

test.each(['lost', 'late'] as const)(
  'a %s write whose step is repeated first is there once; its first file is left to vacuum',
  async (fault) => {
    const { root, writer, next, land } = await faultyWriter()
    next(fault)
    const append = () => writer.append('index_link', linkRows(3, 'a'), step(2))
    await expect(append()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    expect(await append()).toMatchObject({ version: 2, rows: 3, already_done: false })
    if (fault === 'late') expect(await land()).toBe('taken')
    expect((await logOf(writer).snapshot()).rows).toBe(4)
    await isIntact(writer)
    expect(dataFiles(root)).toHaveLength(3)
    const store = openLocalStore(root)
    const later = { ...store, now: async () => (await store.now()) + 7_200_000_000 }
    const cleaner = await testWarehouse({ root, ports: { store: later } })
    expect((await logOf(cleaner).vacuum({ retention_ms: 0 })).deleted).toHaveLength(1)
    expect(dataFiles(root)).toHaveLength(2)
    await isIntact(cleaner)
  },
)

test('a commit that may still appear cannot change an answer that a reader has sealed', async () => {
  const { root, writer, next, land } = await faultyWriter()
  next('late')
  await expect(writer.append('index_link', linkRows(3, 'a'), step(2))).rejects.toMatchObject({
    code: 'OUTCOME_UNKNOWN',
  })
  const store = openLocalStore(root)
  const now = async () => (await store.now()) + 2_000_000 // the commit began longer ago than a reader waits
  const reader = await testWarehouse({ root, ports: { store: { ...store, now } } })
  const at = await writer.now()
  await logOf(reader).sealForRead(at)
  const before = await answerAsOf(reader, at)
  expect(await land()).toBe('taken')
  expect(await answerAsOf(reader, at)).toBe(before)
  const again = await writer.append('index_link', linkRows(3, 'a'), step(2))
  expect([toMicros(again.published_at) > at, again.already_done]).toEqual([true, false])
  expect(await store.announced()).toEqual([]) // its outcome is known by now
  await isIntact(reader)
})

test('a store that lets two writers win at once is refused, though it refuses the second of two in a row', async () => {
  const careless = twoWinners(openLocalStore(tempFolder()))
  await expect(probeStore(careless)).rejects.toMatchObject({
    code: 'WAREHOUSE_STORE_UNSUITABLE',
    facts: { seen: expect.stringMatching(/^\d+ of 16 writers won one name at once$/) },
  })
  const { remote: _, ...one_endpoint } = careless
  expect(await probeStore(one_endpoint)).toBe(true) // control: without the race
})
