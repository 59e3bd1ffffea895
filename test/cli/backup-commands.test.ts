import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { tidemark } from '../support/run-cli.ts'

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
