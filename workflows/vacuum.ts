import { proxyActivities } from '@temporalio/workflow'
import type { Activities, UpkeepReport, VacuumArgs } from './activities/activity-types.ts'
import { UPKEEP } from './retry.ts'

const { vacuumTables } = proxyActivities<Activities>(UPKEEP)

/**
 * Deletes data files that no version within the retention names. No answer changes.
 *
 * Workflow id `vacuum/<scheduled_at>`.
 */
export async function vacuum(args: VacuumArgs): Promise<UpkeepReport> {
  return vacuumTables(args)
}
