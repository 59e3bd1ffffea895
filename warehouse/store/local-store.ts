import { randomUUID } from 'node:crypto'
import { closeSync, fsync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { link, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Micros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { absentOn } from './absent-on.ts'
import { announcementName, announcementsOf } from './announcement.ts'
import { hashWritten } from './hash-file.ts'
import { raiseWatermark, readWatermark } from './local-watermark.ts'
import { makeFolder } from './make-folder.ts'
import {
  type ProducedObject,
  type PutOutcome,
  type Store,
  type StoredObject,
  type StoreKey,
  UNFINISHED,
} from './store.ts'
import { storeError } from './store-error.ts'

/** File system calls that durability depends on; tests record their order or let one fail. */
export type LocalFiles = {
  write(path: string, bytes: Uint8Array): Promise<void>
  syncFile(path: string): Promise<void>
  syncFolder(path: string): Promise<void>
  link(from: string, to: string): Promise<void>
}

/** Returns the names in a folder; none if it does not exist. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Bytes up to which a file is read without the thread pool. */
const SMALL_BYTES_MAX = 65_536

/** The real file system. */
export const NODE_FILES: LocalFiles = {
  /** Into the system's memory; the flush waits for the disk. A turn of the thread pool costs more than the call. */
  async write(path, bytes) {
    writeFileSync(path, bytes, { flag: 'wx' })
  },
  syncFile: sync,
  syncFolder: sync,
  link,
}

/**
 * Opens a store in a local folder. `link(2)` is the conditional write: it gives a finished, flushed file its name or fails if the
 * name is taken, so a reader never sees half an object. A name is durable once its folder is flushed, a new folder once its
 * parent is; both happen before a call resolves.
 */
export function openLocalStore(root: string, files: LocalFiles = NODE_FILES): Store {
  const path = (key: StoreKey) => join(root, key)
  const durable_folders = new Set<string>()

  /**
   * Creates a folder and flushes its parents up to the root, and beyond it up to the first that existed. Done once per store
   * object even if the folder exists: another process may not have flushed it yet.
   */
  async function prepareFolder(folder: string): Promise<void> {
    if (durable_folders.has(folder)) return
    const first_made = await makeFolder(folder)
    const made_above = first_made !== undefined && first_made.length <= root.length
    const top = made_above ? dirname(first_made) : root
    for (let at = folder; at.length > top.length; at = dirname(at)) await files.syncFolder(dirname(at))
    durable_folders.add(folder)
  }

  /** Writes a flushed file under a unique name, passes it to `publish`, and removes that name. */
  async function withUnfinished<T>(bytes: Uint8Array, publish: (unfinished: string) => Promise<T>): Promise<T> {
    await prepareFolder(path(UNFINISHED))
    const unfinished = path(`${UNFINISHED}/${randomUUID()}`)
    try {
      await files.write(unfinished, bytes)
      await files.syncFile(unfinished)
      return await publish(unfinished)
    } finally {
      await unlink(unfinished).catch(absentOn('ENOENT', undefined))
    }
  }

  async function putIfAbsent(key: StoreKey, bytes: Uint8Array): Promise<PutOutcome> {
    const target = path(key)
    await prepareFolder(dirname(target))
    return withUnfinished(bytes, async (unfinished) => {
      const outcome = await files
        .link(unfinished, target)
        .then(() => 'placed' as const, absentOn('EEXIST', 'taken' as const))
      if (outcome === 'placed') await files.syncFolder(dirname(target))
      return outcome
    })
  }

  async function replace(key: StoreKey, bytes: Uint8Array): Promise<void> {
    const target = path(key)
    await prepareFolder(dirname(target))
    await withUnfinished(bytes, async (unfinished) => {
      await rename(unfinished, target)
      await files.syncFolder(dirname(target))
    })
  }

  async function putProduced(key: StoreKey, produce: (path: string) => Promise<void>): Promise<ProducedObject> {
    const target = path(key)
    try {
      await prepareFolder(dirname(target))
      await produce(target)
      await files.syncFile(target)
      await files.syncFolder(dirname(target))
      return { ...(await statOf(key))!, sha256: await hashWritten(target) }
    } catch (error) {
      await rm(target, { force: true })
      throw error
    }
  }

  /**
   * Most calls ask for a commit that does not exist yet: readers look for the next one of each table a few times a second. A
   * synchronous stat of an absent name takes microseconds; a failing open takes a thread pool round trip and an error. A commit is
   * small, and reading it takes microseconds too.
   */
  async function get(key: StoreKey): Promise<Buffer | null> {
    const found = statSync(path(key), { throwIfNoEntry: false })
    if (found === undefined) return null
    const read = found.size <= SMALL_BYTES_MAX ? async () => readFileSync(path(key)) : () => readFile(path(key))
    return read().catch(absentOn('ENOENT', null))
  }

  /** An announcement need not be durable: no commit continues after a power loss. */
  async function announce(table: string, at: Micros): Promise<() => Promise<void>> {
    await prepareFolder(path(UNFINISHED))
    const file = path(`${UNFINISHED}/${announcementName(table, at)}`)
    await writeFile(file, '')
    return () => unlink(file).catch(absentOn('ENOENT', undefined))
  }

  async function raise(key: StoreKey, to: number): Promise<void> {
    await Promise.all([prepareFolder(path(UNFINISHED)), prepareFolder(dirname(path(key)))])
    await raiseWatermark(path(key), to, { unfinished: path(UNFINISHED), syncFolder: files.syncFolder })
  }

  async function statOf(key: StoreKey): Promise<StoredObject | null> {
    const found = statSync(path(key), { throwIfNoEntry: false })
    return found === undefined ? null : { key, size_bytes: found.size, modified_at: Math.floor(found.mtimeMs * 1000) }
  }

  return {
    root,
    now: async (): Promise<Micros> => wallClock(),
    get,
    stat: statOf,
    putIfAbsent: (key, bytes) => named(root, putIfAbsent(key, bytes)),
    replace: (key, bytes) => named(root, replace(key, bytes)),
    putProduced: (key, produce) => named(root, putProduced(key, produce)),
    localPath: async (key) => path(key),
    delete: (key) => named(root, unlink(path(key)).catch(absentOn('ENOENT', undefined))),
    announce: (table, at) => named(root, announce(table, at)),
    // One small folder, read a few times a second: the synchronous call costs less than a turn of the thread pool.
    announced: async () => namesIn(path(UNFINISHED)).flatMap(announcementsOf),
    watermark: async (key) => readWatermark(path(key)) ?? 0,
    raiseWatermark: (key, to) => named(root, raise(key, to)),
    async *list(folder) {
      const entries = await readdir(path(folder), { recursive: true, withFileTypes: true }).catch(
        absentOn('ENOENT', []),
      )
      for (const entry of entries) {
        if (!entry.isFile()) continue
        const key = join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1)
        const found = await statOf(key)
        if (found !== null) yield found // null: deleted meanwhile
      }
    },
  }
}

async function named<T>(root: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw storeError(error, root)
  }
}

const flush = promisify(fsync)

/** Only the flush may wait for the disk, so it alone takes a turn of the thread pool. */
async function sync(path: string): Promise<void> {
  const file = openSync(path, 'r')
  await flush(file).finally(() => closeSync(file))
}
