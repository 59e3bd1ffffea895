import { constants } from 'node:fs'
import { access as checkAccess } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../../primitives/errors.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { makeFolder } from '../make-folder.ts'
import { diskFull, writeFault } from '../store-error.ts'
import type { ObjectStoreAccess } from './object-store-access.ts'

/** Returns the folder of this machine for what is derived from a warehouse in an object store. It can be made again from the store. */
export function hostFolder(root: string, { endpoints, folder }: ObjectStoreAccess): string {
  return join(folder, 'warehouses', sha256Hex(`${endpoints.join(',')} ${root}`).slice(0, 32))
}

/**
 * Creates a folder below the cache of this machine unless it exists.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: TIDEMARK_CACHE names a place that cannot be written; WAREHOUSE_STORE_FULL
 */
export async function makeCacheFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await checkAccess(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    if (writeFault(error) === 'full') throw diskFull('cache', folder, error)
    const message = `folder ${folder} of TIDEMARK_CACHE cannot be used (${(error as Error).message}); allowed: a TIDEMARK_CACHE that this user may write to`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'TIDEMARK_CACHE', value: folder }, error)
  }
}
