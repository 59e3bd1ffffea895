import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type BackUpOptions, type BackupReport, backUp } from '../../operations/backup/back-up.ts'
import { LAST_BACKUP } from '../../operations/backup/home-files.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { ServiceError } from '../../primitives/errors.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import type { Settings } from '../configuration.ts'
import type { LastBackup } from '../metrics/keeping-metrics.ts'
import { refuseUnnamed } from '../trading/named-database.ts'
import { hasDatabase, openDatabase } from '../trading/open-database.ts'
import { operatorKeyFile } from '../trading/operator-key-file.ts'
import { openHome } from '../usable-home.ts'
import { withWarehouse } from '../with-warehouse.ts'

/** Release of this program. */
export const RELEASE = packageJson.version

/**
 * Backs up the home of the settings. The schema of its trading database stays as it is: a backup is made before an upgrade.
 * A missing home, as beside a warehouse in an object store, is created: it keeps the instant.
 * @throws {ServiceError} WAREHOUSE_NOT_FOUND, SERVICE_UNAVAILABLE; VALIDATION_USAGE_INVALID: the home cannot be written; errors of
 *   `backUp`
 */
export async function backUpHome(
  settings: Settings,
  options: Pick<BackUpOptions, 'folder' | 'passphrase' | 'keep' | 'on_progress' | 'signal'>,
): Promise<BackupReport> {
  const { home } = settings
  const report = await withWarehouse(settings, { create: false }, async (warehouse) => {
    await openHome(home, async () => undefined) // one that cannot keep the instant is refused before the work
    return withUnmigrated(settings, (pool) => backUp({ ...options, home, warehouse, pool, release: RELEASE }))
  })
  const { backed_up_through } = report.manifest
  const last: LastBackup = { format: 1, folder: resolve(options.folder), backed_up_through }
  await openHome(home, () => writeFile(join(home, LAST_BACKUP), `${JSON.stringify(last)}\n`))
  return report
}

/**
 * Opens the trading database as it is found while `work` runs; null: the home has none.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID, SERVICE_UNAVAILABLE: it has one that cannot be opened
 */
export async function withUnmigrated<T>(settings: Settings, work: (pool: Pool | null) => Promise<T>): Promise<T> {
  refuseUnnamed(settings)
  if (!hasDatabase(settings)) {
    refuseKeysAlone(settings)
    return work(null)
  }
  const database = await openDatabase(settings, { without_migration: true, only_existing: true })
  try {
    return await work(database.pool)
  } finally {
    await database.stop()
  }
}

/** Refuses a home with keys of a trading database and without one: a service made them, and has its database elsewhere. */
function refuseKeysAlone({ home, key_encryption_key, key_encryption_key_file }: Settings): void {
  const file = [key_encryption_key_file, dirname(operatorKeyFile(home, 'any'))].find((path) => existsSync(path))
  if (file === undefined && key_encryption_key === '') return
  const key = file ?? 'TIDEMARK_KEY_ENCRYPTION_KEY'
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `home is ${home}, which has no trading database, though ${key} belongs to one; allowed: DATABASE_URL as the service has it`,
    { home },
  )
}
