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
 * Lists markets by the service's policy, and updates listed ones from their reference markets.
 *
 * Workflow id `list-markets/<scheduled_at>`. Each of its acts takes effect once, however often it is repeated.
 */
export async function listMarkets(): Promise<ListingCounts> {
  return activities.listMarkets()
}
