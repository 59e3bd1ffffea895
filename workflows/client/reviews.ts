import { type Client, WithStartWorkflowOperation, WorkflowUpdateFailedError } from '@temporalio/client'
import type { SignedAct } from '../../pipelines/review/signed-act.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import type { ReviewedAct, ReviewOf } from '../activities/activity-types.ts'
import type { ReviewArgs, ReviewView } from '../review.ts'
import { reviewId } from '../review-id.ts'
import { TASK_QUEUES } from '../task-queues.ts'
import { workflowFailure } from './workflow-failure.ts'

/**
 * Hands a signed act to the review of its assessment, which is begun where it does not run, and waits until it is performed. The
 * same act again is the same: it is performed once.
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
      // Of the signature too: what somebody forged is not taken for the act.
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

/** Only for its type: a workflow by its name. */
declare function start(args: ReviewArgs): Promise<ReviewView>

/** The run ended while the act was on its way: the next run takes it. */
function hasClosed(error: unknown): boolean {
  const text = error instanceof WorkflowUpdateFailedError ? `${error.cause?.message}` : String(error)
  return /workflow (execution )?(already )?(completed|closed|ended)|AcceptedUpdateCompletedWorkflow/i.test(text)
}

/** How a review stands; null: none has run, or its server does not know of it any more. */
export async function findReview(client: Client, { subject, chain_id }: ReviewOf): Promise<ReviewView | null> {
  const handle = client.workflow.getHandle(reviewId(subject, chain_id))
  return handle.query<ReviewView, []>('review').catch(() => null)
}
