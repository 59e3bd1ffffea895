import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { absentOn } from '../../warehouse/store/absent-on.ts'
import { contentPath } from './backup-target.ts'
import { listBackups, manifestPath, readManifest } from './manifest.ts'
import { contentsOf } from './verify-backup.ts'

/**
 * Removes the oldest backups of a folder beyond a number, then the contents that no backup has. Every manifest is read first: where one is
 * damaged, nothing is removed.
 * @returns the number of backups removed
 * @throws {ServiceError} BACKUP_CORRUPT
 */
export async function pruneBackups(folder: string, keep: number): Promise<number> {
  const ids = await listBackups(folder)
  const kept = ids.slice(-keep)
  const needed = new Set<string>()
  for (const id of kept) for (const { sha256 } of contentsOf(await readManifest(folder, id))) needed.add(sha256)
  for (const id of ids.slice(0, -keep)) await rm(manifestPath(folder, id))
  for (const part of await readdir(join(folder, 'objects')).catch(absentOn('ENOENT', [] as string[]))) {
    for (const sha256 of await readdir(join(folder, 'objects', part))) {
      if (!needed.has(sha256)) await rm(contentPath(folder, sha256))
    }
  }
  for (const name of await readdir(join(folder, '.unfinished'))) await rm(join(folder, '.unfinished', name))
  return ids.length - kept.length
}
