import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from './activities/activity-types.ts'
import { UPKEEP } from './retry.ts'

const { expireOverrides } = proxyActivities<Activities>(UPKEEP)

type ExpireReport = { readonly ratings: number; readonly assessments: number }

/**
 * Records overrides that have ended, including those approved without Temporal, and finishes interrupted acts.
 *
 * Workflow id `expire/<scheduled_at>`. Each end is recorded once, whoever is first.
 */
export async function expire(): Promise<ExpireReport> {
  const ratings = await expireOverrides({ subject: 'market_rating' })
  const assessments = await expireOverrides({ subject: 'severity_assessment' })
  return { ratings: ratings.expired, assessments: assessments.expired }
}
