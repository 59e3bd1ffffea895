import { constants } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { decodeBundle, encodeBundle } from '../../pipelines/transparency/entry-bundle.ts'
import { TILE_WIDTH, type TileAddress, tilePath } from '../../pipelines/transparency/tiles.ts'
import { HASH_BYTES } from '../../pipelines/transparency/tree-hash.ts'
import { absentOn } from '../store/absent-on.ts'
import { storeError } from '../store/store-error.ts'
import { logCorrupt } from './log-corrupt.ts'

/** Files of a log on a local disk, by paths below its folder. */
export type LogDisk = {
  readonly folder: string
  /** Returns the bytes of a file; null: it does not exist. */
  read(path: string): Promise<Buffer | null>
  /** Returns bytes from a file; fewer at its end, none without it. */
  readAt(path: string, offset: number, length: number): Promise<Buffer>
  /** Writes a file that no reader may look at yet: it may be cut off by a crash, and is then written again. */
  write(path: string, bytes: Uint8Array): Promise<void>
  /** Writes bytes at a place of a file. */
  writeAt(path: string, offset: number, bytes: Uint8Array): Promise<void>
  /** Replaces a file: readers see the old bytes or the new ones. */
  replace(path: string, bytes: Uint8Array): Promise<void>
  /** Makes the names of the files written since the last call durable. */
  flush(): Promise<void>
  remove(path: string): Promise<void>
  /** Returns the names in a folder; none without it. */
  names(path: string): Promise<readonly string[]>
}

/** Opens the files of a log. The folder is created by the first write. */
export function openLogDisk(folder: string): LogDisk {
  const at = (path: string) => join(folder, path)
  const made = new Set<string>()
  const unflushed = new Set<string>()
  const writeFile = async (path: string, flags: string | number, bytes: Uint8Array, offset: number | null) => {
    const parent = dirname(at(path))
    if (!made.has(parent)) await mkdir(parent, { recursive: true })
    for (let up = parent; !made.has(up) && up.length >= folder.length; up = dirname(up)) {
      unflushed.add(dirname(up))
      made.add(up)
    }
    const file = await open(at(path), flags)
    try {
      await file.write(bytes, 0, bytes.length, offset)
      await file.sync()
    } finally {
      await file.close()
    }
    unflushed.add(parent)
  }
  const flush = async () => {
    for (const parent of unflushed) await syncFolder(parent)
    unflushed.clear()
  }
  const told = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw storeError(error, folder)
    })
  return {
    folder,
    read: (path) => readFile(at(path)).catch(absentOn('ENOENT', null)),
    readAt: (path, offset, length) => readAt(at(path), offset, length),
    write: (path, bytes) => told(writeFile(path, 'w', bytes, null)),
    writeAt: (path, offset, bytes) => told(writeFile(path, constants.O_RDWR | constants.O_CREAT, bytes, offset)),
    async replace(path, bytes) {
      await told(writeFile(`${path}.new`, 'w', bytes, null))
      await told(rename(at(`${path}.new`), at(path)))
      await told(flush())
    },
    flush: () => told(flush()),
    remove: (path) => told(rm(at(path), { force: true, recursive: true })),
    names: (path) => readdir(at(path)).catch(absentOn('ENOENT', [])),
  }
}

async function readAt(file: string, offset: number, length: number): Promise<Buffer> {
  const handle = await open(file, 'r').catch(absentOn('ENOENT', null))
  if (handle === null) return Buffer.alloc(0)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Files that are written at once: each waits for the disk. */
const WRITES_AT_ONCE = 32

/** Writes tiles or bundles that no reader may look at yet. */
export async function writeTiles(
  disk: LogDisk,
  tiles: readonly { readonly address: TileAddress; readonly bytes: Uint8Array }[],
): Promise<void> {
  for (let first = 0; first < tiles.length; first += WRITES_AT_ONCE) {
    const some = tiles.slice(first, first + WRITES_AT_ONCE)
    await Promise.all(some.map(({ address, bytes }) => disk.write(tilePath(address), bytes)))
  }
}

/**
 * Reads a tile or an entry bundle. A partial one whose file is gone is the beginning of a wider one, so a log keeps only the last.
 * @throws {ServiceError} LOG_CORRUPT: it is missing or has another length
 */
export async function readTile(disk: LogDisk, address: TileAddress): Promise<Uint8Array> {
  const exact = await disk.read(tilePath(address))
  const found = exact ?? (await readWider(disk, address))
  const bytes = found === null ? null : beginning(found, address)
  if (bytes === null) throw logCorrupt(tilePath(address), found === null ? 'it is missing' : 'its length is wrong')
  return bytes
}

async function readWider(disk: LogDisk, address: TileAddress): Promise<Buffer | null> {
  const full = tilePath({ ...address, width: TILE_WIDTH })
  const whole = await disk.read(full)
  if (whole !== null) return whole
  const widths = (await disk.names(`${full}.p`)).map(Number).filter((width) => width > address.width)
  return widths.length === 0 ? null : disk.read(`${full}.p/${Math.min(...widths)}`)
}

/** Returns the first hashes or entries; null if there are not so many. */
function beginning(bytes: Uint8Array, { level, width }: TileAddress): Uint8Array | null {
  if (level !== 'entries') return bytes.length < width * HASH_BYTES ? null : bytes.subarray(0, width * HASH_BYTES)
  const entries = decodeBundle(bytes)
  if (entries === null || entries.length < width) return null
  return entries.length === width ? bytes : encodeBundle(entries.slice(0, width))
}
