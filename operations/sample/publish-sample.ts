import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { readGovernance } from '../governance/read-governance.ts'
import { importPayloads } from '../import/import-payloads.ts'
import { applyDefinitions } from '../index/apply-definitions.ts'
import { type ComputedIndex, computeIndexes } from '../index/compute-indexes.ts'
import { correctIndex, type Revision } from '../index/correct-index.ts'
import type { AppliedIndex } from '../index/plan-definition.ts'
import { type MarkedImportReport, withMarks } from '../marks/import-and-mark.ts'
import { type ComparedLevel, compareLevels } from './compare-levels.ts'
import { refuseGovernedSample } from './refuse-sample.ts'
import { SAMPLE_STORY } from './sample-story.ts'
import { type SampleWorld, sampleDefinitions, sampleRange, sampleWorlds } from './sample-worlds.ts'

/** Writes the payloads of one world into a folder that is empty or new, and `truth.json` there last of all. */
type WriteWorld = (world: SampleWorld, dir: string, signal?: AbortSignal) => Promise<void>

/** Written last: a folder with this file is complete. */
const TRUTH_FILE = 'truth.json'

/** Writes the recordings of the sample, each into its folder below `dir`; one that is complete is left as it is. */
async function writeSampleWorlds(request: {
  readonly dir: string
  readonly write_world: WriteWorld
  readonly signal?: AbortSignal | undefined
}): Promise<void> {
  const { dir, write_world, signal } = request
  for (const world of sampleWorlds()) {
    const folder = join(dir, world.folder)
    if (existsSync(join(folder, TRUTH_FILE))) continue
    await rm(folder, { recursive: true, force: true })
    await write_world(world, folder, signal)
  }
}

/** Acts of the sample week under the recorded clock. An interrupted call is completed by the next one. */
export type SampleGovernance = {
  /** Acts that decide which levels are published. */
  before_levels(warehouse: Warehouse): Promise<void>
  /** Acts that follow from published levels: notices, complaints, corrections. */
  after_levels(warehouse: Warehouse): Promise<void>
}

export type PublishSampleRequest = {
  /** Folder of everything this makes: the payloads in `<home>/sample`. */
  readonly home: string
  readonly write_world: WriteWorld
  readonly signal?: AbortSignal | undefined
  /** Called when a step begins. */
  readonly on_step?: ((step: string) => void) | undefined
  /** Acts of the people who govern an index of the sample; none when left out. */
  readonly governance?: SampleGovernance | undefined
  /** Publishes more under the recorded clock: after the sample's week, before its correction, which is stamped now. */
  readonly before_correction?: ((warehouse: Warehouse) => Promise<void>) | undefined
}

/** Published parts of the sample. */
export type PublishedSample = {
  readonly imported: MarkedImportReport
  readonly applied: readonly AppliedIndex[]
  readonly computed: readonly ComputedIndex[]
  readonly corrected: readonly Revision[]
}

/**
 * Has the sample's week in a warehouse, to its last level: simulates recordings of three venues, loads them under the recorded
 * clock, publishes six indexes as they could have been published then, and corrects one of them. The same bytes and levels every
 * time. What was ended is completed by the next call; one after that changes nothing.
 * @returns null: an earlier call had published all of it
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED: the warehouse already holds later data; GOVERNANCE_REQUIRED: the home has a roster of
 *   its own; and what the steps throw
 */
export async function publishSample(
  warehouse: Warehouse,
  request: PublishSampleRequest,
): Promise<PublishedSample | null> {
  if ((await askCorrection(warehouse)) !== null) return null
  refuseGovernedSample((await readGovernance(warehouse)).state)
  const { home, write_world, signal, governance, before_correction, on_step = () => undefined } = request
  const dir = sampleFolder(home)
  const clock = 'recorded'
  on_step('simulating a week of Kalshi, Polymarket and Manifold')
  await writeSampleWorlds({ dir, write_world, signal })
  on_step('importing what was recorded of them and publishing its marks, under its own publication times')
  const imported = await withMarks({ warehouse, clock, signal }, (on_markets) =>
    importPayloads({ archive: 'payloads', dir, clock, warehouse, signal, on_markets }),
  )
  on_step('registering six indexes, governing one of them, and publishing their levels')
  const { indexes: applied } = await applyDefinitions({ files: sampleDefinitions(), clock, warehouse })
  const index_ids = applied.map(({ index_id }) => index_id)
  await governance?.before_levels(warehouse)
  const { indexes: computed } = await computeIndexes({ index_ids, ...sampleRange(), clock, warehouse, signal })
  await governance?.after_levels(warehouse)
  await before_correction?.(warehouse)
  on_step('correcting the levels that a withdrawn resolution had entered')
  const { index_id, from, to, reason } = SAMPLE_STORY
  const { revised: corrected } = await correctIndex({ index_id, from, to, reason, warehouse, signal })
  return { imported, applied, computed, corrected }
}

/** One level before and after its correction, which a run publishes last: null until then. */
export function askCorrection(warehouse: Warehouse): Promise<ComparedLevel | null> {
  const known_at: Instant = sampleRange().to
  return compareLevels(warehouse, { index_id: SAMPLE_STORY.index_id, tick_at: SAMPLE_STORY.from, known_at })
}

/** Folder of the sample's payloads. */
export function sampleFolder(home: string): string {
  return join(home, 'sample')
}
