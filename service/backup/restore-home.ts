import { readManifest } from '../../operations/backup/manifest.ts'
import { type RestoreReport, restoreBackup } from '../../operations/backup/restore.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { refuseUsedDatabase } from '../../trading/store/backup/import-trading.ts'
import type { Settings } from '../configuration.ts'
import { openDatabase } from '../trading/open-database.ts'
import { refuseUnfinished } from '../usable-home.ts'
import { RELEASE } from './back-up-home.ts'

export type RestoreHomeOptions = {
  readonly folder: string
  /** null: the newest. */
  readonly backup_id: string | null
  readonly passphrase: string | null
  /** Restores without the keys that the backup has encrypted. */
  readonly without_keys: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Restores a backup into the home of the settings, and its rows into their trading database.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the passphrase is missing, the database is in use, or an earlier
 *   restore into the home has not ended; errors of `restoreBackup`
 */
export async function restoreHome(settings: Settings, options: RestoreHomeOptions): Promise<RestoreReport> {
  const { folder, backup_id, passphrase, without_keys, signal } = options
  refuseUnfinished(settings.home)
  const manifest = await readManifest(folder, backup_id)
  if (manifest.keys.handling === 'encrypted' && passphrase === null && !without_keys) {
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `--passphrase-file is missing, and backup ${manifest.backup_id} has ${manifest.keys.paths.length} encrypted keys; allowed: its file, or --without-keys`,
    )
  }
  const open = () => openDatabase(settings, { without_migration: true })
  if (manifest.trading !== null && settings.database_url !== '') {
    const database = await open()
    await refuseUsedDatabase(database.pool).finally(() => database.stop())
  }
  return restoreBackup({
    folder,
    manifest,
    release: RELEASE,
    home: settings.home,
    warehouse_root: settings.warehouse,
    openPool: open,
    passphrase: without_keys ? null : passphrase,
    signal,
  })
}
