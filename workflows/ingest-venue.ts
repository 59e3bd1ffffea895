import { ActivityCancellationType, continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { Activities, IngestArgs } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'
import { ingestQueue } from './task-queues.ts'

const OPTIONS = {
  startToCloseTimeout: '24h',
  heartbeatTimeout: '30s',
  // Data that was received is stored before the activity ends.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
} as const

type IngestVenueArgs = IngestArgs & {
  /** Sessions and records of the runs before this one. */
  readonly sessions: number
  readonly records_new: number
}

/**
 * Follows one venue, session after session, each in its own history, until it is cancelled.
 *
 * Workflow id `ingest-venue/<venue_id>`: one at a time. Its schedule restarts it after it was ended. A failed session is repeated:
 * it reads back far enough, and stored data is not duplicated.
 */
export async function ingestVenue(args: IngestVenueArgs): Promise<never> {
  const { ingestSession } = proxyActivities<Activities>({ ...OPTIONS, taskQueue: ingestQueue(args.venue_id) })
  const { records_new } = await ingestSession({ venue_id: args.venue_id, session_ms: args.session_ms })
  return continueAsNew<typeof ingestVenue>({
    ...args,
    sessions: args.sessions + 1,
    records_new: args.records_new + records_new,
  })
}
