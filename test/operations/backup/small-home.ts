import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type BackUpOptions, backUp } from '../../../operations/backup/back-up.ts'
import { readManifest } from '../../../operations/backup/manifest.ts'
import { type RestoreOptions, restoreBackup } from '../../../operations/backup/restore.ts'
import { InvariantError } from '../../../primitives/errors.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { linkRow, step } from '../../warehouse/log/fixtures.ts'

export const RELEASE = '1.2.0'

/** Home of a test with a warehouse, keys and other files, removed after the test. */
export type SmallHome = {
  readonly folder: string
  readonly home: string
  readonly warehouse: Warehouse
  readonly target: string
  append(...ids: readonly string[]): Promise<void>
  backUp(more?: Partial<BackUpOptions>): ReturnType<typeof backUp>
  restore(name: string, more?: Partial<RestoreOptions>): ReturnType<typeof restoreBackup>
  /** Opens a restored warehouse. */
  open(name: string): Promise<Warehouse>
}

/** Files of the home: private ones are keys, but for complaints. */
const FILES: readonly (readonly [path: string, text: string, mode: number])[] = [
  ['roster.yaml', 'roster: []\n', 0o644],
  ['definitions/tide.yaml', 'index_id: idx_tide\n', 0o644],
  ['complaints/one.json', '{}', 0o600],
  ['log.key', '{"private_key":"secret"}', 0o600],
  ['sandbox/accounts.json', '{"secret":"shared"}', 0o600],
  ['up.lock', '', 0o644],
  ['postgres/PG_VERSION', '18', 0o644],
  ['temporal/temporal.db', 'state', 0o644],
]

export async function smallHome(): Promise<SmallHome> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const home = join(folder, 'home')
  for (const [path, text, mode] of FILES) write(join(home, path), text, mode)
  symlinkSync('/etc/hostname', join(home, 'link'))
  const open = async (root: string) => {
    const warehouse = await openWarehouse({ root })
    onTestFinished(() => warehouse.close())
    return warehouse
  }
  const root = join(home, 'warehouse')
  write(join(root, 'warehouse.json'), '{"format":1,"warehouse_id":"small"}\n')
  const warehouse = await open(root)
  const target = join(folder, 'backups')
  let steps = 0
  const append = async (...ids: readonly string[]) => {
    for (const id of ids) {
      steps += 1
      await warehouse.append('index_link', [linkRow(id)], step(steps))
    }
  }
  await append('a', 'b', 'c')
  const options = { home, warehouse, pool: null, folder: target, release: RELEASE, passphrase: null, keep: null }
  return {
    folder,
    home,
    warehouse,
    target,
    append,
    backUp: (more = {}) => backUp({ ...options, ...more }),
    restore: async (name, more = {}) =>
      restoreBackup({
        folder: target,
        manifest: await readManifest(target, null),
        release: RELEASE,
        home: join(folder, name),
        warehouse_root: join(folder, name, 'warehouse'),
        openPool: noPool,
        passphrase: null,
        ...more,
      }),
    open: (name) => open(join(folder, name, 'warehouse')),
  }
}

async function noPool(): Promise<never> {
  throw new InvariantError('no trading database is expected')
}

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode })
}
