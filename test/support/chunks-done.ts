import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BACKFILLS } from '../../warehouse/store/work-keys.ts'

/** Returns the number of chunks that the unfinished backfills of a warehouse in a folder have done so far. */
export function chunksDone(root: string): number {
  const folder = join(root, BACKFILLS)
  if (!existsSync(folder)) return 0
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ndjson'))
  const isDone = (line: string) => line !== '' && !line.startsWith('["stored ')
  return names.reduce(
    (sum, name) => sum + readFileSync(join(folder, name), 'utf8').split('\n').filter(isDone).length,
    0,
  )
}
