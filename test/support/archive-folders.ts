import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach } from 'vitest'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { tempFolder } from './temp-folder.ts'

/** For the tests of a file: an empty archive for each, and warehouses that are closed at the end. */
export function archiveFolders() {
  const folder = tempFolder()
  const opened: Warehouse[] = []
  const archive = { dir: '', newWarehouse }
  let number = 0
  beforeEach(() => {
    number += 1
    archive.dir = join(folder, `archive-${number}`)
    mkdirSync(archive.dir)
  })
  afterAll(async () => {
    for (const warehouse of opened) await warehouse.close()
  })
  async function newWarehouse(): Promise<Warehouse> {
    const warehouse = await openWarehouse({ root: join(folder, `warehouse-${opened.length}`), create: true })
    opened.push(warehouse)
    return warehouse
  }
  return archive
}
