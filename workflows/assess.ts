import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import { ParentClosePolicy, proxyActivities, startChild } from '@temporalio/workflow'
import type { Instant } from '../primitives/instants.ts'
import type { Activities, AssessReport } from './activities/activity-types.ts'
import { UPKEEP } from './retry.ts'
import { review } from './review.ts'
import { reviewId } from './review-id.ts'

const { assessEvents, publishSeverityIndexes } = proxyActivities<Activities>(UPKEEP)

/**
 * Assesses the events with new alerts up to `scheduled_at`, publishes every severity index as of then, and starts the reviews of
 * assessments that await a person.
 *
 * Workflow id `assess/<scheduled_at>`. A repeated run finds nothing new.
 */
export async function assess({ scheduled_at }: { readonly scheduled_at: Instant }): Promise<AssessReport> {
  const { waiting, ...counts } = await assessEvents({ at: scheduled_at })
  const indexes = await publishSeverityIndexes({ at: scheduled_at })
  for (const chain_id of waiting) await beginReview(chain_id)
  return { ...counts, under_review: waiting.length, index_values: indexes.published }
}

async function beginReview(chain_id: string): Promise<void> {
  const subject = 'severity_assessment'
  try {
    await startChild(review, {
      workflowId: reviewId(subject, chain_id),
      args: [{ subject, chain_id, acts: 0 }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
    })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
}
