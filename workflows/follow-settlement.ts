import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import {
  ActivityCancellationType,
  continueAsNew,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  proxyActivities,
  startChild,
} from '@temporalio/workflow'
import type { Activities, KnownWork } from './activities/activity-types.ts'
import { resolutionChanged } from './resolve-market.ts'
import { RETRY } from './retry.ts'
import { TASK_QUEUES } from './task-queues.ts'

const { awaitSettlementWork } = proxyActivities<Activities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
})

type FollowSettlementArgs = {
  /** Polls per history. */
  readonly looks_per_run: number
  readonly known: KnownWork
  /** Time that one activity of an asset settles; for tests of many activities. */
  readonly settle_ms?: number
}

/** Lengths of the histories of the started workflows. */
const WINDOWS_PER_RUN = 50
const STEPS_PER_RUN = 100

/**
 * Starts a workflow for every asset with settlements and every open resolution, and signals that of a resolution that has moved.
 * A workflow that has ended is started again within a minute.
 *
 * Workflow id `follow-settlement`: one at a time. Its schedule restarts it after it was ended.
 */
export async function followSettlement(args: FollowSettlementArgs): Promise<never> {
  let { known } = args
  const { settle_ms } = args
  for (let look = 0; look < args.looks_per_run; look += 1) {
    const { assets, resolutions } = await awaitSettlementWork(known)
    for (const asset_id of assets) {
      await startUnlessRunning('settleAsset', `settle/${asset_id}`, {
        asset_id,
        windows_per_run: WINDOWS_PER_RUN,
        concluded: 0,
        ...(settle_ms !== undefined && { settle_ms }),
      })
    }
    for (const { resolution_id } of resolutions) await followResolution(resolution_id)
    known = { assets, resolutions }
  }
  return continueAsNew<typeof followSettlement>({ ...args, known })
}

async function followResolution(resolution_id: string): Promise<void> {
  const workflow_id = `resolve/${resolution_id}`
  const args = { resolution_id, steps_per_run: STEPS_PER_RUN, progress: null }
  if (await startUnlessRunning('resolveMarket', workflow_id, args)) return
  // One that ended meanwhile is started again by a later poll.
  await getExternalWorkflowHandle(workflow_id)
    .signal(resolutionChanged)
    .catch(() => undefined)
}

/** @returns true if it was started */
async function startUnlessRunning(type: string, workflowId: string, args: object): Promise<boolean> {
  try {
    await startChild(type, {
      workflowId,
      args: [args],
      taskQueue: TASK_QUEUES.settlement,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      parentClosePolicy: ParentClosePolicy.ABANDON,
    })
    return true
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false
    throw error
  }
}
