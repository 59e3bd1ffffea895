import { ActivityCancellationType, continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { Activities, OwnVenueArgs } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'

const { ownVenueSession } = proxyActivities<Activities>({
  startToCloseTimeout: '24h',
  heartbeatTimeout: '30s',
  // What has been read is stored before the activity ends.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
})

export type FollowOwnVenueArgs = OwnVenueArgs & {
  /** Sessions and records of the runs before this one. */
  readonly sessions: number
  readonly records_new: number
}

/**
 * Stores what is traded here, session after session, each in a history of its own. Ends when it is cancelled.
 *
 * Workflow id `own-venue`: one at a time. Its schedule starts it again where it was ended. A session that fails is begun again where
 * the warehouse says that the last one ended.
 */
export async function followOwnVenue(args: FollowOwnVenueArgs): Promise<never> {
  const { records_new } = await ownVenueSession({ session_ms: args.session_ms })
  return continueAsNew<typeof followOwnVenue>({
    ...args,
    sessions: args.sessions + 1,
    records_new: args.records_new + records_new,
  })
}
