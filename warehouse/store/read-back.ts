import { setTimeout as sleep } from 'node:timers/promises'
import { type BackoffRule, backoffMs } from '../../primitives/backoff.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Store, StoreKey } from './store.ts'

/** Reads of a key whose write has no known outcome; with the pauses between them they take about ten seconds. */
const READS_MAX = 9
const BETWEEN: BackoffRule = { first_ms: 50, max_ms: 3200 }

/**
 * Reads a key whose conditional write was not answered by `placed`, until it exists.
 * @throws {ServiceError} OUTCOME_UNKNOWN: it does not, so the write may still take effect, or never will
 */
export async function readBack(
  store: Store,
  key: StoreKey,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<Buffer> {
  for (let read = 1; read <= READS_MAX; read++) {
    const bytes = await store.get(key).catch(() => null) // a store that cannot be read now may answer later
    if (bytes !== null) return bytes
    if (read < READS_MAX) await pause(backoffMs(BETWEEN, read))
  }
  throw new ServiceError(
    'OUTCOME_UNKNOWN',
    `${store.root} did not answer whether ${key} was written, and it cannot be read yet; run the same command again: what was written is found, and nothing is written twice`,
    { key },
  )
}

/**
 * Creates a key unless it exists, where it does not matter who created it.
 * @throws {ServiceError} OUTCOME_UNKNOWN
 */
export async function placeOnce(store: Store, key: StoreKey, bytes: Uint8Array): Promise<void> {
  if ((await store.putIfAbsent(key, bytes)) === 'unknown') await readBack(store, key)
}
