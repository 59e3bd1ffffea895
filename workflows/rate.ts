import { proxyActivities } from '@temporalio/workflow'
import type { Instant } from '../primitives/instants.ts'
import type { Activities, RateReport } from './activities/activity-types.ts'
import { UPKEEP } from './retry.ts'

const { rateMarkets } = proxyActivities<Activities>(UPKEEP)

/**
 * Rates every market without a rating of the day, up to `scheduled_at`.
 *
 * Workflow id `rate/<scheduled_at>`. A repeated run finds nothing to rate.
 */
export async function rate({ scheduled_at }: { readonly scheduled_at: Instant }): Promise<RateReport> {
  return rateMarkets({ at: scheduled_at })
}
