import { makeWarehouse } from './make-warehouse.ts'
import { type PublishSampleRequest, publishSample } from './publish-sample.ts'
import { removeEarlierRun } from './remove-earlier-run.ts'
import { type ReportSampleRequest, reportSample, type SampleRun } from './report-sample.ts'

export type RunSampleRequest = PublishSampleRequest &
  ReportSampleRequest & {
    /** Folder of the warehouse. */
    readonly warehouse_root: string
    /** Deletes what an earlier run made first. */
    readonly fresh: boolean
  }

/**
 * From nothing to corrected levels and a report: publishes the sample and tells what it shows. A run that was ended is completed by
 * the next; one after that changes nothing.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: fresh, and the warehouse lies outside home; and what publishSample throws
 */
export async function runSample(request: RunSampleRequest): Promise<SampleRun> {
  const { home, warehouse_root } = request
  if (request.fresh) await removeEarlierRun(home, warehouse_root)
  return makeWarehouse(warehouse_root, async (warehouse) =>
    reportSample(warehouse, await publishSample(warehouse, request), request),
  )
}
