import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { type LocalFiles, NODE_FILES, openLocalStore } from '../../../warehouse/store/local-store.ts'
import { probeStore } from '../../../warehouse/store/probe-store.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { childArgv } from '../../support/child-argv.ts'
import { afterTest, linkRow, linkRows, recorded, step, tempFolder, testWarehouse } from '../log/fixtures.ts'
import { testStoreContract } from './store-contract.ts'

const failing = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error(`${code}: test`), { code })
}

testStoreContract('local folder', async () => {
  const root = tempFolder()
  return [openLocalStore(root), openLocalStore(root)]
})

test('no unfinished file is left', async () => {
  const store = openLocalStore(tempFolder())
  for (const text of ['one', 'two']) await store.putIfAbsent('a/b/c', Buffer.from(text))
  await store.replace('a/b/c', Buffer.from('three'))
  expect(readdirSync(join(store.root, '.unfinished'))).toEqual([])
})

test('a store without hard links, or whose conditional put is none, is refused at start', async () => {
  for (const code of ['EPERM', 'ENOTSUP']) {
    const store = openLocalStore(tempFolder(), { ...NODE_FILES, link: failing(code) })
    await expect(openWarehouse({ root: store.root, create: true, ports: { store } })).rejects.toMatchObject({
      code: 'WAREHOUSE_STORE_UNSUITABLE',
      message: expect.stringContaining(`a hard link was refused (${code})`),
    })
  }
  const store = openLocalStore(tempFolder())
  const careless = {
    ...store,
    putIfAbsent: async (key: string, bytes: Uint8Array) => store.replace(key, bytes).then(() => 'placed' as const),
  }
  await expect(probeStore(careless)).rejects.toMatchObject({ code: 'WAREHOUSE_STORE_UNSUITABLE' })
})

/** The real calls, each written down by what it works on; uuids and days shortened. */
function recordingFiles(root: string, calls: string[]): LocalFiles {
  const name = (path: string) =>
    (relative(root, path) || '.')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'UUID')
      .replace(/published_date=\S{10}/, 'DAY')
      .replace(/0{10,}/, '')
  return {
    write: (path, bytes) => NODE_FILES.write(path, bytes).finally(() => calls.push(`write ${name(path)}`)),
    syncFile: (path) => NODE_FILES.syncFile(path).finally(() => calls.push(`sync file ${name(path)}`)),
    syncFolder: (path) => NODE_FILES.syncFolder(path).finally(() => calls.push(`sync folder ${name(path)}`)),
    link: (from, to) => NODE_FILES.link(from, to).finally(() => calls.push(`link ${name(to)}`)),
  }
}

test('order of a commit: data file and every new folder flushed, then the log entry flushed, linked, and its folder flushed', async () => {
  const root = join(tempFolder(), 'warehouse')
  const calls: string[] = []
  const store = openLocalStore(root, recordingFiles(root, calls))
  const warehouse = await testWarehouse({ root, ports: { store } })
  calls.length = 0
  await warehouse.append('index_link', [linkRow('a')], step(1, recorded('2026-01-17T00:00:00Z')))
  const entry = [
    'write .unfinished/UUID',
    'sync file .unfinished/UUID',
    'link index_link/_delta_log/1.json',
    'sync folder index_link/_delta_log',
  ]
  expect(calls).toEqual([
    'sync folder index_link', // the new day's name
    'sync folder .',
    'sync file index_link/DAY/part-UUID.zstd.parquet',
    'sync folder index_link/DAY',
    ...entry,
  ])
  calls.length = 0
  await warehouse.append('index_link', [linkRow('b')], step(2, recorded('2026-01-17T00:00:01Z')))
  expect(calls).toEqual([
    'sync file index_link/DAY/part-UUID.zstd.parquet',
    'sync folder index_link/DAY',
    ...entry.map((call) => call.replace('/1.json', '/2.json')),
  ])
})

test('a warehouse in folders that were not there yet flushes each of them, up to the one that was', async () => {
  const folder = tempFolder()
  const root = join(folder, 'new/deep')
  const calls: string[] = []
  await openLocalStore(root, recordingFiles(folder, calls)).putIfAbsent('a/b', Buffer.from('x'))
  expect(calls.filter((call) => call.startsWith('sync folder'))).toEqual([
    'sync folder new/deep',
    'sync folder new',
    'sync folder .',
    'sync folder new/deep', // for .unfinished
    'sync folder new/deep/a',
  ])
})

test('the kernel is asked in that order too, and nothing is acknowledged before the last flush', () => {
  const strace = ['/usr/bin/strace', '/usr/local/bin/strace'].find((path) => existsSync(path))
  if (strace === undefined) {
    console.warn('strace is not installed: the order of system calls is checked by the recorded calls only')
    return
  }
  const folder = tempFolder()
  const trace = join(folder, 'trace')
  const script = join(import.meta.dirname, '../log/children/append-writer.ts')
  const root = join(folder, 'warehouse')
  const task = JSON.stringify({ root, create: true, app_id: 'a', first_sequence: 1, steps: 1 })
  execFileSync(strace, [
    '-f',
    '-y',
    '-o',
    trace,
    '-e',
    'trace=fsync,link,linkat,write',
    process.execPath,
    ...childArgv(script, task),
  ])
  const lines = readFileSync(trace, 'utf8').split('\n')
  const place = (pattern: RegExp) => lines.findLastIndex((line) => pattern.test(line))
  const data = place(/fsync\(\d+<.*index_link\/published_date=.*\.parquet>/)
  const day = place(/fsync\(\d+<.*index_link\/published_date=[\d-]+>\)/)
  const linked = place(/link(at)?\(.*index_link\/_delta_log\/0+1\.json"/)
  const log = place(/fsync\(\d+<.*index_link\/_delta_log>\)/)
  const told = place(/write\(1<.*sequence/)
  expect([data, day, linked, log, told].every((at) => at >= 0)).toBe(true)
  expect([data, day, linked, log, told]).toEqual([data, day, linked, log, told].sort((a, b) => a - b))
})

/** Names of all files below a folder, without the uuid parts. */
const filesBelow = (root: string) =>
  (readdirSync(root, { recursive: true }) as string[]).filter((name) => statSync(join(root, name)).isFile()).sort()

test.each(['write', 'syncFile', 'syncFolder', 'link'] as const)(
  'a disk that is full at %s: WAREHOUSE_STORE_FULL, nothing left behind, and the same step succeeds later',
  async (call) => {
    const root = join(tempFolder(), 'warehouse')
    let full = false
    const failures: LocalFiles = {
      ...NODE_FILES,
      [call]: (...given: [string, never]) =>
        full ? failing('ENOSPC')() : (NODE_FILES[call] as (...g: [string, never]) => Promise<void>)(...given),
    }
    const warehouse = await testWarehouse({ root, ports: { store: openLocalStore(root, failures) } })
    await warehouse.append('index_link', [linkRow('a')], step(1))
    const before = filesBelow(root)
    full = true
    await expect(warehouse.append('index_link', [linkRow('b')], step(2))).rejects.toMatchObject({
      code: 'WAREHOUSE_STORE_FULL',
    })
    expect(filesBelow(root)).toEqual(before)
    full = false
    expect(await warehouse.append('index_link', [linkRow('b')], step(2))).toMatchObject({
      version: 2,
      already_done: false,
    })
    expect((await warehouse.log('index_link').verify()).violations).toEqual([])
  },
)

test('a flush that fails after the link: the step is reported as failed, its rows are there, and the retry finds them', async () => {
  const root = join(tempFolder(), 'warehouse')
  let broken = false
  const syncFolder = (path: string) =>
    broken && path.endsWith('_delta_log') ? failing('EIO')() : NODE_FILES.syncFolder(path)
  const warehouse = await testWarehouse({ root, ports: { store: openLocalStore(root, { ...NODE_FILES, syncFolder }) } })
  broken = true
  await expect(warehouse.append('index_link', linkRows(3, 'a'), step(1))).rejects.toMatchObject({ code: 'EIO' })
  broken = false
  expect(await warehouse.append('index_link', linkRows(3, 'a'), step(1))).toMatchObject({
    version: 1,
    rows: 3,
    already_done: true,
  })
  expect((await warehouse.log('index_link').verify()).violations).toEqual([])
})

test('a really full disk (a small tmpfs): the same, for the data file that DuckDB writes', async () => {
  const mount = join(tempFolder(), 'small')
  mkdirSync(mount)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'tmpfs', mount], { stdio: 'pipe' })
  } catch {
    console.warn('no tmpfs can be mounted here (not root): the full disk is tested by injected errors only')
    return
  }
  // Lazily: a file of it may still be open in this process, which other test files share.
  afterTest(() => execFileSync('umount', ['--lazy', mount]))
  const root = join(mount, 'warehouse')
  const warehouse = await testWarehouse({ root })
  await warehouse.append('index_link', linkRows(10, 'a'), step(1))
  const before = filesBelow(root)
  const incompressible = (length: number) => Array.from({ length }, () => Math.random().toString(36).slice(2)).join('')
  const large = Array.from({ length: 2_000 }, (_, i) => linkRow(`b${i}`, { correction_reason: incompressible(150) }))
  await expect(warehouse.append('index_link', large, step(2))).rejects.toMatchObject({ code: 'WAREHOUSE_STORE_FULL' })
  expect(filesBelow(root)).toEqual(before)
  // Fill what is left, so that the small files of the log are what does not fit.
  const filler = join(mount, 'filler')
  for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) {
    try {
      writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' })
    } catch {
      // the next smaller piece
    }
  }
  await expect(warehouse.append('index_link', linkRows(10, 'c'), step(3))).rejects.toMatchObject({
    code: 'WAREHOUSE_STORE_FULL',
  })
  expect(filesBelow(root)).toEqual(before)
  writeFileSync(filler, '')
  await warehouse.append('index_link', linkRows(10, 'c'), step(3))
  expect(await warehouse.log('index_link').verify()).toMatchObject({ rows: 20, violations: [] })
})

test('a store that may only be read can be opened and read; a write says so in one sentence', async () => {
  const root = join(tempFolder(), 'warehouse')
  const writer = await testWarehouse({ root })
  await writer.append('index_link', linkRows(2, 'a'), step(1))
  for (const code of ['EROFS', 'EACCES']) {
    const files = { ...NODE_FILES, write: failing(code) }
    const reader = await testWarehouse({ root, create: false, ports: { store: openLocalStore(root, files) } })
    expect((await reader.log('index_link').snapshot()).rows).toBe(2)
    await expect(reader.append('index_link', linkRows(1, 'b'), step(2))).rejects.toMatchObject({
      code: 'WAREHOUSE_STORE_UNSUITABLE',
      message: expect.stringMatching(
        /cannot be written( \(E\w+ at .+\))?; allowed: a folder that this user may write to$/,
      ),
    })
    await expect(reader.log('index_link').seal(await reader.now())).rejects.toMatchObject({
      code: 'VALIDATION_AS_OF_UNAVAILABLE',
    })
  }
  expect((await writer.log('index_link').verify()).violations).toEqual([])
})

test('a folder that is no warehouse is not found; one of another format is refused', async () => {
  const root = tempFolder()
  await expect(openWarehouse({ root })).rejects.toMatchObject({ code: 'WAREHOUSE_NOT_FOUND' })
  await expect(openWarehouse({ root: join(root, 'missing') })).rejects.toMatchObject({ code: 'WAREHOUSE_NOT_FOUND' })
  expect(readdirSync(root)).toEqual([])
  writeFileSync(join(root, 'warehouse.json'), '{"format":2}')
  await expect(openWarehouse({ root })).rejects.toMatchObject({
    code: 'WAREHOUSE_SCHEMA_CHANGED',
    message: expect.stringContaining('has format 2, which a later release wrote; allowed: 1'),
  })
  for (const damaged of ['{"format":1', '{"format":0}', 'null']) {
    writeFileSync(join(root, 'warehouse.json'), damaged)
    await expect(openWarehouse({ root })).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT' })
  }
})
