import { ActivityCancellationType, proxyActivities, workflowInfo } from '@temporalio/workflow'
import { formatMicros, type Instant } from '../primitives/instants.ts'
import type { Activities, ReplayReport } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'
import { ACTIVITY_QUEUES } from './task-queues.ts'

const activities = proxyActivities<Activities>({
  taskQueue: ACTIVITY_QUEUES.compute,
  startToCloseTimeout: '6h',
  heartbeatTimeout: '2m',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
})

export type ReplayMethodologyArgs = {
  /** INDEX[@VERSION], or the name of a definition file in the store. */
  readonly target: string
  readonly from: Instant
  readonly to: Instant
  /** null: the start of the replay. */
  readonly as_of: Instant | null
}

/**
 * Recomputes an index without publishing, into a file with the lines of `tidemark index replay --json`.
 *
 * Workflow id `replay/<target>/<from>/<to>/<as_of>`. All attempts use the knowledge of one instant.
 */
export async function replayMethodology(args: ReplayMethodologyArgs): Promise<ReplayReport & { as_of: Instant }> {
  const { workflowId, runStartTime } = workflowInfo()
  const as_of = args.as_of ?? formatMicros(runStartTime.getTime() * 1_000)
  return { ...(await activities.replayMethodology({ ...args, as_of, replay_id: workflowId })), as_of }
}
