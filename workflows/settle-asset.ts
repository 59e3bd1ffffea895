import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import {
  ActivityCancellationType,
  ChildWorkflowFailure,
  continueAsNew,
  executeChild,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow'
import type { SettlementWindow } from '../operations/settlement/await-window.ts'
import type { Activities } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'
import { TASK_QUEUES } from './task-queues.ts'

const { awaitWindow } = proxyActivities<Activities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
})

export type SettleAssetArgs = {
  readonly asset_id: string
  /** Windows per history. */
  readonly windows_per_run: number
  /** Attempts concluded by the runs before this one. */
  readonly concluded: number
}

/**
 * Settles one asset, netting window after netting window, each in a child workflow, until it is cancelled. It waits while nothing
 * is due.
 *
 * Workflow id `settle/<asset_id>`: one at a time. The next window collects a failed batch again.
 */
export async function settleAsset(args: SettleAssetArgs): Promise<never> {
  const { asset_id, windows_per_run } = args
  let { concluded } = args
  for (let turn = 0; turn < windows_per_run; turn += 1) {
    const window = await awaitWindow({ asset_id })
    if (window !== null) concluded += await settled(asset_id, window)
  }
  return continueAsNew<typeof settleAsset>({ ...args, concluded })
}

/** Settles a window, unless another run has started it. */
async function settled(asset_id: string, window: SettlementWindow): Promise<number> {
  try {
    const { confirmed, failed } = await executeChild('settleBatch', {
      workflowId: `settle/${asset_id}/${window.window_ends_at}`,
      args: [{ asset_id, window }],
      taskQueue: TASK_QUEUES.settlement,
    })
    return confirmed + failed
  } catch (error) {
    if (isCancellation(error)) throw error
    if (error instanceof WorkflowExecutionAlreadyStartedError || error instanceof ChildWorkflowFailure) return 0
    throw error
  }
}
