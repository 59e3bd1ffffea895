import { PREDICTION_VENUES } from '../../vocabulary/venue.ts'
import { noteSimulatedVenues } from '../../warehouse/simulated-venues.ts'
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
 * Publishes the sample, from nothing to corrected levels and a report, and describes it. An interrupted run is completed by the next;
 * further runs change nothing.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: `fresh` with a warehouse outside home; the errors of publishSample
 */
export async function runSample(request: RunSampleRequest): Promise<SampleRun> {
  const { home, warehouse_root } = request
  if (request.fresh) await removeEarlierRun(home, warehouse_root)
  return makeWarehouse(warehouse_root, async (warehouse) => {
    await noteSimulatedVenues(warehouse.root, PREDICTION_VENUES)
    return reportSample(warehouse, await publishSample(warehouse, request), request)
  })
}
