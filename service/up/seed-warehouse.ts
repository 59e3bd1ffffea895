import { isNewWarehouse, makeWarehouse } from '../../operations/sample/make-warehouse.ts'
import { type PublishedSample, publishSample } from '../../operations/sample/publish-sample.ts'
import { isSampleRefusal } from '../../operations/sample/refuse-sample.ts'
import { reportSample, type SampleRun } from '../../operations/sample/report-sample.ts'
import type { Micros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { isObjectStore } from '../../warehouse/store/s3/s3-location.ts'
import { fillingFolder, type Warehouse } from '../../warehouse/warehouse.ts'
import type { LiveWorld } from '../live/live-world.ts'
import { prepareWorld } from '../live/prepare-world.ts'
import { noteInventedData } from './invented-data.ts'
import { sampleToolsOf } from './sample-tools.ts'
import { toldProgress } from './told-progress.ts'
import type { UpRun } from './up-options.ts'

/** Result of seeding the warehouse before the live world starts. */
export type SeededWarehouse = {
  /** Prepared world; null: an earlier start prepared it. */
  readonly world: LiveWorld | null
  /** null: no sample in this warehouse. */
  readonly sample: { readonly published: PublishedSample | null } | null
}

/**
 * Fills the warehouse before the live world starts: the sample week, and the last hour of a new world. That hour ends when this function
 * starts; later ticks are published live. A warehouse with later data, or with a
 * roster of its own, cannot take the sample and does without.
 */
export async function seedWarehouse(run: UpRun): Promise<SeededWarehouse> {
  const { options, settings, output, signal } = run
  const { home, warehouse: root } = settings
  const until: Micros = wallClock()
  const { on_step, end } = toldProgress(output.note, answersMeanwhile(root, await isNewWarehouse(root)))
  let world: LiveWorld | null = null
  const prepare = async (warehouse: Warehouse) => {
    world = await prepareWorld({ home, warehouse, signal, on_step, until })
  }
  const publish = (warehouse: Warehouse) =>
    publishSample(warehouse, { ...sampleToolsOf(run), home, signal, on_step, before_correction: prepare })
  /** A new warehouse is noted before anybody can read it. */
  const make = <T>(fill: (warehouse: Warehouse) => Promise<T>) =>
    makeWarehouse(root, async (warehouse) => {
      await noteInventedData(run, warehouse.root)
      return fill(warehouse)
    })
  try {
    if (!options.sampleData) {
      await make(prepare)
      return { world, sample: null }
    }
    const published = await make(publish)
    return { world, sample: { published } }
  } catch (error) {
    if (!isSampleRefusal(error)) throw error
    output.note(skippedSample(error))
    return { world, sample: null }
  } finally {
    end()
  }
}

/** Returns the line about a sample week that a home does not take. */
export function skippedSample({ message }: Error): string {
  return `skipping the sample week: ${message}`
}

/** Returns what public reads answer while a warehouse is filled. @param is_new whether it is filled beside its folder, and then renamed */
export function answersMeanwhile(root: string, is_new: boolean): string {
  if (isObjectStore(root)) return 'the API starts once the first data is loaded'
  return is_new
    ? `public answers are 503 until the first data is loaded (in ${fillingFolder(root)})`
    : 'public answers come from the data that is there already'
}

/** Writes the report of the sample if it is missing, and summarizes the sample. */
export function writeSampleReport(
  run: UpRun,
  warehouse: Warehouse,
  { published }: NonNullable<SeededWarehouse['sample']>,
): Promise<SampleRun> {
  const { settings, output, signal } = run
  const on_step = (step: string) => output.note(`… ${step}`)
  return reportSample(warehouse, published, { ...sampleToolsOf(run), home: settings.home, signal, on_step })
}
