import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './source-files.ts'

/**
 * Folder of recorded data of one kind, such as `forecastbench`, or null where it is absent: then the reason is printed
 * and the caller skips. With CI=true an absent folder is an error, so that no run is green without the data.
 */
export function sharedData(kind: string): string | null {
  const shared = process.env.TIDEMARK_SHARED ?? join(ROOT, '..', 'shared')
  const folder = join(shared, 'data', kind)
  if (existsSync(folder)) return folder
  const reason = `recorded data is absent: ${folder} is no folder; set TIDEMARK_SHARED to the folder that holds data/${kind}`
  if (process.env.CI === 'true') throw new Error(reason)
  console.warn(`SKIPPED: ${reason}`)
  return null
}
