import { proxyActivities, sleep } from '@temporalio/workflow'
import type { SettlementWindow } from '../operations/settlement/await-window.ts'
import type { Activities } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'

const { settleBatch: settle, followBatch } = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '30s',
  retry: RETRY,
})

type SettleBatchArgs = { readonly asset_id: string; readonly window: SettlementWindow }
/** Numbers of attempts confirmed, failed and still open; later windows follow the open ones. */
type BatchReport = { readonly confirmed: number; readonly failed: number; readonly open: number }

/** Waits between polls of attempts that the rail has not concluded. */
const LOOKS_MS = [500, 1_000] as const

/**
 * Settles the attempts collected by one netting window of an asset, for runs of `settleAsset` that began in an earlier release. Attempts that the rail has not concluded after a few polls are
 * left to later windows, so that no window waits for a rail.
 *
 * Workflow id `settle/<asset_id>/<end of the window>`: a repeated run has the same effect.
 */
export async function settleBatch({ asset_id, window }: SettleBatchArgs): Promise<BatchReport> {
  const { attempts, under_way } = window
  let { confirmed, failed, open } = await settle({ asset_id, attempts, under_way })
  for (const wait_ms of LOOKS_MS) {
    if (open.length === 0) break
    await sleep(wait_ms)
    const looked = await followBatch({ asset_id, attempt_ids: open })
    confirmed += looked.confirmed
    failed += looked.failed
    open = looked.open
  }
  return { confirmed, failed, open: open.length }
}
