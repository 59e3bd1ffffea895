import { stat } from 'node:fs/promises'
import { absentOn } from '../../warehouse/store/absent-on.ts'
import { hashFile } from '../../warehouse/store/hash-file.ts'
import { backupCorrupt } from './backup-errors.ts'
import { contentPath, type StoredContent } from './backup-target.ts'
import type { BackupManifest } from './manifest.ts'
import { manyAtOnce } from './many-at-once.ts'

/** Content of a backup with the name that people know it by. */
export type NamedContent = StoredContent & { readonly name: string }

/** Returns every content that a backup consists of. */
export function contentsOf({ files, keys, trading }: BackupManifest): readonly NamedContent[] {
  const named = files.map(({ path, sha256, size_bytes }) => ({ name: path, sha256, size_bytes }))
  const sealed = keys.content === null ? [] : [{ name: 'encrypted keys', ...keys.content }]
  const rows = (trading?.tables ?? []).flatMap(({ table_name, chunks }) =>
    chunks.map((chunk, n) => ({ name: `trading/${table_name}/${n}`, ...chunk })),
  )
  return [...named, ...sealed, ...rows]
}

/**
 * Reads every content of a backup and compares its hash.
 * @returns the number of contents and their bytes
 * @throws {ServiceError} BACKUP_CORRUPT names the first damaged or missing file
 */
export async function verifyBackup(options: {
  readonly folder: string
  readonly manifest: BackupManifest
  readonly signal?: AbortSignal | undefined
}): Promise<{ readonly files: number; readonly bytes: number }> {
  const { folder, manifest, signal } = options
  const contents = new Map(contentsOf(manifest).map((content) => [content.sha256, content]))
  await manyAtOnce([...contents.values()], async (content) => {
    signal?.throwIfAborted()
    await checkContent(folder, content)
  })
  return { files: contents.size, bytes: [...contents.values()].reduce((sum, { size_bytes }) => sum + size_bytes, 0) }
}

async function checkContent(folder: string, { name, sha256, size_bytes }: NamedContent): Promise<void> {
  const path = contentPath(folder, sha256)
  const found = await stat(path).catch(absentOn('ENOENT', null))
  if (found === null) throw backupCorrupt(name, `its content ${sha256} is missing`)
  if (found.size !== size_bytes)
    throw backupCorrupt(name, `it has ${found.size} bytes, the manifest says ${size_bytes}`)
  if ((await hashFile(path)) !== sha256) throw backupCorrupt(name, `its bytes do not have the hash ${sha256}`)
}
