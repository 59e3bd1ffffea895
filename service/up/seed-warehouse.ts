import { makeWarehouse } from '../../operations/sample/make-warehouse.ts'
import { type PublishedSample, publishSample } from '../../operations/sample/publish-sample.ts'
import { reportSample, type SampleRun } from '../../operations/sample/report-sample.ts'
import { isServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { LiveWorld } from '../live/live-world.ts'
import { prepareWorld } from '../live/prepare-world.ts'
import { SAMPLE_TOOLS } from './sample-tools.ts'
import type { UpRun } from './up-options.ts'

/** What a warehouse was filled with before the clock goes on. */
export type SeededWarehouse = {
  /** The world to go on with; null: an earlier start had prepared it. */
  readonly world: LiveWorld | null
  /** null: there is none here. */
  readonly sample: { readonly published: PublishedSample | null } | null
}

/**
 * Has in the warehouse what there is before the clock goes on: the sample week, and the last hour of a new world. That hour ends when
 * this begins: the ticks since then are published as the clock goes on, as soon as it does. A warehouse with later data has no room
 * for the sample, and does without.
 */
export async function seedWarehouse(run: UpRun): Promise<SeededWarehouse> {
  const { options, settings, output, signal } = run
  const { home, warehouse: root } = settings
  const until: Micros = Date.now() * 1_000
  const on_step = (step: string) => output.note(`… ${step}`)
  let world: LiveWorld | null = null
  const prepare = async (warehouse: Warehouse) => {
    world = await prepareWorld({ home, warehouse, signal, on_step, until })
  }
  const publish = (warehouse: Warehouse) =>
    publishSample(warehouse, { ...SAMPLE_TOOLS, home, signal, on_step, before_correction: prepare })
  if (!options.sampleData) {
    await makeWarehouse(root, prepare)
    return { world, sample: null }
  }
  try {
    const published = await makeWarehouse(root, publish)
    return { world, sample: { published } }
  } catch (error) {
    if (!isServiceError(error, 'VALIDATION_CLOCK_REFUSED')) throw error
    output.note(`the sample week is left out: ${error.message}`)
    return { world, sample: null }
  }
}

/** Writes the report of the sample where there is none, and tells what the sample shows. */
export function writeSampleReport(
  { settings, output, signal }: UpRun,
  warehouse: Warehouse,
  { published }: NonNullable<SeededWarehouse['sample']>,
): Promise<SampleRun> {
  const on_step = (step: string) => output.note(`… ${step}`)
  return reportSample(warehouse, published, { ...SAMPLE_TOOLS, home: settings.home, signal, on_step })
}
