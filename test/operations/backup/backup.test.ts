import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contentPath } from '../../../operations/backup/backup-target.ts'
import { checkBackup, describeBackups } from '../../../operations/backup/describe-backups.ts'
import { type BackupManifest, listBackups, manifestPath, readManifest } from '../../../operations/backup/manifest.ts'
import { manyAtOnce } from '../../../operations/backup/many-at-once.ts'
import { contentsOf } from '../../../operations/backup/verify-backup.ts'
import { contentHash } from '../../../primitives/canonical-json.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { lockHome } from '../../../service/up/lock-home.ts'
import { checkDigests } from '../../../warehouse/audit/check-digests.ts'
import { recordDigests } from '../../../warehouse/audit/record-digests.ts'
import { noteSimulatedVenues, readSimulatedVenues } from '../../../warehouse/simulated-venues.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { reachMemoryServer, startObjectServer } from '../../support/object-server.ts'
import { answerAsOf, linkRow, step } from '../../warehouse/log/fixtures.ts'
import { smallHome } from './small-home.ts'

test('a restored home answers as the source did at the instant of the backup, and goes on from there', async () => {
  const { append, backUp, restore, open, warehouse, home, folder } = await smallHome()
  const { manifest } = await backUp()
  const through = toMicros(manifest.backed_up_through)
  await append('later')
  expect(await restore('restored')).toMatchObject({ missing_keys: ['log.key', 'sandbox/accounts.json'] })
  const restored = await open('restored')
  const expected = await answerAsOf(warehouse, through)
  expect(expected).toMatch(/^3 rows/)
  expect(await answerAsOf(restored, through)).toBe(expected)
  expect(await answerAsOf(restored, await restored.now())).toBe(expected)
  expect((await restored.log('index_link').verify()).violations).toEqual([])
  // The answer through the instant stays final: nothing can be stamped at or before it.
  expect(await restored.log('index_link').closedThrough()).toBeGreaterThanOrEqual(through)
  const at = join(folder, 'restored')
  expect(readdirSync(at).sort()).toEqual(['complaints', 'definitions', 'roster.yaml', 'warehouse'])
  expect(readFileSync(join(at, 'roster.yaml'))).toEqual(readFileSync(join(home, 'roster.yaml')))
  expect(statSync(join(at, 'complaints', 'one.json')).mode & 0o777).toBe(0o600)
  expect(manifest.left_out.map(({ path }) => path)).toEqual(['link', 'postgres', 'temporal', 'up.lock'])
})

test('a warehouse in an object store is backed up, and restored into a folder or into another one', async () => {
  const { backUp, restore, home, folder, open } = await smallHome()
  const server = await startObjectServer()
  onTestFinished(() => server.close())
  reachMemoryServer(server.url, join(folder, 'copies'))
  const warehouse = await openWarehouse({ root: 's3://bucket/one', create: true })
  onTestFinished(() => warehouse.close())
  for (const n of [1, 2, 3]) await warehouse.append('index_link', [linkRow(`s${n}`)], step(n))
  await warehouse.log('index_link').checkpoint()
  await recordDigests(warehouse, 'index_link')
  await noteSimulatedVenues(warehouse.root, ['kalshi'])
  mkdirSync(join(home, 'log'))
  writeFileSync(join(home, 'log', 'writer.lock'), '')
  const { manifest } = await backUp({ warehouse })
  expect(manifest.files.map(({ path }) => path).filter((path) => path.startsWith('log/'))).toEqual([])
  // The warehouse that the home has besides is another one.
  expect(manifest.left_out.map(({ path }) => path)).toContain('warehouse')
  const through = toMicros(manifest.backed_up_through)
  const expected = await answerAsOf(warehouse, through)
  expect(expected).toMatch(/^3 rows/)
  await restore('in-folder')
  await restore('in-store', { warehouse_root: 's3://bucket/two' })
  const other = await openWarehouse({ root: 's3://bucket/two' })
  onTestFinished(() => other.close())
  for (const restored of [await open('in-folder'), other]) {
    expect(await answerAsOf(restored, through)).toBe(expected)
    const log = restored.log('index_link')
    expect(await checkDigests(restored, await log.snapshot())).toMatchObject({ checked: 3, violations: [] })
    expect((await log.verify()).violations).toEqual([])
    expect(await log.closedThrough()).toBeGreaterThanOrEqual(through)
    expect([...(await readSimulatedVenues(restored.root))]).toEqual(['kalshi'])
  }
  await expect(restore('again', { warehouse_root: 's3://bucket/two' })).rejects.toThrow(
    'allowed: a prefix of a bucket without objects',
  )
})

test('what the folder has is not copied again, and only its owner may read it', async () => {
  const { append, backUp, target } = await smallHome()
  const first = await backUp()
  expect(first).toMatchObject({ written_files: first.files, written_bytes: first.bytes })
  const again = await backUp()
  expect(again).toMatchObject({ written_files: 0, written_bytes: 0, files: first.files })
  await append('d')
  // A commit and its data file.
  expect((await backUp()).written_files).toBe(2)
  expect(await listBackups(target)).toHaveLength(3)
  for (const { sha256 } of contentsOf(first.manifest))
    expect(statSync(contentPath(target, sha256)).mode & 0o077).toBe(0)
})

test('keys are encrypted under the passphrase, or left out', async () => {
  const { backUp, restore, folder, target } = await smallHome()
  const { manifest } = await backUp({ passphrase: 'correct horse battery' })
  const sealed = readFileSync(contentPath(target, manifest.keys.content!.sha256))
  expect(sealed.includes('secret')).toBe(false)
  for (const { sha256 } of contentsOf(manifest)) {
    expect(readFileSync(contentPath(target, sha256)).includes('private_key')).toBe(false)
  }
  const wrong = restore('wrong', { passphrase: 'another horse battery' })
  await expect(wrong).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
  expect(existsSync(join(folder, 'wrong'))).toBe(false)
  expect(await restore('right', { passphrase: 'correct horse battery' })).toMatchObject({ missing_keys: [] })
  expect(readFileSync(join(folder, 'right', 'log.key'), 'utf8')).toContain('secret')
  expect(statSync(join(folder, 'right', 'log.key')).mode & 0o777).toBe(0o600)
  expect(await restore('without')).toMatchObject({ missing_keys: manifest.keys.paths })
  expect(existsSync(join(folder, 'without', 'log.key'))).toBe(false)
})

test('a damaged or missing content is named, and nothing is restored', async () => {
  const { backUp, restore, folder, target } = await smallHome()
  const { manifest, files, bytes } = await backUp({ passphrase: 'correct horse battery' })
  expect(await checkBackup(target, null)).toEqual({ backup_id: manifest.backup_id, files, bytes })
  const data = manifest.files.find(({ path }) => path.endsWith('.zstd.parquet'))!
  const commit = manifest.files.find(({ path }) => path.endsWith('.json') && path.includes('_delta_log'))!
  for (const { sha256, name } of [
    { ...data, name: data.path },
    { ...commit, name: commit.path },
  ]) {
    const path = contentPath(target, sha256)
    const whole = readFileSync(path)
    const flipped = Buffer.from(whole)
    flipped[Math.floor(whole.length / 2)]! ^= 1
    const cut = whole.subarray(0, -1)
    for (const damaged of [flipped, cut, null]) {
      if (damaged === null) rmSync(path)
      else writeFileSync(path, damaged)
      await expect(checkBackup(target, null)).rejects.toMatchObject({ code: 'BACKUP_CORRUPT', facts: { file: name } })
      await expect(restore('damaged')).rejects.toMatchObject({ code: 'BACKUP_CORRUPT', facts: { file: name } })
      expect(existsSync(join(folder, 'damaged'))).toBe(false)
      writeFileSync(path, whole)
    }
  }
})

/** Changes a manifest and states its hash anew, as one of another program would be. */
function rewrite(target: string, { content_hash: _, ...manifest }: BackupManifest, change: object): void {
  const changed = { ...manifest, ...change }
  const text = JSON.stringify({ ...changed, content_hash: contentHash(changed) })
  writeFileSync(manifestPath(target, manifest.backup_id), text)
}

test('a manifest that was altered, is of a later release, or leads out of the home is refused', async () => {
  const { backUp, restore, target, folder } = await smallHome()
  const { manifest } = await backUp()
  const { backup_id, tables, files } = manifest
  const path = manifestPath(target, backup_id)
  const text = readFileSync(path, 'utf8')
  for (const damaged of [text.replace('"rows": 3', '"rows": 2'), text.slice(0, -9), '[]']) {
    writeFileSync(path, damaged)
    await expect(readManifest(target, null)).rejects.toMatchObject({ code: 'BACKUP_CORRUPT' })
  }
  const trading = { migrations: [{ name: '9999_later.sql', sha256: '00' }], tables: [] }
  const refused: readonly (readonly [change: object, code: string, says: string])[] = [
    [{ format: 2 }, 'BACKUP_UNSUPPORTED', 'format 2'],
    [{ release: '1.10.0' }, 'BACKUP_UNSUPPORTED', 'release 1.10.0'],
    [{ tables: [{ ...tables[0]!, table: 'later_table' }] }, 'BACKUP_UNSUPPORTED', 'table later_table'],
    [{ trading }, 'BACKUP_UNSUPPORTED', '9999_later.sql'],
    [{ tables: [{ ...tables[0]!, rows: 4 }] }, 'BACKUP_CORRUPT', 'index_link'],
    [{ files: [{ ...files[0]!, path: '../out' }] }, 'BACKUP_CORRUPT', 'leads out of the home'],
  ]
  for (const [n, [change, code, says]] of refused.entries()) {
    rewrite(target, manifest, change)
    const restored = restore(`refused-${n}`)
    await expect(restored, says).rejects.toMatchObject({ code, message: expect.stringContaining(says) })
  }
  expect(existsSync(join(folder, 'out'))).toBe(false)
  for (const release of ['1.2.0', '1.1.9', '0.9.0-beta.1']) {
    rewrite(target, manifest, { release })
    await expect(restore(`taken-${release}`)).resolves.toMatchObject({ trading_rows: 0 })
  }
})

test('a home with files, a folder of something else and an absent backup are refused', async () => {
  const { backUp, restore, target, folder, home } = await smallHome()
  await expect(readManifest(target, null)).rejects.toMatchObject({ code: 'BACKUP_NOT_FOUND' })
  const { manifest } = await backUp()
  await expect(readManifest(target, '20200101T000000000000Z')).rejects.toThrow(manifest.backup_id)
  await expect(restore('home')).rejects.toThrow('is not empty')
  const aside = restore('new', { warehouse_root: join(home, 'warehouse') })
  await expect(aside).rejects.toThrow('is not empty')
  await expect(backUp({ folder: join(home, 'definitions') })).rejects.toThrow('a folder with other files')
  await expect(backUp({ folder: join(home, 'roster.yaml') })).rejects.toThrow('which is a file')
  expect(readdirSync(folder).sort()).toEqual(['backups', 'home'])
})

test('a data file that is damaged in the source stops the backup and is named', async () => {
  const { backUp, warehouse, target } = await smallHome()
  const [file] = (await warehouse.log('index_link').snapshot()).files
  const path = join(warehouse.root, file!.key)
  const bytes = readFileSync(path)
  bytes[20]! ^= 1
  writeFileSync(path, bytes)
  await expect(backUp()).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT', facts: { file: path } })
  expect(await listBackups(target)).toEqual([])
})

test('the oldest backups beyond a number are removed, with the contents that no other has', async () => {
  const { append, backUp, restore, home, target } = await smallHome()
  writeFileSync(join(home, 'roster.yaml'), 'of the first alone')
  const first = await backUp()
  writeFileSync(join(home, 'roster.yaml'), 'of the others')
  await append('d')
  await backUp()
  expect(await backUp({ keep: 2 })).toMatchObject({ pruned_backups: 1 })
  const gone = first.manifest.files.find(({ path }) => path === 'roster.yaml')!
  expect(existsSync(contentPath(target, gone.sha256))).toBe(false)
  expect(await describeBackups(target)).toMatchObject([{ rows: 4 }, { rows: 4 }])
  for (const id of await listBackups(target)) await checkBackup(target, id)
  await restore('restored')
})

test('no service starts in a home whose restore has not ended', async () => {
  const { backUp, restore, folder } = await smallHome()
  const { manifest } = await backUp()
  const trading = { ...NO_BATCH, migrations: [], tables: [] }
  const openPool = () => Promise.reject(new Error('the machine stopped'))
  await expect(restore('half', { manifest: { ...manifest, trading }, openPool })).rejects.toThrow('the machine stopped')
  const home = join(folder, 'half')
  await expect(lockHome(home, async () => 'served')).rejects.toThrow('where a restore has not ended')
  await expect(restore('half')).rejects.toThrow('is not empty')
  await restore('whole')
  await expect(lockHome(join(folder, 'whole'), async () => 'served')).resolves.toBe('served')
  await expect(restore('aborted', { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped')
})

const NO_BATCH = { batch_sequence: null, batch_hash: null, engine_sequence: null }

test('work on many items keeps their order, and ends with the first failure', async () => {
  const items = Array.from({ length: 40 }, (_, n) => n)
  expect(await manyAtOnce(items, async (n) => n * 2)).toEqual(items.map((n) => n * 2))
  const begun: number[] = []
  const work = manyAtOnce(items, async (n) => {
    begun.push(n)
    if (n === 3) throw new Error('item 3')
  })
  await expect(work).rejects.toThrow('item 3')
  expect(begun.length).toBeLessThan(40)
})
