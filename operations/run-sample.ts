import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { invariant, ServiceError } from '../primitives/errors.ts'
import type { Instant } from '../primitives/instants.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { type AppliedIndex, applyDefinitions } from './apply-definitions.ts'
import { type ComputedIndex, computeIndexes } from './compute-indexes.ts'
import { correctIndex, type Revision } from './correct-index.ts'
import type { ImportReport } from './import/import-report.ts'
import { importPayloads } from './import-payloads.ts'
import { MAKING, makeWarehouse } from './make-warehouse.ts'
import type { ReplayRequest } from './replay-index.ts'
import { type ComparedLevel, compareLevels } from './sample/compare-levels.ts'
import { describeSample, type SampleDescription } from './sample/describe-sample.ts'
import { SAMPLE_STORY } from './sample/sample-story.ts'
import { sampleDefinitions, sampleRange } from './sample/sample-worlds.ts'
import { type WriteWorld, writeSampleWorlds } from './sample/write-sample-worlds.ts'

/** What the sample needs of the layers above and beside this one. */
export type SampleTools = {
  readonly write_world: WriteWorld
  /** Replays, and writes the replay's report to `file`. */
  readonly write_report: (request: ReplayRequest & { readonly file: string }) => Promise<void>
}

export type RunSampleRequest = {
  /** Folder of everything this makes: the payloads in `<home>/sample`, the report in `<home>/sample-report.html`. */
  readonly home: string
  /** Folder of the warehouse. */
  readonly warehouse_root: string
  /** Deletes what an earlier run made first. */
  readonly fresh: boolean
  readonly tools: SampleTools
  readonly signal?: AbortSignal
  /** Called when a step begins. */
  readonly on_step?: (step: string) => void
  /** Publishes more under the recorded clock: after the sample's week, before its correction, which is stamped now. */
  readonly before_correction?: (warehouse: Warehouse) => Promise<void>
}

/** What was published by this run; null where an earlier one had published all of it. */
export type PublishedSample = {
  readonly imported: ImportReport
  readonly applied: readonly AppliedIndex[]
  readonly computed: readonly ComputedIndex[]
  readonly corrected: readonly Revision[]
}

export type SampleRun = SampleDescription & {
  readonly archive_dir: string
  readonly report_file: string
  /** The sample's week, half-open. */
  readonly range: { readonly from: Instant; readonly to: Instant }
  readonly published: PublishedSample | null
  readonly correction: ComparedLevel
}

/**
 * From nothing to corrected levels and a report: simulates recordings of three venues, loads them under the recorded clock,
 * publishes five indexes as they could have been published then, corrects one of them, and asks for one level as of two
 * instants. The same bytes and levels every time. A run that was ended is completed by the next; one after that changes nothing.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: fresh, and the warehouse lies outside home; VALIDATION_CLOCK_REFUSED: the
 *   warehouse already holds later data; and what the steps throw
 */
export async function runSample(request: RunSampleRequest): Promise<SampleRun> {
  const { home, warehouse_root, tools, signal, on_step = () => undefined } = request
  if (request.fresh) await removeEarlierRun(home, warehouse_root)
  const archive_dir = join(home, 'sample')
  const report_file = join(home, REPORT_FILE)
  const range = sampleRange()
  return makeWarehouse(warehouse_root, async (warehouse) => {
    const known = await askCorrection(warehouse, range.to)
    const published = known === null ? await publishSample(warehouse, archive_dir, request) : null
    if (published !== null || !existsSync(report_file)) {
      on_step('writing a report')
      const target = SAMPLE_STORY.index_id
      await tools.write_report({ target, ...range, as_of: null, warehouse, file: report_file, signal })
    }
    const correction = known ?? (await askCorrection(warehouse, range.to))
    invariant(correction !== null, 'the sample has a corrected level')
    return { archive_dir, report_file, range, published, correction, ...(await describeSample(warehouse)) }
  })
}

const REPORT_FILE = 'sample-report.html'

async function publishSample(
  warehouse: Warehouse,
  archive_dir: string,
  request: RunSampleRequest,
): Promise<PublishedSample> {
  const { signal, tools, on_step = () => undefined } = request
  const clock = 'recorded'
  on_step('simulating a week of Kalshi, Polymarket and Manifold')
  await writeSampleWorlds({ dir: archive_dir, write_world: tools.write_world, signal })
  on_step('importing what was recorded of them, under its own publication times')
  const imported = await importPayloads({ archive: 'payloads', dir: archive_dir, clock, warehouse, signal })
  on_step('registering five indexes and publishing their levels')
  const { indexes: applied } = await applyDefinitions({ files: sampleDefinitions(), clock, warehouse })
  const index_ids = applied.map(({ index_id }) => index_id)
  const { indexes: computed } = await computeIndexes({ index_ids, ...sampleRange(), clock, warehouse, signal })
  await request.before_correction?.(warehouse)
  on_step('correcting the levels that a withdrawn resolution had entered')
  const { index_id, from, to, reason } = SAMPLE_STORY
  const { revised: corrected } = await correctIndex({ index_id, from, to, reason, warehouse, signal })
  return { imported, applied, computed, corrected }
}

/** The correction is what a run publishes last: null until then. */
function askCorrection(warehouse: Warehouse, known_at: Instant): Promise<ComparedLevel | null> {
  return compareLevels(warehouse, { index_id: SAMPLE_STORY.index_id, tick_at: SAMPLE_STORY.from, known_at })
}

/**
 * Deletes the sample, the warehouse and the live world of an earlier run, and nothing that lies elsewhere.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the warehouse lies outside home
 */
export async function removeEarlierRun(home: string, warehouse_root: string): Promise<void> {
  const inside = relative(home, warehouse_root)
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) {
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `warehouse is ${warehouse_root}; allowed with --fresh: a folder inside home (${home})`,
      { warehouse: warehouse_root, home },
    )
  }
  if (existsSync(join(warehouse_root, 'warehouse.json'))) await rm(warehouse_root, { recursive: true })
  await rm(`${warehouse_root}${MAKING}`, { recursive: true, force: true })
  for (const folder of ['sample', 'live']) await rm(join(home, folder), { recursive: true, force: true })
  await rm(join(home, REPORT_FILE), { force: true })
}
