import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { isObjectStore } from '../../warehouse/store/s3/s3-location.ts'
import { fillingFolder } from '../../warehouse/warehouse.ts'
import { sampleFolder } from './publish-sample.ts'
import { sampleReportFile } from './report-sample.ts'

/**
 * Deletes the sample, the warehouse and the live world of an earlier run, and nothing that lies elsewhere.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the warehouse lies outside home, or in an object store
 */
export async function removeEarlierRun(home: string, warehouse_root: string): Promise<void> {
  const inside = relative(home, warehouse_root)
  if (isObjectStore(warehouse_root) || inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) {
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `warehouse is ${warehouse_root}; allowed with --fresh: a folder inside home (${home})`,
      { warehouse: warehouse_root, home },
    )
  }
  if (existsSync(join(warehouse_root, 'warehouse.json'))) await rm(warehouse_root, { recursive: true })
  await rm(fillingFolder(warehouse_root), { recursive: true, force: true })
  for (const folder of [sampleFolder(home), join(home, 'live')]) await rm(folder, { recursive: true, force: true })
  await rm(sampleReportFile(home), { force: true })
}
