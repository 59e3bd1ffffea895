import { randomUUID } from 'node:crypto'
import type { Micros } from '../../primitives/instants.ts'
import { placeOnce } from './read-back.ts'
import { type Store, type StoreKey, UNFINISHED } from './store.ts'

/** Longest time for which a lease keeps files, in microseconds: a process that reads for longer starts from a newer version. */
const LEASE_MAX = 3_600_000_000
const NAME = /\/reading-(\d+)-(\d+)-[^/]*$/

/**
 * Keeps the files of every version from now on for this process, whatever their retention, until the returned function is called, the
 * process ends, or an hour has passed.
 */
export async function holdReadLease(store: Store): Promise<() => Promise<void>> {
  const key = `${UNFINISHED}/reading-${await store.now()}-${process.pid}-${randomUUID()}`
  await placeOnce(store, key, new Uint8Array())
  return () => store.delete(key)
}

/**
 * Returns the instant from which a lease of another process keeps files; null: the key is no lease, or nobody holds it any more. Whether
 * a process of another machine runs cannot be seen, so that in an object store a lease holds for its longest time.
 */
export function leasedFrom({ remote }: Store, key: StoreKey, now: Micros): Micros | null {
  const [, at, pid] = NAME.exec(key) ?? []
  if (at === undefined || Number(at) < now - LEASE_MAX) return null
  if (remote !== undefined) return Number(at)
  if (Number(pid) === process.pid) return null
  return isRunning(Number(pid)) ? Number(at) : null
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
