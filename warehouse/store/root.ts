import { resolve } from 'node:path'
import { isObjectStore } from './s3/s3-location.ts'

/** Returns the root of a warehouse in its full form: an absolute path, or the address of an object store. */
export function resolveRoot(root: string): string {
  return isObjectStore(root) ? root.replace(/\/+$/, '') : resolve(root)
}
