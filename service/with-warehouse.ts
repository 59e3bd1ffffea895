import { stat } from 'node:fs/promises'
import { ServiceError } from '../primitives/errors.ts'
import { isObjectStore } from '../warehouse/store/s3/s3-location.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { Settings } from './configuration.ts'
import { refuseUnfinished } from './usable-home.ts'

/**
 * Opens the warehouse of the settings while `work` runs, with a read lease: upkeep of a service deletes no file that `work` may read.
 * A missing one is created only with `create`.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID if the path is not a folder, or a restore of the home has not ended; errors of openWarehouse and `work`
 */
export async function withWarehouse<T>(
  settings: Settings,
  options: { readonly create: boolean },
  work: (warehouse: Warehouse) => Promise<T>,
): Promise<T> {
  refuseUnfinished(settings.home)
  if (!isObjectStore(settings.warehouse)) await refuseFile(settings.warehouse)
  const { openWarehouse } = await import('../warehouse/warehouse.ts')
  const warehouse = await openWarehouse({ root: settings.warehouse, create: options.create, lease: true })
  try {
    return await work(warehouse)
  } finally {
    await warehouse.close()
  }
}

async function refuseFile(path: string): Promise<void> {
  const kind = await stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'file'),
    (error: NodeJS.ErrnoException) => (error.code === 'ENOTDIR' ? 'file' : 'absent'),
  )
  if (kind !== 'file') return
  throw new ServiceError('VALIDATION_USAGE_INVALID', `warehouse is ${path}, which is a file; allowed: a folder`, {
    warehouse: path,
  })
}
