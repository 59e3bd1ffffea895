import { join } from 'node:path'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { recordedData } from '../recorded-data.ts'
import { onceInRun } from './once-in-run.ts'

/**
 * Imports the recorded ForecastBench archive under the recorded clock, once in a run. Nobody adds a row to its warehouse: another import
 * of the archive finds every row there.
 * @returns folder of the warehouse, and the import's report
 */
export function runArchive() {
  return onceInRun('forecastbench', async (folder) => {
    const root = join(folder, 'warehouse')
    const warehouse = await openWarehouse({ root, create: true })
    const dir = recordedData('forecastbench')
    const report = await importArchive({ archive: 'forecastbench', dir, clock: 'recorded', warehouse })
    await warehouse.close()
    return { root, report }
  })
}
