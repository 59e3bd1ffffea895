/**
 * Measures minute levels of one index of 20 constituents over some days, computed in one range per day, each continuing from the
 * state of the range before, as the steps of a backfill do; beside one computation of the whole. Both must give the same
 * observations first.
 * Goal: ranges reach at least half of the whole's rate.
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { computeIndexes } from '../operations/index/compute-indexes.ts'
import { invariant } from '../primitives/errors.ts'
import { formatMicros, MICROS_PER_DAY } from '../primitives/instants.ts'
import { openReadSession } from '../warehouse/read/session.ts'
import type { BenchRow } from './bench-row.ts'
import { type PublishWorld, publishWorld } from './support/publish-world.ts'
import { rounded } from './support/rounds.ts'
import { MINUTE, YEAR_START } from './support/synthetic-books.ts'

const DAYS = 5
const DAY_MINUTES = MICROS_PER_DAY / MINUTE

export async function run(): Promise<BenchRow[]> {
  const whole = await measured(async (world) => compute(world, 0, DAYS))
  const ranges = await measured(async (world) => {
    for (let day = 0; day < DAYS; day++) await compute(world, day, day + 1)
  })
  invariant(whole.observations === ranges.observations, 'both ways publish the same observations')
  const details = { days: DAYS, whole_s: rounded(whole.seconds), ranges_s: rounded(ranges.seconds) }
  const per_s = Math.round((DAYS * DAY_MINUTES) / whole.seconds)
  return [
    { figure: 'index_ranges.whole_levels_per_s', value: per_s, unit: 'levels/s', goal: null, details },
    {
      figure: 'index_ranges.to_whole',
      value: rounded(whole.seconds / ranges.seconds),
      unit: 'x',
      goal: { at_least: 0.5 },
      details,
    },
  ]
}

async function measured(
  work: (world: PublishWorld) => Promise<void>,
): Promise<{ seconds: number; observations: string }> {
  const world = await publishWorld({ indexes: 1, constituents: 20, markets: 20 })
  try {
    await world.history(DAYS * DAY_MINUTES)
    rmSync(join(world.warehouse.root, '.derived'), { recursive: true, force: true })
    const started = performance.now()
    await work(world)
    return { seconds: (performance.now() - started) / 1000, observations: await observationsOf(world) }
  } finally {
    await world.close()
  }
}

async function compute({ warehouse, index_ids }: PublishWorld, from_day: number, to_day: number): Promise<void> {
  const at = (day: number) => formatMicros(YEAR_START + day * MICROS_PER_DAY)
  await computeIndexes({ index_ids, from: at(from_day), to: at(to_day), clock: 'wall', warehouse })
}

async function observationsOf({ warehouse }: PublishWorld): Promise<string> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_observation'] })
  try {
    const rows = await session.query('select observation_id from index_observation_history order by tick_at')
    invariant(rows.length === DAYS * DAY_MINUTES, `every tick has a level: ${rows.length}`)
    return rows.map((row) => row.observation_id).join()
  } finally {
    await session.close()
  }
}
