import type { Warehouse } from '../warehouse/warehouse.ts'
import type { Settings } from './config.ts'

/** Opens the warehouse of the settings for the time of `work`. A missing folder is made only where `create` says so. */
export async function withWarehouse<T>(
  settings: Settings,
  options: { readonly create: boolean },
  work: (warehouse: Warehouse) => Promise<T>,
): Promise<T> {
  const { openWarehouse } = await import('../warehouse/warehouse.ts')
  const warehouse = await openWarehouse({ root: settings.warehouse, create: options.create })
  try {
    return await work(warehouse)
  } finally {
    await warehouse.close()
  }
}
