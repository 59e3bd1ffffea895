import { proxyActivities } from '@temporalio/workflow'
import type { Activities, UpkeepReport } from './activities/activity-types.ts'
import { UPKEEP } from './retry.ts'

const { recordDigests } = proxyActivities<Activities>(UPKEEP)

/**
 * Records digests of each table as of sealed instants, for later audits.
 *
 * Workflow id `digests/<scheduled_at>`.
 */
export async function digests(): Promise<UpkeepReport> {
  return recordDigests()
}
