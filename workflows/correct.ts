import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow'
import type { Activities, CorrectArgs, CorrectReport } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'
import { ACTIVITY_QUEUES } from './task-queues.ts'

const { correctIndex } = proxyActivities<Activities>({
  taskQueue: ACTIVITY_QUEUES.compute,
  startToCloseTimeout: '6h',
  heartbeatTimeout: '2m',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
})

/**
 * Publishes revisions of an index where admitted inputs changed. A repeated run finds nothing to revise.
 *
 * Workflow id `correct/<index_id>`: one correction of an index at a time, so that revisions are sequential.
 */
export async function correct(args: CorrectArgs): Promise<CorrectReport> {
  return correctIndex(args)
}
