import { type BackUpOptions, type BackupReport, backUp } from '../../operations/backup/back-up.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { Pool } from '../../trading/store/create-pool.ts'
import type { Settings } from '../configuration.ts'
import { knownDatabase, openDatabase } from '../trading/open-database.ts'
import { withWarehouse } from '../with-warehouse.ts'

/** Release of this program. */
export const RELEASE = packageJson.version

/**
 * Backs up the home of the settings. The schema of its trading database stays as it is: a backup is made before an upgrade.
 * @throws {ServiceError} WAREHOUSE_NOT_FOUND, SERVICE_UNAVAILABLE; errors of `backUp`
 */
export function backUpHome(
  settings: Settings,
  options: Pick<BackUpOptions, 'folder' | 'passphrase' | 'keep' | 'on_progress' | 'signal'>,
): Promise<BackupReport> {
  const { home } = settings
  return withWarehouse(settings, { create: false }, (warehouse) =>
    withUnmigrated(settings, (pool) => backUp({ ...options, home, warehouse, pool, release: RELEASE })),
  )
}

/** Opens the trading database as it is found while `work` runs; null: the home has none. */
export async function withUnmigrated<T>(settings: Settings, work: (pool: Pool | null) => Promise<T>): Promise<T> {
  if (knownDatabase(settings) === null) return work(null)
  const database = await openDatabase(settings, { without_migration: true })
  try {
    return await work(database.pool)
  } finally {
    await database.stop()
  }
}
