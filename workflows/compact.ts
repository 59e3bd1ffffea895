import { proxyActivities } from '@temporalio/workflow'
import type { Activities, CompactArgs, UpkeepReport } from './activities/activity-types.ts'
import { UPKEEP } from './retry.ts'

const { compactTables } = proxyActivities<Activities>(UPKEEP)

/**
 * Merges the small files of every table: commits every few seconds create thousands a day, and every read opens them all. No
 * answer changes.
 *
 * Workflow id `compact/<scheduled_at>`.
 */
export async function compact(args: CompactArgs): Promise<UpkeepReport> {
  return compactTables(args)
}
