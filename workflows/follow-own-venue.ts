import { ActivityCancellationType, continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { Activities, OwnVenueArgs } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'

const { ownVenueSession } = proxyActivities<Activities>({
  startToCloseTimeout: '24h',
  heartbeatTimeout: '30s',
  // Data that was read is stored before the activity ends.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
})

type FollowOwnVenueArgs = OwnVenueArgs & {
  /** Sessions and records of the runs before this one. */
  readonly sessions: number
  readonly records_new: number
}

/**
 * Stores the public data of our own exchange, session after session, each in its own history, until it is cancelled.
 *
 * Workflow id `own-venue`: one at a time. Its schedule restarts it after it was ended. A failed session is repeated from where the
 * warehouse's data ends.
 */
export async function followOwnVenue(args: FollowOwnVenueArgs): Promise<never> {
  const { records_new } = await ownVenueSession({ session_ms: args.session_ms })
  return continueAsNew<typeof followOwnVenue>({
    ...args,
    sessions: args.sessions + 1,
    records_new: args.records_new + records_new,
  })
}
