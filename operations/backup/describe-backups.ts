import { listBackups, readManifest } from './manifest.ts'
import { verifyBackup } from './verify-backup.ts'

/** Returns the backups of a folder, oldest first. @throws {ServiceError} BACKUP_NOT_FOUND, BACKUP_CORRUPT */
export async function describeBackups(folder: string) {
  await readManifest(folder, null)
  const manifests = []
  for (const id of await listBackups(folder)) manifests.push(await readManifest(folder, id))
  return manifests.map(({ backup_id, backed_up_through, release, tables, trading, keys }) => ({
    backup_id,
    backed_up_through,
    release,
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    engine_sequence: trading?.engine_sequence ?? null,
    keys: keys.handling,
  }))
}

/**
 * Verifies every file of a backup.
 * @param backup_id null: the newest
 * @throws {ServiceError} BACKUP_NOT_FOUND, BACKUP_CORRUPT
 */
export async function checkBackup(folder: string, backup_id: string | null, signal?: AbortSignal) {
  const manifest = await readManifest(folder, backup_id)
  return { backup_id: manifest.backup_id, ...(await verifyBackup({ folder, manifest, signal })) }
}
