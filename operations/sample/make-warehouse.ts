import { existsSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { isObjectStore } from '../../warehouse/store/s3/s3-location.ts'
import { fillingFolder, openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'

/**
 * Fills a warehouse. A new one is filled in a folder beside its own and renamed when it is complete: readers see no warehouse
 * until then, and ask nothing that would end the recorded clock. An interrupted fill is continued.
 * @param root folder of the warehouse; an object store cannot rename, so it is filled in place
 */
export async function makeWarehouse<T>(root: string, fill: (warehouse: Warehouse) => Promise<T>): Promise<T> {
  const is_new = await isNewWarehouse(root)
  const folder = is_new ? fillingFolder(root) : root
  const warehouse = await openWarehouse({ root: folder, create: true })
  let filled: T
  try {
    filled = await fill(warehouse)
  } finally {
    await warehouse.close()
  }
  if (is_new) await rename(folder, root)
  return filled
}

/** Reports whether `makeWarehouse` fills a folder beside that of the warehouse. */
export async function isNewWarehouse(root: string): Promise<boolean> {
  return !isObjectStore(root) && !existsSync(join(root, 'warehouse.json')) && (await isFree(root))
}

async function isFree(root: string): Promise<boolean> {
  if (!existsSync(root)) return true
  return (await readdir(root)).length === 0
}
