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
  /** End of the past of a new world; later ticks are published live. Default: now. */
  readonly until?: Micros | undefined
}

/** Severity index of every world. */
const SEVERITY_INDEX = fileURLToPath(new URL('../../datasets/severity/world-hazards.yaml', import.meta.url))

const MINUTE: Micros = 60 * MICROS_PER_SECOND
/** Time before the first level for books and medians to fill. */
const BEFORE_FIRST_LEVEL: Micros = 30 * MINUTE
/** Lead of a version published under the wall clock, in which its venues are read. */
const LEAD: Micros = 30 * MICROS_PER_SECOND

/**
 * Prepares the world to run and registers its indexes. A new world has an hour of past, which is published under the recorded clock unless
 * the warehouse holds later data; then its indexes start now.
 * @throws {ServiceError} errors of the operations
 */
export async function prepareWorld(options: PrepareOptions): Promise<LiveWorld> {
  const { home, warehouse, on_step } = options
  const now = await warehouse.now()
  const until = options.until ?? now
  const known = chooseWorld(await readWorld(home), until)
  const has_past = known.effective_from === null && (await publishedThrough(warehouse)) < toMicros(known.start)
  const effective_from = known.effective_from ?? formatMicros(firstTick(known, has_past, now))
  const world = { ...known, effective_from, base_date: known.base_date ?? effective_from }
  // Saved first, so an interrupted start continues with this world.
  await writeWorld(home, world)
  if (has_past) {
    on_step?.('publishing the last hour of the live world')
    await importPast(world, until, options)
  }
  const files = await writeLiveDefinitions(home, world)
  const clock = has_past ? 'recorded' : 'wall'
  await applyDefinitions({ files, clock, warehouse, is_invented: true })
  if (has_past) await publishPast(effective_from, until, options)
  await applySeverityIndex({ file: SEVERITY_INDEX, warehouse })
  await haveLiveFacts(home, world)
  if (has_past) await assessPast(world, options)
  return world
}

/** Assesses the events of the past hour; later assessments follow on schedule. */
async function assessPast({ start }: LiveWorld, { warehouse }: PrepareOptions): Promise<void> {
  const at = formatMicros(toMicros(start) + BEFORE_FIRST_LEVEL)
  await runSeverity({ at, clock: 'recorded', warehouse })
}

/** Returns the latest sealed instant of all tables, up to which nothing can be published any more. */
async function publishedThrough(warehouse: Warehouse): Promise<Micros> {
  const closed = await Promise.all(TABLE_NAMES.map((table) => warehouse.log(table).closedThrough()))
  return Math.max(0, ...closed.map((through) => through ?? 0))
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
