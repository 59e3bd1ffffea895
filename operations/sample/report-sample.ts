import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { invariant } from '../../primitives/errors.ts'
import type { Instant } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { ReplayRequest } from '../replay/replay-index.ts'
import type { ComparedLevel } from './compare-levels.ts'
import { describeSample, type SampleDescription } from './describe-sample.ts'
import { askCorrection, type PublishedSample, sampleFolder } from './publish-sample.ts'
import { SAMPLE_STORY } from './sample-story.ts'
import { sampleRange } from './sample-worlds.ts'

export type ReportSampleRequest = {
  /** Folder of everything this makes: the report in `<home>/sample-report.html`. */
  readonly home: string
  /** Replays, and writes the replay's report to `file`. */
  readonly write_report: (request: ReplayRequest & { readonly file: string }) => Promise<void>
  readonly signal?: AbortSignal | undefined
  /** Called when a step begins. */
  readonly on_step?: ((step: string) => void) | undefined
}

export type SampleRun = SampleDescription & {
  readonly archive_dir: string
  readonly report_file: string
  /** The sample's week, half-open. */
  readonly range: { readonly from: Instant; readonly to: Instant }
  /** Parts published by this run; null if an earlier run had published all of them. */
  readonly published: PublishedSample | null
  readonly correction: ComparedLevel
}

/**
 * Writes the report of a sample whose levels are published, and describes it. A report of the same levels by an earlier run is kept.
 */
export async function reportSample(
  warehouse: Warehouse,
  published: PublishedSample | null,
  { home, write_report, signal, on_step = () => undefined }: ReportSampleRequest,
): Promise<SampleRun> {
  const report_file = sampleReportFile(home)
  const range = sampleRange()
  if (published !== null || !existsSync(report_file)) {
    on_step('writing a report')
    const target = SAMPLE_STORY.index_id
    await write_report({ target, ...range, as_of: null, warehouse, file: report_file, signal })
  }
  const correction = await askCorrection(warehouse)
  invariant(correction !== null, 'the sample has a corrected level')
  const archive_dir = sampleFolder(home)
  return { archive_dir, report_file, range, published, correction, ...(await describeSample(warehouse)) }
}

/** The file of the sample's report. */
export function sampleReportFile(home: string): string {
  return join(home, 'sample-report.html')
}
