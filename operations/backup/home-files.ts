import type { Dirent } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { absentOn } from '../../warehouse/store/absent-on.ts'

/** File of a home. A private one is a file that only its owner may read, because it has a key. */
type HomeFile = {
  /** Below the home. */
  readonly path: string
  readonly mode: number
  readonly is_private: boolean
}

export type HomeFiles = {
  readonly files: readonly HomeFile[]
  readonly left_out: readonly { readonly path: string; readonly reason: string }[]
}

/** File by which a home records that its services use DATABASE_URL. */
export const NAMED_DATABASE = 'trading-database.json'

/** File in which a home records its last backup, for metrics. */
export const LAST_BACKUP = 'last-backup.json'

/** Names at the top of a home that are not copied as files, with the reason. */
const LEFT_OUT: readonly (readonly [name: RegExp, reason: string])[] = [
  [/^postgres(-\d+)?$/, 'the trading database is backed up by its rows'],
  [/^trading-database\.json$/, 'a restored home may use another database'],
  [/^last-backup\.json$/, 'a restored home has no backup yet'],
  [/^warehouse$/, 'the warehouse of the settings is elsewhere'],
  [/^temporal$/, 'the development server of Temporal starts anew; schedules are made again'],
]
const OF_OTHERS = 0o077
const MODE = 0o777
/** Folders whose private files are no keys: complaints wait in one until they are published. */
const NO_KEYS = /^complaints\//

/**
 * Lists the files of a home that no other part of a backup has.
 * @param apart folders that are backed up in another way, or are the backup itself
 */
export async function homeFiles(home: string, apart: readonly string[]): Promise<HomeFiles> {
  const files: HomeFile[] = []
  const left_out: { path: string; reason: string }[] = []
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(absentOn('ENOENT', [] as Dirent[]))
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const at = join(folder, entry.name)
      const path = relative(home, at)
      if (apart.includes(resolve(at))) continue
      const reason = reasonFor(path, entry)
      if (reason !== null) left_out.push({ path, reason })
      else if (entry.isDirectory()) await walk(at)
      else await take(at, path)
    }
  }
  const take = async (at: string, path: string) => {
    const found = await stat(at).catch(absentOn('ENOENT', null))
    if (found === null) return // removed meanwhile
    files.push({ path, mode: found.mode & MODE, is_private: (found.mode & OF_OTHERS) === 0 && !NO_KEYS.test(path) })
  }
  await walk(home)
  return { files, left_out }
}

/** Returns the free bytes of the disk that a home is on, or will be on once it is created. */
export async function freeBytes(home: string): Promise<number> {
  for (let at = resolve(home); ; at = dirname(at)) {
    const found = await statfs(at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
      return null
    })
    if (found !== null) return found.bavail * found.bsize
  }
}

function reasonFor(path: string, entry: Dirent): string | null {
  const [, reason] = LEFT_OUT.find(([name]) => name.test(path)) ?? []
  if (reason !== undefined) return reason
  if (entry.isDirectory()) return path.endsWith('.making') ? 'first data that is still being loaded' : null
  if (!entry.isFile()) return 'it is neither a file nor a folder'
  return path.endsWith('.lock') ? 'a lock of a process' : null
}
