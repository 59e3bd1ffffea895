import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from './activities/activity-types.ts'
import { UPKEEP } from './retry.ts'

const { expireOverrides } = proxyActivities<Activities>(UPKEEP)

export type ExpireReport = { readonly ratings: number; readonly assessments: number }

/**
 * Records the overrides that have ended, also those that were approved without Temporal, and finishes acts that were interrupted.
 *
 * Workflow id `expire/<scheduled_at>`. Each end is recorded once, whoever comes first.
 */
export async function expire(): Promise<ExpireReport> {
  const ratings = await expireOverrides({ subject: 'market_rating' })
  const assessments = await expireOverrides({ subject: 'severity_assessment' })
  return { ratings: ratings.expired, assessments: assessments.expired }
}
