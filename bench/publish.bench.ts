/**
 * Measures the publication of 1,000 indexes of 20 constituents over 400 markets that quote every minute: marks and levels
 * of ten consecutive ticks, each tick's levels in one commit, in user and system time of this process (other work of the minute,
 * such as committing the quotes, is excluded). Beside it a naive peer loads every quote and computes every series from the start
 * at each tick, for 20 of the indexes, after it gave the same observations.
 * Goal: under 30 CPU-seconds per tick, a quarter of two cores.
 */

import { openLivePublisher } from '../operations/live/live-publisher.ts'
import { invariant } from '../primitives/errors.ts'
import { formatMicros } from '../primitives/instants.ts'
import { openReadSession } from '../warehouse/read/session.ts'
import type { BenchRow } from './bench-row.ts'
import { computeLatest } from './support/naive/publish-from-nothing.ts'
import { type PublishWorld, publishWorld } from './support/publish-world.ts'
import { median, rounded } from './support/rounds.ts'

const SIZE = { indexes: 1000, constituents: 20, markets: 400 }
/** Ticks until every outlier window is full. */
const WARM_UP = 12
const TICKS = 10
/** Number of indexes that the naive peer computes. */
const PEER_INDEXES = 20

export async function run(): Promise<BenchRow[]> {
  const world = await publishWorld(SIZE)
  try {
    const publisher = openLivePublisher(world.warehouse)
    const ticks: Tick[] = []
    for (let i = 0; i < WARM_UP + TICKS; i++) {
      await world.nextMinute()
      const tick = await timed(() => publisher.publishDue())
      invariant(tick.value.levels === SIZE.indexes, `every index has a level: ${tick.value.levels}`)
      if (i >= WARM_UP) ticks.push({ ...tick, commits: tick.value.commits, marks: tick.value.marks })
    }
    const commits = await commitsOfLevels(world)
    invariant(commits === WARM_UP + TICKS, `the levels of a tick are one commit: ${commits}`)
    return rowsOf(ticks, await peer(world))
  } finally {
    await world.close()
  }
}

type Timed<T> = { readonly cpu_s: number; readonly wall_s: number; readonly value: T }
type Tick = Omit<Timed<unknown>, 'value'> & { readonly commits: number; readonly marks: number }

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const [cpu, started] = [process.cpuUsage(), performance.now()]
  const value = await work()
  const { user, system } = process.cpuUsage(cpu)
  return { cpu_s: (user + system) / 1e6, wall_s: (performance.now() - started) / 1000, value }
}

/** Returns the naive peer's time per index and tick, after checking that it computes the published observations. */
async function peer(world: PublishWorld): Promise<number> {
  const ids = world.index_ids.slice(0, PEER_INDEXES)
  const { cpu_s, value } = await timed(() => computeLatest(world.warehouse, ids))
  const session = await openReadSession(world.warehouse, { as_of: null, tables: ['index_observation'] })
  try {
    const published = await session.query(
      'select observation_id from index_observation where index_id in (select unnest($ids)) and tick_at = $tick::timestamptz order by index_id',
      { ids, tick: formatMicros(value.tick_at) },
    )
    const [ours, theirs] = [published.map((row) => row.observation_id).sort(), [...value.observation_ids].sort()]
    invariant(JSON.stringify(ours) === JSON.stringify(theirs), 'the peer gives the published observations')
  } finally {
    await session.close()
  }
  return cpu_s / PEER_INDEXES
}

async function commitsOfLevels({ warehouse }: PublishWorld): Promise<number> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_observation'] })
  try {
    const [row] = await session.query('select count(distinct published_at) as n from index_observation_history')
    return row!.n as number
  } finally {
    await session.close()
  }
}

function rowsOf(ticks: readonly Tick[], peer_s: number): BenchRow[] {
  const cpu = ticks.map(({ cpu_s }) => rounded(cpu_s))
  const details = {
    rounds: cpu,
    wall_s: ticks.map(({ wall_s }) => rounded(wall_s)),
    commits: ticks.map(({ commits }) => commits),
    levels: SIZE.indexes,
    marks: ticks.map(({ marks }) => marks),
    rss_mb: Math.round(process.memoryUsage().rss / 1e6),
  }
  const ours = median([...cpu, cpu[0]!])
  const ratio = rounded((peer_s * SIZE.indexes) / ours)
  return [
    { figure: 'publish.cpu_per_tick', value: ours, unit: 's', goal: { at_most: 30 }, details },
    {
      figure: 'publish.over_from_nothing',
      value: ratio,
      unit: 'x',
      goal: null,
      details: { peer_s_an_index: rounded(peer_s) },
    },
  ]
}
