import type { SampleRun } from '../../operations/sample/report-sample.ts'
import { printSample } from './print-sample.ts'
import type { UpRun } from './up-options.ts'

/** Tells what the sample shows: as text, or as JSON where that was asked for. */
export async function showSample(
  { options, output, settings, usual_warehouse }: UpRun,
  sample: SampleRun,
): Promise<void> {
  if (!output.json) return printSample(output, sample, settings.warehouse, usual_warehouse)
  await (options.once === true ? output.document(sample) : output.record({ event: 'sample', ...sample }))
}
