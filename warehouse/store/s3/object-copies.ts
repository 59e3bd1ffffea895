import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hashFile } from '../hash-file.ts'
import type { HashedObject } from '../store.ts'
import { makeCacheFolder } from './host-folder.ts'

/** Objects fetched at the same time. */
const FETCHES_MAX = 16
/** Time for which a copy is kept after it was handed out, whatever the size of all: no query reads for longer. */
const LEASE_MS = 3_600_000
/** A lease is renewed once it is this old. */
const RENEW_MS = 60_000

export type ObjectCopies = {
  /** Folder of unfinished copies, on the same file system. */
  readonly unfinished: string
  /** Returns the path of a copy with these bytes, fetched unless it is there. @param again hashes a copy that is there again */
  path(object: HashedObject, fetch: () => Promise<Readable>, again: boolean): Promise<string | null>
  /** Stores the bytes of a stream under their hash. */
  keep(fetch: () => Promise<Readable>): Promise<Copy>
  /** Takes over a file of the folder of unfinished copies. */
  adopt(file: string, sha256: string): Promise<string>
}

type Copy = { readonly path: string; readonly sha256: string; readonly size_bytes: number }

/**
 * Opens the copies of objects on this machine, by the hash of their bytes. Copies are written beside and renamed into place, so that no
 * process reads half of one; they are hashed while they are written, and once by each process that finds them there.
 * @param bytes_max  size of all copies, above which those that are not leased are removed, the longest unused first
 */
export function openObjectCopies(folder: string, bytes_max: number): ObjectCopies {
  const unfinished = join(folder, 'unfinished')
  const placeOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256)
  const fetching = new Map<string, Promise<string | null>>()
  const intact = new Map<string, string>()
  const inTurn = atMost(FETCHES_MAX)
  let bytes: number | null = null

  const adopt = async (file: string, sha256: string): Promise<string> => {
    const path = placeOf(sha256)
    await makeCacheFolder(join(folder, sha256.slice(0, 2)))
    await rename(file, path)
    const found = await stat(path)
    intact.set(sha256, stateOf(found))
    if (bytes !== null) bytes += found.size
    if (bytes === null || bytes > bytes_max) bytes = await evict(folder, bytes_max)
    return path
  }

  const keep = (fetch: () => Promise<Readable>): Promise<Copy> =>
    inTurn(async () => {
      await makeCacheFolder(unfinished)
      const file = join(unfinished, randomUUID())
      try {
        const written = await writeHashed(await fetch(), file)
        return { ...written, path: await adopt(file, written.sha256) }
      } catch (error) {
        await rm(file, { force: true })
        throw error
      }
    })

  /** Returns the path of a copy that is there and whole. */
  const findIntact = async ({ sha256, size_bytes }: HashedObject, again: boolean): Promise<string | null> => {
    const path = placeOf(sha256)
    const found = await stat(path).catch(() => null)
    if (found === null || found.size !== size_bytes) return null
    if (again || intact.get(sha256) !== stateOf(found)) {
      if ((await hashFile(path)) !== sha256) return null
      intact.set(sha256, stateOf(found))
    }
    const now_ms = Date.now()
    if (now_ms - found.atimeMs > RENEW_MS) await utimes(path, now_ms / 1000, found.mtimeMs / 1000)
    return path
  }

  const fetchCopy = async (object: HashedObject, fetch: () => Promise<Readable>): Promise<string | null> => {
    const copy = await keep(fetch)
    return copy.sha256 === object.sha256 ? copy.path : null
  }

  return {
    unfinished,
    keep,
    adopt,
    async path(object, fetch, again) {
      const found = await findIntact(object, again).catch(() => null)
      if (found !== null) return found
      const under_way = fetching.get(object.sha256)
      if (under_way !== undefined) return under_way
      const fetched = fetchCopy(object, fetch).finally(() => fetching.delete(object.sha256))
      fetching.set(object.sha256, fetched)
      return fetched
    },
  }
}

type FileState = { readonly ino: number; readonly mtimeMs: number; readonly size: number }

function stateOf({ ino, mtimeMs, size }: FileState): string {
  return `${ino} ${Math.floor(mtimeMs)} ${size}`
}

async function writeHashed(source: Readable, file: string): Promise<Omit<Copy, 'path'>> {
  const hash = createHash('sha256')
  let size_bytes = 0
  const counted = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      hash.update(piece)
      size_bytes += piece.byteLength
      yield piece
    }
  }
  await pipeline(source, counted, createWriteStream(file, { flags: 'wx' }))
  return { sha256: hash.digest('hex'), size_bytes }
}

/** Removes the copies that were unused for longest until the others fit; returns the size of those. */
async function evict(folder: string, bytes_max: number): Promise<number> {
  const copies: { readonly path: string; readonly size: number; readonly atimeMs: number }[] = []
  for (const name of await readdir(folder)) {
    if (!/^[0-9a-f]{2}$/.test(name)) continue
    for (const sha256 of await readdir(join(folder, name)).catch(() => [])) {
      const path = join(folder, name, sha256)
      const found = await stat(path).catch(() => null) // another process may have removed it
      if (found !== null) copies.push({ path, size: found.size, atimeMs: found.atimeMs })
    }
  }
  let bytes = copies.reduce((sum, { size }) => sum + size, 0)
  const free_from = Date.now() - LEASE_MS
  for (const { path, size, atimeMs } of copies.sort((a, b) => a.atimeMs - b.atimeMs)) {
    if (bytes <= bytes_max || atimeMs > free_from) break
    await rm(path, { force: true })
    bytes -= size
  }
  return bytes
}

/** Creates a queue in which at most so many pieces of work run at once. */
function atMost(limit: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
