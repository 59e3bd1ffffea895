import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { startObjectServer } from '../support/object-server.ts'
import { tidemark } from '../support/run-cli.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('backup, restore and upgrade say what they did, and refuse what they cannot do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-cli-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [home, target, file] = ['home', 'backups', 'passphrase'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const run = (...argv: readonly string[]) => tidemark(argv)
  const refused = async (says: string, exit_code: number, ...argv: readonly string[]) => {
    const result = await run(...argv)
    expect([result.exit_code, result.stderr], argv.join(' ')).toEqual([exit_code, expect.stringContaining(says)])
  }
  await refused('WAREHOUSE_NOT_FOUND', 3, 'backup', target, '--home', home)
  await (await openWarehouse({ root: join(home, 'warehouse'), create: true })).close()
  writeFileSync(join(home, 'log.key'), 'secret', { mode: 0o600 })
  const plain = await run('backup', target, '--home', home)
  expect(plain.stdout).toContain('everything published through 20')
  expect(plain.stdout).toContain('left out: log.key (keys; back them up elsewhere, or give --passphrase-file)')
  writeFileSync(file, 'short\n', { mode: 0o600 })
  await refused('at least 12', 2, 'backup', target, '--home', home, '--passphrase-file', file)
  writeFileSync(file, 'correct horse battery\n')
  chmodSync(file, 0o644)
  await refused('mode is 0644', 2, 'backup', target, '--home', home, '--passphrase-file', file)
  await refused('ENOENT', 2, 'backup', target, '--home', home, '--passphrase-file', `${file}.absent`)
  await refused('allowed: a whole number from 1', 2, 'backup', target, '--home', home, '--keep', '0')
  chmodSync(file, 0o600)
  const sealed = JSON.parse((await run('backup', target, '--home', home, '--passphrase-file', file, '--json')).stdout)
  expect(sealed).toMatchObject({ trading: null, log: null, keys: { handling: 'encrypted', paths: ['log.key'] } })
  const { backups } = JSON.parse((await run('restore', target, '--list', '--json')).stdout)
  expect(backups).toMatchObject([{ keys: 'left_out' }, { backup_id: sealed.backup_id, keys: 'encrypted' }])
  expect((await run('restore', target, '--list')).stdout).toContain(sealed.backup_id)
  expect((await run('restore', target, '--check')).stdout).toContain('all verified')
  const restored = join(folder, 'restored')
  await refused('--passphrase-file is missing', 2, 'restore', target, '--home', restored)
  await refused('BACKUP_NOT_FOUND', 3, 'restore', folder, '--home', restored)
  const without = await run('restore', target, '--home', restored, '--without-keys')
  expect(without.stdout).toContain('missing: log.key; put it back before the service starts')
  await refused('is not empty', 2, 'restore', target, '--home', restored, '--without-keys')
  const check = await run('upgrade', '--check', '--home', restored)
  expect([check.exit_code, check.stdout]).toEqual([0, 'nothing changes\n'])
  await refused('--check is missing', 2, 'upgrade', '--home', restored)
})

/** A machine that reaches warehouses of one object store, and whose homes do not exist yet. */
async function objectStoreMachine() {
  const folder = tempFolder()
  const server = await startObjectServer()
  onTestFinished(() => server.close())
  const run = (home: string, prefix: string, ...argv: readonly string[]) =>
    tidemark(argv, {
      environment: {
        TIDEMARK_HOME: join(folder, home),
        TIDEMARK_WAREHOUSE: `s3://bucket/${prefix}`,
        TIDEMARK_CACHE: join(folder, 'cache'),
        AWS_ENDPOINT_URL: server.url,
        AWS_ACCESS_KEY_ID: 'test-key',
        AWS_SECRET_ACCESS_KEY: 'test-secret',
      },
    })
  return { folder, server, run }
}

const POLICY = join(ROOT, 'datasets', 'eligibility', 'sample-policy.yaml')

test('a warehouse in an object store is checked and backed up beside a home that does not exist yet', async () => {
  const { folder, run } = await objectStoreMachine()
  expect(await run('maker', 'one', 'eligibility', 'apply', POLICY)).toMatchObject({ exit_code: 0, stderr: '' })
  const check = await run('absent', 'one', 'upgrade', '--check', '--json')
  expect(JSON.parse(check.stdout || check.stderr)).toMatchObject({ ok: true, changes: [] })
  expect(existsSync(join(folder, 'absent'))).toBe(false) // a check changes nothing
  const backup = await run('absent', 'one', 'backup', join(folder, 'backups'))
  expect(backup).toMatchObject({ exit_code: 0, stderr: '' })
  expect(existsSync(join(folder, 'absent', 'last-backup.json'))).toBe(true)
  mkdirSync(join(folder, 'file'))
  writeFileSync(join(folder, 'file', 'home'), '')
  const refused = await run('file/home', 'one', 'backup', join(folder, 'others'))
  expect(refused.stderr).toContain('which cannot be used (EEXIST); allowed: a folder that can be written')
  expect(existsSync(join(folder, 'others', 'backups'))).toBe(false)
})

test('a restore that stopped midway is refused by every command until its home and its objects are deleted', async () => {
  const { folder, server, run } = await objectStoreMachine()
  const apply = ['eligibility', 'apply', POLICY]
  const backups = join(folder, 'backups')
  expect(await run('maker', 'one', ...apply)).toMatchObject({ exit_code: 0 })
  expect(await run('maker', 'one', 'backup', backups)).toMatchObject({ exit_code: 0 })
  server.fault = (request) => (request === 'PUT bucket/two/warehouse.json' ? 403 : null)
  expect((await run('half', 'two', 'restore', backups)).exit_code).not.toBe(0)
  server.fault = () => null
  const home = join(folder, 'half')
  const of_home = `home is ${home}, where a restore has not ended; allowed: wait for its end, or delete the folder and everything in s3://bucket/two and restore again`
  const of_store =
    'warehouse is s3://bucket/two, where a restore has not ended; allowed: wait for its end, or delete everything there'
  for (const argv of [apply, ['tables'], ['restore', backups]]) {
    const [same, other] = [await run('half', 'two', ...argv), await run('other', 'two', ...argv)]
    expect({ argv, ...same }).toMatchObject({ exit_code: 2, stderr: expect.stringContaining(of_home) })
    expect({ argv, ...other }).toMatchObject({ exit_code: 2, stderr: expect.stringContaining(of_store) })
  }
  expect(server.objects.has('bucket/two/warehouse.json')).toBe(false)
  rmSync(home, { recursive: true })
  for (const name of server.objects.keys()) if (name.startsWith('bucket/two/')) server.objects.delete(name)
  expect(await run('half', 'two', 'restore', backups)).toMatchObject({ exit_code: 0 })
  expect(await run('half', 'two', ...apply)).toMatchObject({ exit_code: 0 })
  expect([...server.objects.keys()].filter((name) => name.includes('restore-unfinished'))).toEqual([])
  expect(existsSync(join(home, 'restore-unfinished.json'))).toBe(false)
})
