import { join } from 'node:path'
import { sha256Hex } from '../../../primitives/ids.ts'
import type { ObjectStoreAccess } from './object-store-access.ts'

/** Returns the folder of this machine for what is derived from a warehouse in an object store. It can be made again from the store. */
export function hostFolder(root: string, { endpoints, folder }: ObjectStoreAccess): string {
  return join(folder, 'warehouses', sha256Hex(`${endpoints.join(',')} ${root}`).slice(0, 32))
}
