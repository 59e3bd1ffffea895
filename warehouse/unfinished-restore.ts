import { ServiceError } from '../primitives/errors.ts'
import type { Store } from './store/store.ts'

/** File that marks a home, and object that marks the place of a warehouse, whose restore has not ended. */
export const UNFINISHED_RESTORE = 'restore-unfinished.json'

/**
 * Refuses a place where a restore has not ended: a new warehouse there would lack the files that are still missing.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export async function refuseHalfRestored(store: Store): Promise<void> {
  if ((await store.stat(UNFINISHED_RESTORE)) === null) return
  const { root } = store
  const message = `warehouse is ${root}, where a restore has not ended; allowed: wait for its end, or delete everything there and the home of that restore, and restore again`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'warehouse', value: root })
}
