import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { tableObjects } from '../../../warehouse/backup/table-objects.ts'
import { writeCheckpoint } from '../../../warehouse/log/checkpoint.ts'
import { commitKey, commitText, parseCommit } from '../../../warehouse/log/commit-text.ts'
import {
  archiveBefore,
  archiveObject,
  mergedObject,
  readArchive,
  writeArchive,
} from '../../../warehouse/log/log-archive.ts'
import type { TestPorts } from '../../../warehouse/log/log-context.ts'
import { refresh } from '../../../warehouse/log/refresh.ts'
import { tableContext } from '../../../warehouse/log/table-log.ts'
import { createParquetEngine } from '../../../warehouse/parquet/parquet-engine.ts'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import type { Store } from '../../../warehouse/store/store.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { afterTest, answerAsOf, tempFolder as folderOfTest, linkRow, step } from './fixtures.ts'

const base = join(tempFolder(), 'warehouse')
const TABLE = 'index_link'
const FULL = Array.from({ length: 10 }, (_, n) => archiveObject(TABLE, n * 1000, 10_000))
const MERGED = mergedObject(TABLE, 0)
const HEAD = 10_020
/** Text of each version. */
const texts: string[] = []

const engine = createParquetEngine()
const contextOf = (store: Store) =>
  tableContext(TABLE, { store, engine, ports: {}, writable: true, background: () => undefined })
const archive = (root: string) => readdirSync(join(root, TABLE, '_log_archive')).sort()
const namesOf = (objects: readonly { readonly key: string }[]) => objects.map(({ key }) => key.split('/').at(-1)!)

/** Makes a table of three appends and empty commits, whose archive has ten full objects, as an earlier release left it. */
beforeAll(async () => {
  const warehouse = await openWarehouse({ root: base, create: true })
  for (let n = 1; n <= 3; n++) await warehouse.append(TABLE, [linkRow(`v${n}`)], step(n))
  await warehouse.close()
  const store = openLocalStore(base)
  const context = contextOf(store)
  const { state } = context
  await refresh(context)
  for (let version = 0; version <= 3; version++) texts.push((await store.get(commitKey(TABLE, version)))!.toString())
  const { info } = parseCommit(TABLE, 3, Buffer.from(texts[3]!))
  for (let version = 4; version <= HEAD; version++) {
    const { commit_sha256, in_commit_ms, ...clock } = state.clock
    const ms = in_commit_ms + 1
    const start = version > 10_000 ? { log_start: 10_000 } : {}
    const next = { ...clock, ...start, in_commit_ms: ms, previous_sha256: commit_sha256 }
    const { text } = commitText({ ...info, inCommitTimestamp: ms, txnId: `t${version}` }, next, [])
    texts.push(text)
    state.applyCommit(parseCommit(TABLE, version, Buffer.from(text)))
    if (version >= 10_000) await store.putIfAbsent(commitKey(TABLE, version), Buffer.from(text))
    if (version === 10_000) await writeCheckpoint(context)
  }
  for (const object of FULL) await writeArchive(context, object, texts.slice(object.first, object.first + object.count))
  for (let version = 0; version <= 3; version++) await store.delete(commitKey(TABLE, version))
}, 60_000)

async function opened(root: string, ports: TestPorts = {}): Promise<Warehouse> {
  const warehouse = await openWarehouse({ root, ports })
  afterTest(() => warehouse.close())
  return warehouse
}

function copyOfBase(): string {
  const root = join(folderOfTest(), 'warehouse')
  cpSync(base, root, { recursive: true })
  return root
}

const clean = (warehouse: Warehouse) => warehouse.log(TABLE).vacuum({ retention_ms: 0 })

/** Reads commits on both sides of each end, in a process that has read nothing. */
async function expectCommits(root: string, versions = [0, 3, 999, 1000, 5432, 9999, 10_000, HEAD]): Promise<void> {
  const log = (await opened(root)).log(TABLE)
  for (const version of versions)
    expect(await log.commit(version)).toEqual(parseCommit(TABLE, version, Buffer.from(texts[version]!)))
}

test('ten full objects become one; commits, answers, the audit and a backup stay', async () => {
  const root = copyOfBase()
  const warehouse = await opened(root)
  const now = await warehouse.now()
  const before = await answerAsOf(warehouse, now)
  await expectCommits(root)
  expect((await clean(warehouse)).deleted.toSorted()).toEqual(FULL.map(({ key }) => key))
  expect(archive(root)).toEqual(['00000000000000000000-10000.parquet'])
  await expectCommits(root)
  expect(await (await opened(root)).log(TABLE).verify()).toMatchObject({ commits: HEAD + 1, rows: 3, violations: [] })
  expect(await answerAsOf(await opened(root), now)).toBe(before)
  const cut = { table: TABLE, version: HEAD, log_start: 10_000, files: [] }
  const objects = await tableObjects(openLocalStore(root), cut as unknown as Parameters<typeof tableObjects>[1])
  expect(objects.filter(({ key }) => key.includes('_log_archive')).map(({ key }) => key)).toEqual([MERGED.key])
  expect(objects.every(({ key }) => existsSync(join(root, key)))).toBe(true)
  expect(await clean(warehouse)).toEqual({ deleted: [], deleted_bytes: 0 })
})

test.each([
  ['archive-merged', 1],
  ...sized([1, 7], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).map((time) => ['log-file-removed', time] as const),
] as const)('a merge that ends at %s, time %i, is completed by the next one', async (end, time) => {
  const root = copyOfBase()
  let left: number = time
  const reach = async (point: string) => {
    if (point === end && --left === 0) throw new Error('killed')
  }
  await expect(clean(await opened(root, { reach }))).rejects.toThrow('killed')
  await expectCommits(root)
  let steps = 0
  const read = async () => {
    const { first, count } = FULL[steps++ % FULL.length]!
    const found = await readArchive(contextOf(openLocalStore(root)), archiveObject(TABLE, first, 10_000))
    expect(found).toEqual(texts.slice(first, first + count))
  }
  await clean(await opened(root, { reach: read }))
  expect(steps).toBeGreaterThan(0)
  expect(archive(root)).toEqual(['00000000000000000000-10000.parquet'])
  await expectCommits(root)
})

test('a reader that has named an object which is replaced meanwhile reads the merged one', async () => {
  const root = copyOfBase()
  const store = openLocalStore(root)
  const localPath = async (key: string) => {
    if (!existsSync(join(root, MERGED.key))) await clean(await opened(root))
    return store.localPath(key)
  }
  const read = await readArchive(contextOf({ ...store, localPath }), FULL[4]!)
  expect(read).toEqual(texts.slice(4000, 5000))
})

test('objects stay where the merged one has another text, or where one of the ten is missing', async () => {
  const root = copyOfBase()
  const store = openLocalStore(root)
  const others = texts.slice(0, 10_000).with(8765, texts[0]!)
  await writeArchive(contextOf(store), MERGED, others)
  await expect(clean(await opened(root))).rejects.toMatchObject({
    code: 'WAREHOUSE_CORRUPT',
    message: expect.stringContaining(MERGED.key),
  })
  expect(archive(root)).toHaveLength(11)
  const { violations } = await (await opened(root)).log(TABLE).verify()
  expect(violations.map(({ version, file }) => [version, file])).toContainEqual([8765, commitKey(TABLE, 8765)])
  await store.delete(MERGED.key)
  await store.delete(FULL[2]!.key)
  await clean(await opened(root))
  expect(archive(root)).toEqual(namesOf(FULL.filter((_, n) => n !== 2)))
})

test('a backup takes the merged object where its commits are all before the log', async () => {
  const root = copyOfBase()
  await clean(await opened(root))
  const before = async (log_start: number) =>
    namesOf(await archiveBefore({ store: openLocalStore(root), table: TABLE }, log_start))
  expect(await before(0)).toEqual([])
  expect((await before(9999)).slice(-1)).toEqual(['00000000000000009000-999.parquet'])
  expect(await before(10_000)).toEqual(namesOf([MERGED]))
  expect(await before(11_500)).toEqual([
    ...namesOf([MERGED]),
    '00000000000000010000-1000.parquet',
    '00000000000000011000-500.parquet',
  ])
})
