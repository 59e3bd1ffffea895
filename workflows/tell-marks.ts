import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'

const activities = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  scheduleToCloseTimeout: '2m',
  heartbeatTimeout: '30s',
  retry: RETRY,
})

/**
 * Tells the engine the marks that were published of its markets.
 *
 * Workflow id `tell-marks/<scheduled_at>`. What one could not tell the next one does.
 */
export async function tellMarks(): Promise<{ readonly told: number }> {
  return activities.tellMarks()
}
