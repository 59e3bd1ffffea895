import { proxyActivities } from '@temporalio/workflow'
import type { Activities, UpkeepReport } from './activities/activity-types.ts'
import { UPKEEP } from './retry.ts'

const { recordDigests } = proxyActivities<Activities>(UPKEEP)

/**
 * Records what each table answers as of sealed instants, for audits to ask again.
 *
 * Workflow id `digests/<scheduled_at>`.
 */
export async function digests(): Promise<UpkeepReport> {
  return recordDigests()
}
