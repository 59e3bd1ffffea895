import { isServiceError } from '../../primitives/errors.ts'
import { pendingMigrations } from '../../trading/store/migrate.ts'
import { TABLE_NAMES } from '../../warehouse/tables.ts'
import { backupNewer } from './backup-errors.ts'
import type { BackupManifest } from './manifest.ts'

/**
 * Refuses a backup of a later release: by its number, by a table or by a migration that this one does not know.
 * @throws {ServiceError} BACKUP_UNSUPPORTED
 */
export function checkSupported(
  manifest: Pick<BackupManifest, 'release' | 'tables' | 'trading'>,
  release: string,
): void {
  if (isLater(manifest.release, release)) throw backupNewer(`the release ${manifest.release}`)
  const unknown = manifest.tables.find(({ table }) => !TABLE_NAMES.includes(table))
  if (unknown !== undefined) throw backupNewer(`the table ${unknown.table}`)
  try {
    pendingMigrations(manifest.trading?.migrations ?? [])
  } catch (error) {
    if (!isServiceError(error, 'VALIDATION_VERSION_PUBLISHED')) throw error
    throw backupNewer(`migrations of the trading database of another release: ${error.message}`)
  }
}

/** Compares releases by their numbers, as 0.10.0 is later than 0.9.1. */
function isLater(a: string, b: string): boolean {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  const at = left.findIndex((number, n) => number !== (right[n] ?? 0))
  return at >= 0 && left[at]! > (right[at] ?? 0)
}

function numbersOf(release: string): readonly number[] {
  return release.split('-')[0]!.split('.').map(Number)
}
