/**
 * Measures one run that rates and publishes 10,000 markets, each with a stored day of hourly quotes and books of 10 levels a side.
 * Goal: under 60 s on two cores.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runRatings } from '../operations/rating/run-ratings.ts'
import { invariant } from '../primitives/errors.ts'
import { formatMicros, toMicros } from '../primitives/instants.ts'
import { E22_MARKET, type RatedMarket, writeRatedDay } from '../test/support/rating-world.ts'
import { openWarehouse } from '../warehouse/warehouse.ts'
import type { BenchRow } from './bench-row.ts'

const MARKETS = 10_000
/** Markets per write; a day's rows are made in memory. */
const BATCH = 500
const LEVELS = 10
const AT = toMicros('2026-06-01T00:00:00Z')

export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  try {
    for (let from = 0; from < MARKETS; from += BATCH) {
      const markets = Array.from({ length: BATCH }, (_, n) => marketOf(from + n))
      await writeRatedDay(warehouse, markets, AT + from * 1000, { every: 1, health_days: from === 0 ? 40 : 0 })
    }
    const started = performance.now()
    const cpu = process.cpuUsage()
    const at = formatMicros(AT + 60_000_000)
    const report = await runRatings({ at, clock: 'wall', warehouse })
    const seconds = (performance.now() - started) / 1000
    const { user, system } = process.cpuUsage(cpu)
    invariant(report.published === MARKETS, `every market is rated: ${report.published}`)
    const details = {
      markets: MARKETS,
      cpu_seconds: Math.round((user + system) / 1e5) / 10,
      bands: JSON.stringify(report.bands),
    }
    const value = Math.round(seconds * 10) / 10
    return [{ figure: 'rating.run.seconds', value, unit: 's', goal: { at_most: 60 }, details }]
  } finally {
    await warehouse.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns a market with its own rules text, so that no score is shared. */
function marketOf(n: number): RatedMarket {
  const side = (best: number, step: number) =>
    Array.from(
      { length: LEVELS },
      (_, level) => [`0.${best + step * level}`, String(100 + ((n * 7 + level * 13) % 900))] as const,
    )
  const rules = { ...E22_MARKET.rules, resolution_question: `Will number ${n} be above 3?` }
  return { ...E22_MARKET, market_id: `mkt_bench_${n}`, rules, bids: side(62, -1), asks: side(64, 1) }
}
