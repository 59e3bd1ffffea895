import { randomUUID } from 'node:crypto'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { makeFolder } from './make-folder.ts'
import { type RemoteStore, type Store, type StoreKey, UNFINISHED } from './store.ts'

/** Writers of one name at once, and names that they race for: a store that lets two win in one race of three is found out. */
const WRITERS = 16
const ROUNDS = 20

/**
 * Tests the conditional write of a store: the second write of a name must fail and change nothing. Otherwise two writers could
 * both win one version, so the warehouse does not open. A store of several processes may pass that test and still let writers win that
 * write at the same time, so writers race through all its endpoints.
 * @returns false if the store is read-only
 * @throws {ServiceError} WAREHOUSE_STORE_UNSUITABLE, WAREHOUSE_STORE_FULL
 */
export async function probeStore(store: Store): Promise<boolean> {
  try {
    await writeTwice(store)
    if (store.remote !== undefined) await raceOnceADay(store, store.remote)
    return true
  } catch (error) {
    const code = codeOf(isServiceError(error) ? error.cause : error)
    if (code === 'EROFS' || code === 'EACCES') return false
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS' || code === 'EMLINK') {
      throw unsuitable(store.root, `a hard link was refused (${code})`)
    }
    throw error
  }
}

/** Names that are tried: an answer that is lost on its way tells nothing about the store. */
const TRIES_MAX = 8

/** Writes a name twice. @throws {ServiceError} WAREHOUSE_STORE_UNSUITABLE: the second write is made too, or no first one is */
async function writeTwice(store: Store): Promise<void> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const key = `${UNFINISHED}/probe-${randomUUID()}`
    try {
      const first = await store.putIfAbsent(key, Buffer.from('first'))
      const second = await store.putIfAbsent(key, Buffer.from('second'))
      const kept = (await store.get(key))?.toString()
      if (first === 'placed' && (second === 'placed' || kept !== 'first'))
        throw unsuitable(store.root, 'two conditional writes of one name both succeeded')
      if (first === 'placed' && second === 'taken') return
    } finally {
      await store.delete(key).catch(() => undefined)
    }
  }
  throw unsuitable(store.root, `of ${TRIES_MAX} new names, each was refused or its write not answered`)
}

/** Time for which a store that passed the races is not raced again by this machine: commands are many, and each race costs. */
const PASSED_MS = 86_400_000

async function raceOnceADay(store: Store, { endpoints, folder }: RemoteStore): Promise<void> {
  const note = join(folder, 'raced')
  const passed_ms = await stat(note).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  if (Date.now() - passed_ms < PASSED_MS) return
  const keys = Array.from({ length: ROUNDS }, () => `${UNFINISHED}/probe-${randomUUID()}`)
  try {
    for (const key of keys) await race(store, endpoints, key)
  } finally {
    // Only now: a store over a folder makes the folder of the first key anew, which lets its writers in one after the other.
    await Promise.all(keys.map((key) => store.delete(key).catch(() => undefined)))
  }
  await makeFolder(folder)
  await writeFile(note, '')
}

/** Lets writers race for one name. At most one may win, and the name must keep its bytes. */
async function race(store: Store, endpoints: readonly Store[], key: StoreKey): Promise<void> {
  const writers = Array.from({ length: WRITERS }, (_, n) => endpoints[n % endpoints.length]!)
  const outcomes = await Promise.all(writers.map((writer, n) => writer.putIfAbsent(key, Buffer.from(String(n)))))
  const winners = outcomes.flatMap((outcome, n) => (outcome === 'placed' ? [String(n)] : []))
  const kept = (await store.get(key))?.toString()
  if (winners.length > 1) throw unsuitable(store.root, `${winners.length} of ${WRITERS} writers won one name at once`)
  if (winners.length === 1 && kept !== winners[0]) throw unsuitable(store.root, 'a written name lost its bytes')
}

function unsuitable(root: string, seen: string): ServiceError {
  return new ServiceError(
    'WAREHOUSE_STORE_UNSUITABLE',
    `warehouse ${root} is on a store without a safe conditional write: ${seen}; allowed: a file system with hard links, or an object store ` +
      'whose conditional writes are atomic',
    { root, seen },
  )
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code
}
