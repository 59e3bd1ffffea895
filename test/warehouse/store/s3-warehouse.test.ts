import { utimesSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import { checkDigests } from '../../../warehouse/audit/check-digests.ts'
import { recordDigests } from '../../../warehouse/audit/record-digests.ts'
import { fileVerifier } from '../../../warehouse/reader/verified-paths.ts'
import type { Store } from '../../../warehouse/store/store.ts'
import type { OpenOptions, Warehouse } from '../../../warehouse/warehouse.ts'
import { type ObjectServer, openMemoryStore, startObjectServer } from '../../support/object-server.ts'
import { answerAsOf, linkRow, linkRows, recorded, step, tempFolder, testWarehouse } from '../log/fixtures.ts'

let server: ObjectServer
beforeAll(async () => {
  server = await startObjectServer()
})
afterAll(() => server.close())

let prefixes = 0
/** A machine with a store over a new prefix, or over that of another machine. */
function machine(prefix = `machine/${++prefixes}`): Store {
  return openMemoryStore(server.url, prefix, tempFolder())
}

const openOn = (store: Store, options: Partial<OpenOptions> = {}) =>
  testWarehouse({ root: store.root, ...options, ports: { ...options.ports, store } })
const logOf = (warehouse: Warehouse) => warehouse.log('index_link')
const objectsOf = (store: Store, part: string) =>
  [...server.objects.keys()].filter((name) => name.startsWith(store.root.slice(5)) && name.includes(part))

test('a machine that begins reads many commits at once, and asks once whether they are the log', async () => {
  const store = machine()
  const writer = await openOn(store)
  for (let n = 1; n <= 40; n++) await writer.append('index_link', [linkRow(`r${n}`)], step(n))
  const other = await openOn(machine(store.root.slice('s3://bucket/'.length)), { create: false })
  server.requests.length = 0
  expect((await logOf(other).snapshot()).version).toBe(40)
  const looks = server.requests.filter((request) => request.startsWith('HEAD ') && request.includes('/index_link/'))
  // One for each round of 1, 2, 4, 8, 16 and the rest.
  expect(looks.length).toBeLessThanOrEqual(6)
})

test('rows, as_of, seals, compaction, audit and digests are those of a folder on every machine, and a lease keeps files', async () => {
  const store = machine()
  const warehouses = [await testWarehouse(), await openOn(store)]
  for (const warehouse of warehouses) {
    for (const n of [1, 2, 3]) {
      await warehouse.append('index_link', linkRows(2, `s${n}`), step(n, recorded(`2026-01-17T00:00:0${n}Z`)))
    }
  }
  const other = await openOn(machine(store.root.slice('s3://bucket/'.length)), { create: false, lease: true })
  for (const warehouse of warehouses) {
    await logOf(warehouse).checkpoint()
    expect(await recordDigests(warehouse, 'index_link')).toHaveLength(3)
    expect(await logOf(warehouse).compact({ published_date: '2026-01-17' })).toMatchObject([
      { rows: 6, files_after: 1 },
    ])
    await logOf(warehouse).sealForRead(toMicros('2026-01-17T01:00:00Z'))
  }
  const [here, there] = await Promise.all(
    [warehouses[0]!, other].map(async (warehouse) => {
      const snapshot = await logOf(warehouse).snapshot()
      const answers = ['01', '02', '03'].map((second) => answerAsOf(warehouse, toMicros(`2026-01-17T00:00:${second}Z`)))
      const digests = await checkDigests(warehouse, snapshot)
      const { violations } = await logOf(warehouse).verify()
      return { rows: snapshot.rows, answers: await Promise.all(answers), digests, violations }
    }),
  )
  expect(there).toEqual(here)
  expect(there).toMatchObject({ rows: 6, digests: { checked: 3, violations: [] }, violations: [] })
  expect((await logOf(other).closedThrough())! >= toMicros('2026-01-17T01:00:00Z')).toBe(true)
  const vacuum = () => logOf(warehouses[1]!).vacuum({ retention_ms: 0 })
  expect((await vacuum()).deleted).toEqual([]) // the lease of the other machine keeps them
  await other.close()
  expect((await vacuum()).deleted).toHaveLength(3)
})

test('a commit whose answer is lost is read back; without it the outcome is unknown and the repeated step is done once', async () => {
  const store = machine()
  const warehouse = await openOn(store, { ports: { pause: async () => undefined } })
  let faults: ('silent' | 'lost')[] = ['silent', 'lost']
  server.fault = (request) => (/^PUT .*_delta_log\/\d+\.json$/.test(request) ? (faults.shift() ?? null) : null)
  expect(await warehouse.append('index_link', [linkRow('a')], step(1))).toMatchObject({ version: 1, rows: 1 })
  const again = () => warehouse.append('index_link', [linkRow('b')], step(2))
  await expect(again()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  expect(objectsOf(store, '.unfinished/commit-')).toHaveLength(1)
  expect(await again()).toMatchObject({ version: 2, already_done: false })
  expect(objectsOf(store, '.unfinished/commit-')).toEqual([])
  expect(await again()).toMatchObject({ version: 2, already_done: true })
  faults = []
  expect((await logOf(warehouse).verify()).violations).toEqual([])
})

test('an object that was damaged or removed is named, by reads on other machines and by the audit of every one', async () => {
  const store = machine()
  const warehouse = await openOn(store)
  await warehouse.append('index_link', [linkRow('a')], step(1))
  const [name] = objectsOf(store, 'zstd.parquet') as [string]
  const bytes = server.objects.get(name)!
  const { files } = await logOf(warehouse).snapshot()
  const other = machine(store.root.slice('s3://bucket/'.length))
  const damages: [Buffer | null, string][] = [
    [bytes.map((byte) => byte ^ 1) as Buffer, 'its bytes do not have the hash its log states'],
    [bytes.subarray(1), `it has ${bytes.length - 1} bytes, its log says ${bytes.length}`],
    [null, 'it is missing'],
  ]
  for (const [damaged, detail] of damages) {
    if (damaged === null) server.objects.delete(name)
    else server.objects.set(name, damaged)
    await expect(fileVerifier(other)(files)).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT' })
    expect((await logOf(warehouse).verify()).violations).toMatchObject([{ rule: 'DATA_FILE_DAMAGED', detail }])
  }
  // This machine has written the file, so that its copy serves reads.
  expect(await fileVerifier(store)(files)).toHaveLength(1)
})

test('copies above the limit are removed once nothing has used them for an hour, the longest unused first', async () => {
  const store = machine()
  const large = Buffer.alloc(600_000)
  const made: string[] = []
  for (let n = 0; n < 3; n++) {
    large[0] = n
    await store.putIfAbsent(`t/${n}`, large)
    made.push(await store.localPath(`t/${n}`))
  }
  const fetched = async () => {
    const from = server.requests.length
    for (let n = 0; n < 3; n++)
      await store.remote!.copyOf({ key: `t/${n}`, size_bytes: 600_000, sha256: hashOf(made[n]!) }, false)
    return server.requests.slice(from).map((request) => request.slice(-3))
  }
  expect(await fetched()).toEqual([]) // all are leased
  utimesSync(made[0]!, 1, 1)
  utimesSync(made[1]!, 2, 2)
  await store.putIfAbsent('t/last', Buffer.from('x'))
  await store.localPath('t/last')
  expect(await fetched()).toEqual(['t/0', 't/1'])
})

const hashOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
