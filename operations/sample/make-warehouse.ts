import { existsSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'

/**
 * Fills a warehouse. One that is new is filled beside its place and put there when it is complete: whoever looks meanwhile
 * sees no warehouse, and asks nothing that would end the recorded clock. What was ended half-way is gone on with.
 * @param root folder of the warehouse
 */
export async function makeWarehouse<T>(root: string, fill: (warehouse: Warehouse) => Promise<T>): Promise<T> {
  const is_new = !existsSync(join(root, 'warehouse.json')) && (await isFree(root))
  const place = is_new ? `${root}${MAKING}` : root
  const warehouse = await openWarehouse({ root: place, create: true })
  let filled: T
  try {
    filled = await fill(warehouse)
  } finally {
    await warehouse.close()
  }
  if (is_new) await rename(place, root)
  return filled
}

/** Ends the name of a folder that is being filled. */
export const MAKING = '.making'

async function isFree(root: string): Promise<boolean> {
  if (!existsSync(root)) return true
  return (await readdir(root)).length === 0
}
