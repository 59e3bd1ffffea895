import { resolve } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { isObjectStore } from './s3/s3-location.ts'

/** Returns the root of a warehouse in its full form: an absolute path, or the address of an object store. */
export function resolveRoot(root: string): string {
  return isObjectStore(root) ? root.replace(/\/+$/, '') : resolve(root)
}

/**
 * Refuses a warehouse in an object store, for what needs it in a folder of this machine.
 * @param purpose in the plural form of a message: `tidemark up`
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function requireFolder(root: string, purpose: string): void {
  if (!isObjectStore(root)) return
  const message = `warehouse is ${root}; allowed for ${purpose}: a folder of this machine`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'warehouse', value: root })
}
