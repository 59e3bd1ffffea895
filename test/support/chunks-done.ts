import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the number of chunks that the backfills of a home have finished so far. */
export function chunksDone(home: string): number {
  const backfills = join(home, 'backfills')
  if (!existsSync(backfills)) return 0
  const names = readdirSync(backfills).filter((name) => name.endsWith('.chunks.ndjson'))
  const isDone = (line: string) => line !== '' && !line.startsWith('["stored ')
  return names.reduce((sum, name) => {
    return sum + readFileSync(join(backfills, name), 'utf8').split('\n').filter(isDone).length
  }, 0)
}
