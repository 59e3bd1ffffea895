import { join } from 'node:path'
import { afterEach } from 'vitest'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'

/** Warehouses of the tests of a file, and what else is closed after each of them, the last opened first. */
export function openedWarehouses(folder: string) {
  const running: { close(): Promise<unknown> }[] = []
  afterEach(async () => {
    for (const one of running.splice(0)) await one.close()
  })
  const warehouseAt = async (name: string): Promise<Warehouse> => {
    const warehouse = await openWarehouse({ root: join(folder, name), create: true })
    running.unshift(warehouse)
    return warehouse
  }
  return { running, warehouseAt }
}
