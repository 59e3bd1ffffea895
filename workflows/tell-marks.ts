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
 * Sends the published marks of its markets to the engine.
 *
 * Workflow id `tell-marks/<scheduled_at>`. The next run sends marks that one failed to send.
 */
export async function tellMarks(): Promise<{ readonly told: number }> {
  return activities.tellMarks()
}
