import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import {
  ActivityCancellationType,
  ChildWorkflowFailure,
  continueAsNew,
  executeChild,
  isCancellation,
  patched,
  proxyActivities,
} from '@temporalio/workflow'
import type { SettlementWindow } from '../operations/settlement/await-window.ts'
import type { Activities } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'
import { TASK_QUEUES } from './task-queues.ts'

const options = {
  heartbeatTimeout: '30s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
} as const
const { settleWindows } = proxyActivities<Activities>({ ...options, startToCloseTimeout: '1h' })
const { awaitWindow } = proxyActivities<Activities>({ ...options, startToCloseTimeout: '5m' })

type SettleAssetArgs = {
  readonly asset_id: string
  /** Activities per history. */
  readonly windows_per_run: number
  /** Attempts concluded by the runs before this one. */
  readonly concluded: number
  /** Time that one activity settles; SETTLE_MS when left out. */
  readonly settle_ms?: number
}

/** Time that one activity settles: its history has three events for it, however many windows there are. */
const SETTLE_MS = 15 * 60_000

/**
 * Settles one asset, netting window after netting window, until it is cancelled. It waits while nothing is due.
 *
 * Workflow id `settle/<asset_id>`: one at a time. Runs that began before one activity settled many windows go on with a child
 * workflow for each window, and their next run is of the new form.
 */
export async function settleAsset(args: SettleAssetArgs): Promise<never> {
  const turn = patched('settle-windows-in-one-activity') ? settleForTime : settleWindow
  let { concluded } = args
  for (let turns = 0; turns < args.windows_per_run; turns += 1) concluded += await turn(args)
  return continueAsNew<typeof settleAsset>({ ...args, concluded })
}

async function settleForTime({ asset_id, settle_ms: for_ms = SETTLE_MS }: SettleAssetArgs): Promise<number> {
  const { confirmed, failed } = await settleWindows({ asset_id, for_ms })
  return confirmed + failed
}

async function settleWindow({ asset_id }: SettleAssetArgs): Promise<number> {
  const window = await awaitWindow({ asset_id })
  return window === null ? 0 : settledByChild(asset_id, window)
}

/** Settles a window, unless another run has started it. */
async function settledByChild(asset_id: string, window: SettlementWindow): Promise<number> {
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
