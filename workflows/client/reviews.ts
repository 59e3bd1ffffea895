import { type Client, WithStartWorkflowOperation, WorkflowUpdateFailedError } from '@temporalio/client'
import type { SignedAct } from '../../pipelines/review/signed-act.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import type { ReviewedAct, ReviewOf } from '../activities/activity-types.ts'
import type { ReviewArgs, ReviewView } from '../review.ts'
import { reviewId } from '../review-id.ts'
import { TASK_QUEUES } from '../task-queues.ts'
import { workflowFailure } from './workflow-failure.ts'

/**
 * Sends a signed act to the review of its assessment, which is started if it is not running, and waits until it is performed. A
 * repeated act is performed once.
 * @param acts_per_run for tests of long histories
 * @throws {ServiceError} what performSignedAct throws
 */
export async function deliverAct(
  client: Client,
  { subject, chain_id }: ReviewOf,
  signed: SignedAct,
  acts_per_run?: number,
): Promise<ReviewedAct> {
  const args: ReviewArgs = { subject, chain_id, acts: 0, ...(acts_per_run && { acts_per_run }) }
  const deliver = () =>
    client.workflow.executeUpdateWithStart<typeof start, ReviewedAct, [SignedAct]>('act', {
      // The hash covers the signature, so a forged act is not mistaken for the real one.
      updateId: contentHash(signed),
      args: [signed],
      startWorkflowOperation: new WithStartWorkflowOperation('review', {
        workflowId: reviewId(subject, chain_id),
        taskQueue: TASK_QUEUES.bulk,
        args: [args],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: `review of ${subject} ${chain_id}`,
      }),
    })
  try {
    return await deliver().catch((error) => (hasClosed(error) ? deliver() : Promise.reject(error)))
  } catch (error) {
    throw workflowFailure(error)
  }
}

/** Declared for its type only; the workflow is started by name. */
declare function start(args: ReviewArgs): Promise<ReviewView>

/** True if the run ended before the act arrived, so the next run must take it. */
function hasClosed(error: unknown): boolean {
  const text = error instanceof WorkflowUpdateFailedError ? `${error.cause?.message}` : String(error)
  return /workflow (execution )?(already )?(completed|closed|ended)|AcceptedUpdateCompletedWorkflow/i.test(text)
}

/** Returns the state of a review; null: none has run, or its server does not know it. */
export async function findReview(client: Client, { subject, chain_id }: ReviewOf): Promise<ReviewView | null> {
  const handle = client.workflow.getHandle(reviewId(subject, chain_id))
  return handle.query<ReviewView, []>('review').catch(() => null)
}
