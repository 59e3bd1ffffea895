import { proxyActivities } from '@temporalio/workflow'
import type { Instant } from '../primitives/instants.ts'
import type { Activities, RateReport } from './activities/activity-types.ts'
import { UPKEEP } from './retry.ts'

const { rateMarkets } = proxyActivities<Activities>(UPKEEP)

/**
 * Rates every market that has no rating of the day yet, up to `scheduled_at`.
 *
 * Workflow id `rate/<scheduled_at>`. Done again, nothing is left to rate.
 */
export async function rate({ scheduled_at }: { readonly scheduled_at: Instant }): Promise<RateReport> {
  return rateMarkets({ at: scheduled_at })
}
