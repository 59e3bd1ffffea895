import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '../primitives/errors.ts'
import { formatMicros, type Instant, MICROS_PER_DAY, toMicros } from '../primitives/instants.ts'
import { openWarehouse, type Warehouse } from '../warehouse/warehouse.ts'
import { type AppliedIndex, applyDefinitions } from './apply-definitions.ts'
import { type ComputedIndex, computeIndexes } from './compute-indexes.ts'
import { type ImportReport, importArchive } from './import-archive.ts'
import { makeSampleArchive } from './make-sample-archive.ts'
import { type ComparedPayout, comparePayout } from './sample/compare-payout.ts'
import { type IndexSummary, summarizeIndexes } from './sample/summarize-indexes.ts'

export type RunSampleRequest = {
  /** Folder of everything this makes; the archive is written to `<home>/sample`. */
  readonly home: string
  /** Folder of the warehouse. */
  readonly warehouse_root: string
  /** Deletes what an earlier run made first. */
  readonly fresh: boolean
  readonly signal?: AbortSignal
  /** Called when a step begins. */
  readonly on_step?: (step: string) => void
}

export type SampleRun = {
  readonly archive_dir: string
  readonly imported: ImportReport
  readonly applied: readonly AppliedIndex[]
  readonly computed: readonly ComputedIndex[]
  readonly indexes: readonly IndexSummary[]
  readonly comparison: ComparedPayout
}

const DEFINITIONS = fileURLToPath(new URL('../datasets/sample/definitions/', import.meta.url))

/**
 * From nothing to a first as_of answer: writes the seeded sample archive, loads it and publishes the two sample indexes
 * under the recorded clock, and asks one question as of two instants. A second run changes nothing.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: fresh, and the warehouse lies outside home; VALIDATION_CLOCK_REFUSED: the
 *   warehouse already holds later data; and what the steps throw
 */
export async function runSample(request: RunSampleRequest): Promise<SampleRun> {
  const { home, warehouse_root, on_step = () => undefined } = request
  if (request.fresh) await removeEarlierRun(home, warehouse_root)
  const archive_dir = join(home, 'sample')
  on_step('writing the sample archive')
  makeSampleArchive({ dir: archive_dir })
  const warehouse = await openWarehouse({ root: warehouse_root, create: true })
  try {
    return { archive_dir, ...(await publishSample(warehouse, archive_dir, request)) }
  } finally {
    await warehouse.close()
  }
}

async function publishSample(warehouse: Warehouse, archive_dir: string, request: RunSampleRequest) {
  const { signal, on_step = () => undefined } = request
  const stop = signal === undefined ? {} : { signal }
  const clock = 'recorded'
  on_step('importing it under its own publication times')
  const imported = await importArchive({ archive: 'forecastbench', dir: archive_dir, clock, warehouse, ...stop })
  on_step('registering two sample indexes')
  const { indexes: applied } = await applyDefinitions({ files: definitionFiles(), clock, warehouse })
  on_step('computing and publishing their levels')
  const index_ids = applied.map(({ index_id }) => index_id)
  const { indexes: computed } = await computeIndexes({ index_ids, ...rangeOf(imported), clock, warehouse, ...stop })
  on_step('asking the same question as of two instants')
  const indexes = await summarizeIndexes(warehouse, index_ids)
  const comparison = await comparePayout(warehouse)
  return { imported, applied, computed, indexes, comparison }
}

/** The two definitions that are made for the sample, in the order of their file names. */
export function definitionFiles(): string[] {
  return readdirSync(DEFINITIONS)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(DEFINITIONS, name))
}

/** Every day that the archive has values of. */
function rangeOf({ first_source_at, last_source_at }: ImportReport): { from: Instant; to: Instant } {
  return { from: first_source_at!, to: formatMicros(toMicros(last_source_at) + MICROS_PER_DAY) }
}

/** Deletes the sample and the warehouse of an earlier run, and nothing that lies elsewhere. */
async function removeEarlierRun(home: string, warehouse_root: string): Promise<void> {
  const inside = relative(home, warehouse_root)
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) {
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `warehouse is ${warehouse_root}; allowed with --fresh: a folder inside home (${home})`,
      { warehouse: warehouse_root, home },
    )
  }
  if (existsSync(join(warehouse_root, 'warehouse.json'))) await rm(warehouse_root, { recursive: true })
  await rm(join(home, 'sample'), { recursive: true, force: true })
}
