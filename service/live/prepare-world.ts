import { fileURLToPath } from 'node:url'
import { importLive } from '../../operations/import/import-live.ts'
import { applyDefinitions } from '../../operations/index/apply-definitions.ts'
import { computeIndexes } from '../../operations/index/compute-indexes.ts'
import { publishMarks } from '../../operations/marks/publish-marks.ts'
import { applySeverityIndex } from '../../operations/severity/apply-severity-index.ts'
import { runSeverity } from '../../operations/severity/run-severity.ts'
import { formatMicros, type Instant, MICROS_PER_SECOND, type Micros, toMicros } from '../../primitives/instants.ts'
import { TABLE_NAMES } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { LIVE_INDEX_IDS, writeLiveDefinitions } from './live-definitions.ts'
import { haveLiveFacts } from './live-facts.ts'
import { chooseWorld, type LiveWorld, readWorld, worldOptions, writeWorld } from './live-world.ts'
import { recordedPast } from './recorded-past.ts'

export type PrepareOptions = {
  readonly home: string
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
  readonly on_step?: (step: string) => void
  /** Where the past of a new world ends: what comes after is published as the clock goes on. Now when left out. */
  readonly until?: Micros | undefined
}

/** The severity index of a world; it is the same for all. */
const SEVERITY_INDEX = fileURLToPath(new URL('../../datasets/severity/world-hazards.yaml', import.meta.url))

const MINUTE: Micros = 60 * MICROS_PER_SECOND
/** Books fill, and medians have something to be of, before the first level. */
const BEFORE_FIRST_LEVEL: Micros = 30 * MINUTE
/** A version that is published under the wall clock takes effect when its venues have been read. */
const LEAD: Micros = 30 * MICROS_PER_SECOND

/**
 * The world to go on with, its indexes registered. A new world has been trading for an hour: where nothing in the warehouse is
 * later than its begin, that hour is published as if the warehouse had stood there, under the recorded clock. Where something
 * is, its indexes begin now.
 * @throws {ServiceError} what the operations throw
 */
export async function prepareWorld(options: PrepareOptions): Promise<LiveWorld> {
  const { home, warehouse, on_step } = options
  const now = await warehouse.now()
  const until = options.until ?? now
  const known = chooseWorld(await readWorld(home), until)
  const has_past = known.effective_from === null && (await publishedThrough(warehouse)) < toMicros(known.start)
  const effective_from = known.effective_from ?? formatMicros(firstTick(known, has_past, now))
  const world = { ...known, effective_from, base_date: known.base_date ?? effective_from }
  // Kept first: whoever is ended below goes on with this world, and publishes now what is missing.
  await writeWorld(home, world)
  if (has_past) {
    on_step?.('publishing the last hour of a world that goes on with the clock')
    await importPast(world, until, options)
  }
  const files = await writeLiveDefinitions(home, world)
  const clock = has_past ? 'recorded' : 'wall'
  await applyDefinitions({ files, clock, warehouse })
  if (has_past) await publishPast(effective_from, until, options)
  await applySeverityIndex({ file: SEVERITY_INDEX, warehouse })
  await haveLiveFacts(home, world)
  if (has_past) await assessPast(world, options)
  return world
}

/** What a committee's program would have said of that hour; the rest it says with the clock. */
async function assessPast({ start }: LiveWorld, { warehouse }: PrepareOptions): Promise<void> {
  const at = formatMicros(toMicros(start) + BEFORE_FIRST_LEVEL)
  await runSeverity({ at, clock: 'recorded', warehouse })
}

/** The last instant at or before which nothing can be published any more, of all tables. */
async function publishedThrough(warehouse: Warehouse): Promise<Micros> {
  const snapshots = await Promise.all(TABLE_NAMES.map((table) => warehouse.log(table).snapshot()))
  return Math.max(0, ...snapshots.map(({ sealed_through }) => sealed_through ?? 0))
}

function firstTick({ start }: LiveWorld, has_past: boolean, now: Micros): Micros {
  if (has_past) return toMicros(start) + BEFORE_FIRST_LEVEL
  return Math.ceil((now + LEAD) / MINUTE) * MINUTE
}

async function importPast(world: LiveWorld, until: Micros, { warehouse, signal }: PrepareOptions): Promise<void> {
  const items = recordedPast(worldOptions(world), until)
  await importLive({ archive: 'payloads', items, clock: 'recorded', warehouse, linger_ms: null, signal })
}

async function publishPast(from: Instant, until: Micros, { warehouse, signal }: PrepareOptions): Promise<void> {
  const range = { from, to: formatMicros(until), clock: 'recorded', warehouse, signal } as const
  await publishMarks({ ...range, interval: 'PT1M' })
  await computeIndexes({ ...range, index_ids: LIVE_INDEX_IDS })
}
