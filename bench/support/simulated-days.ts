import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toMicros } from '../../primitives/instants.ts'
import { processEnvironment, readSettings } from '../../service/configuration.ts'
import { simulateFiles } from '../../simulator/files/simulate-files.ts'

const START = toMicros('2026-01-01T00:00:00Z')
export const MARKETS = 200
export const INTERVAL_SECONDS = 10

/** Version of the cached payloads, raised when the simulator changes them; older caches are ignored. */
const FORM = 1

/**
 * Returns the folder with `days` days of Kalshi's payloads: 200 markets, with traders at each every 10 s. It is made once and kept
 * in the cache folder (TIDEMARK_CACHE).
 */
export async function simulatedDays(days: number): Promise<string> {
  const dir = join(readSettings({}, processEnvironment()).cache, 'bench', `kalshi-${FORM}-${days}-days`)
  if (existsSync(dir)) return dir
  await mkdir(dirname(dir), { recursive: true })
  const making = await mkdtemp(`${dir}-`)
  process.stderr.write(`simulating ${days} days of ${MARKETS} markets in ${dir}\n`)
  await simulateFiles({
    options: { seed: 'week', start: START, days, markets: MARKETS, interval: INTERVAL_SECONDS * 1_000_000 },
    venues: ['kalshi'],
    dir: making,
  })
  await rename(making, dir)
  return dir
}
