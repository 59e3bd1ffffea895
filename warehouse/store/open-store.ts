import { ServiceError } from '../../primitives/errors.ts'
import { openLocalStore } from './local-store.ts'
import { resolveRoot } from './root.ts'
import { objectStoreAccess } from './s3/object-store-access.ts'
import { isObjectStore, parseS3Location, S3_FORM } from './s3/s3-location.ts'
import type { Store } from './store.ts'

/**
 * Opens the store of the warehouse at a root: a folder, or `s3://bucket/prefix`.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the location, its keys or the cache folder; WAREHOUSE_STORE_FULL
 */
export async function openStore(root: string): Promise<Store> {
  const full = resolveRoot(root)
  if (!isObjectStore(full)) return openLocalStore(full)
  const location = parseS3Location(full)
  const access = objectStoreAccess()
  if (location === null) throw refused(full, S3_FORM)
  if (access === null) throw refused(full, 'a folder: this process has no settings of an object store')
  if (access.access_key_id === '' || access.secret_access_key === '') {
    throw refused(full, 'with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY set')
  }
  // Commands that read a folder need none of its HTTP client.
  const [{ openS3Store }, { makeCacheFolder }] = await Promise.all([
    import('./s3/s3-store.ts'),
    import('./s3/host-folder.ts'),
  ])
  const store = openS3Store(full, location, access)
  await makeCacheFolder(store.remote!.folder) // a cache that cannot be used is refused before any work
  return store
}

/** Returns the folder of this machine for what is derived from a warehouse and can be made again. */
export function localFolder(store: Store): string {
  return store.remote?.folder ?? store.root
}

function refused(root: string, allowed: string): ServiceError {
  return new ServiceError('VALIDATION_USAGE_INVALID', `warehouse is ${root}; allowed: ${allowed}`, {
    field: 'warehouse',
    value: root,
  })
}
