import { proxyActivities } from '@temporalio/workflow'
import type { Instant } from '../primitives/instants.ts'
import type { Activities, UpkeepReport } from './activities/activity-types.ts'
import { UPKEEP } from './retry.ts'

const { sealTables } = proxyActivities<Activities>(UPKEEP)

/**
 * Makes answers as of `scheduled_at` final in every table, so that readers without write access can read as of it.
 *
 * Workflow id `seal/<scheduled_at>`.
 */
export async function seal({ scheduled_at }: { readonly scheduled_at: Instant }): Promise<UpkeepReport> {
  return sealTables({ through: scheduled_at })
}
