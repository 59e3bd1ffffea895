import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { recordedData } from '../recorded-data.ts'
import { sized } from '../sized.ts'
import { onceInRun } from './once-in-run.ts'

/** Instant before which the imported values were published; null: all of them. A fifth of the archive has every kind of its rows. */
const PUBLISHED_BEFORE = sized<string | null>('2026-01-20', null)
const VALUES = 'market_values_bitemporal.csv.gz'

/**
 * Imports the recorded ForecastBench archive under the recorded clock, once in a run. Nobody adds a row to its warehouse: another import
 * of the archive finds every row there.
 * @returns folder of the imported files, folder of the warehouse, and the import's report
 */
export function runArchive() {
  return onceInRun('forecastbench', async (folder) => {
    const dir = await sizedArchive()
    const root = join(folder, 'warehouse')
    const warehouse = await openWarehouse({ root, create: true })
    const report = await importArchive({ archive: 'forecastbench', dir, clock: 'recorded', warehouse })
    await warehouse.close()
    return { dir, root, report }
  })
}

/** Returns the folder of the recorded archive, or of a copy without the values that were published later. */
export async function sizedArchive(): Promise<string> {
  const recorded = recordedData('forecastbench')
  if (PUBLISHED_BEFORE === null) return recorded
  return onceInRun('forecastbench-files', async (dir) => {
    cpSync(recorded, dir, { recursive: true })
    const [header, ...lines] = gunzipSync(readFileSync(join(recorded, VALUES)))
      .toString()
      .split('\n')
    const kept = lines.filter((line) => line !== '' && line.split(',', 3)[2]! < PUBLISHED_BEFORE)
    writeFileSync(join(dir, VALUES), gzipSync([header, ...kept, ''].join('\n'), { level: 1 }))
    return dir
  })
}
