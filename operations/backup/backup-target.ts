import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, copyFile, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { absentOn } from '../../warehouse/store/absent-on.ts'
import { hashFile } from '../../warehouse/store/hash-file.ts'
import { makeFolder } from '../../warehouse/store/make-folder.ts'
import { backupCorrupt } from './backup-errors.ts'

/** Content of a file: its SHA-256 in hex names it in the backup. */
export type StoredContent = { readonly sha256: string; readonly size_bytes: number }

/** Folder of backups: contents by hash, so that one that is there already is not copied again, and one manifest for each backup. */
export type BackupTarget = {
  readonly folder: string
  /** Keeps a copy of a file. */
  keepFile(path: string): Promise<StoredContent>
  /** Keeps a copy of a file of known bytes, which is not even looked for if the target has them. */
  keepKnown(content: StoredContent, pathOf: () => Promise<string>): Promise<StoredContent>
  keepBytes(bytes: Uint8Array): Promise<StoredContent>
  /** Flushes everything kept to the disk. */
  flush(): Promise<void>
  /** Files and bytes written so far; the rest was there. */
  written(): { readonly files: number; readonly bytes: number }
}

const MARKER = 'tidemark-backup.json'
const MARKER_TEXT = '{"format":1}\n'
const UNFINISHED = '.unfinished'
/** A backup has what its home keeps from others, such as the accounts of traders. */
export const OWNER_ALONE = 0o600

/** Returns the path of a content. */
export function contentPath(folder: string, sha256: string): string {
  return join(folder, 'objects', sha256.slice(0, 2), sha256)
}

/**
 * Opens a folder for backups; creates it if it is missing.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: it is a file, or holds something else
 */
export async function openBackupTarget(folder: string): Promise<BackupTarget> {
  await refuseOther(folder)
  await makeFolder(join(folder, UNFINISHED))
  if ((await readFile(join(folder, MARKER)).catch(absentOn('ENOENT', null))) === null)
    await writeFile(join(folder, MARKER), MARKER_TEXT, { mode: OWNER_ALONE, flush: true })
  const touched = new Set<string>([folder])
  let [files, bytes_written] = [0, 0]
  const has = async ({ sha256, size_bytes }: Partial<StoredContent>): Promise<number | null> => {
    const found = await stat(contentPath(folder, sha256!)).catch(absentOn('ENOENT', null))
    return found === null || (size_bytes !== undefined && found.size !== size_bytes) ? null : found.size
  }
  /** Gives a written file its name; one of an interrupted backup is replaced. */
  const place = async (unfinished: string, { sha256, size_bytes }: StoredContent): Promise<StoredContent> => {
    if ((await has({ sha256, size_bytes })) !== null) {
      await rm(unfinished)
      return { sha256, size_bytes }
    }
    const path = contentPath(folder, sha256)
    await makeFolder(dirname(path))
    await syncPath(unfinished)
    await rename(unfinished, path)
    for (let at = dirname(path); at.length >= folder.length; at = dirname(at)) touched.add(at)
    files += 1
    bytes_written += size_bytes
    return { sha256, size_bytes }
  }
  const copy = async (path: string, sha256: string | null): Promise<StoredContent> => {
    const unfinished = join(folder, UNFINISHED, randomUUID())
    try {
      await copyFile(path, unfinished, constants.COPYFILE_FICLONE)
      await chmod(unfinished, OWNER_ALONE)
      const found = await hashFile(unfinished)
      if (sha256 !== null && found !== sha256) throw sourceDamaged(path, sha256, found)
      return await place(unfinished, { sha256: found, size_bytes: (await stat(unfinished)).size })
    } finally {
      await rm(unfinished, { force: true })
    }
  }
  return {
    folder,
    keepFile: (path) => copy(path, null),
    async keepKnown({ sha256, size_bytes }, pathOf) {
      return (await has({ sha256, size_bytes })) === null ? copy(await pathOf(), sha256) : { sha256, size_bytes }
    },
    async keepBytes(bytes) {
      const content = { sha256: createHash('sha256').update(bytes).digest('hex'), size_bytes: bytes.length }
      if ((await has(content)) !== null) return content
      const unfinished = join(folder, UNFINISHED, randomUUID())
      await writeFile(unfinished, bytes, { mode: OWNER_ALONE })
      return place(unfinished, content)
    },
    async flush() {
      for (const one of touched) await syncPath(one)
    },
    written: () => ({ files, bytes: bytes_written }),
  }
}

/** Refuses a place that holds something else: an existing folder is a target by its marker, or is empty. */
async function refuseOther(folder: string): Promise<void> {
  const names: readonly string[] = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw notATarget(folder, 'a file')
    throw error
  })
  if (names.length > 0 && !names.includes(MARKER)) throw notATarget(folder, 'a folder with other files')
}

function notATarget(folder: string, seen: string): ServiceError {
  const message = `the target of the backup is ${folder}, which is ${seen}; allowed: an empty or new folder, or one of earlier backups`
  return new ServiceError('VALIDATION_USAGE_INVALID', message, { folder })
}

/** Returns whether a folder holds backups. @throws {ServiceError} BACKUP_CORRUPT: its marker is of another format */
export async function isBackupFolder(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, MARKER), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
  if (text !== null && text !== MARKER_TEXT) throw backupCorrupt(MARKER, 'it is not a marker of format 1')
  return text !== null
}

function sourceDamaged(path: string, expected: string, found: string): ServiceError {
  const message = `${path} has the hash ${found}, its table's log states ${expected}; nothing was backed up`
  return new ServiceError('WAREHOUSE_CORRUPT', message, { file: path })
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
