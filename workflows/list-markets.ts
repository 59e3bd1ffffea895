import { proxyActivities } from '@temporalio/workflow'
import type { ListingCounts } from '../operations/own-venue/own-venue-work.ts'
import type { Activities } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'

const activities = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  scheduleToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: RETRY,
})

/**
 * Lists markets by the policy of the service, and has those that are listed follow their references.
 *
 * Workflow id `list-markets/<scheduled_at>`. Every act of it is done once, whoever asks for it how often.
 */
export async function listMarkets(): Promise<ListingCounts> {
  return activities.listMarkets()
}
