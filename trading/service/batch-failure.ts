import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import type { Submission } from '../engine/submission.ts'
import { BatchRefused } from '../store/write-batch.ts'
import { type Ticket, unavailable } from './submission-queue.ts'

/** A batch that cannot be applied or written because of a fault of ours; its submissions are retried one by one. */
export class PoisonedBatch extends Error {
  override readonly name = 'PoisonedBatch'

  constructor(cause: unknown) {
    super(`the batch cannot be carried out: ${String(cause)}`, { cause })
  }
}

/** A submission that failed alone: refused, without effect, and not tried again. For the operator. */
export class PoisonedSubmission extends Error {
  override readonly name = 'PoisonedSubmission'

  constructor({ submission }: Ticket, cause: unknown) {
    const of_whom =
      'identity' in submission ? ` of ${submission.identity.account_id}, request ${submission.identity.request_id}` : ''
    super(`a submission was refused because it failed alone: ${submission.kind}${of_whom}: ${String(cause)}`, { cause })
  }
}

/** Identifies the intent of a submission, however often it is sent; null: it has no identity. */
export function contentOf(submission: Submission): string | null {
  if (submission.kind === 'operate') return `act ${submission.act_id}`
  if (!('identity' in submission)) return null
  const { account_id, idempotency_key, body_hash } = submission.identity
  return `${account_id} ${idempotency_key} ${body_hash}`
}

/** SQLSTATE classes of rows that a table refuses; the same batch would be refused again. */
const REFUSED_DATA = /^(22|23|P0)/

/** Whether the rows themselves were refused, rather than the time or the writer. */
export function isRefusedData(error: unknown): boolean {
  return error instanceof BatchRefused && REFUSED_DATA.test(error.sqlstate)
}

/** Answers the submissions of a batch whose writing failed: it was rolled back, or its outcome is unknown. */
export function answerFailed(tickets: readonly Ticket[], error: unknown): void {
  const known = error instanceof BatchRefused
  for (const { reject } of tickets)
    reject(known ? unavailable('its batch was rolled back', { phase: 'recovering' }, error) : outcomeUnknown(error))
}

/** Builds the error of a submission that was accepted and whose outcome is unknown. */
export function outcomeUnknown(cause?: unknown): ServiceError {
  return new ServiceError(
    'OUTCOME_UNKNOWN',
    'the request was taken and its end is not known; repeat it with the same Idempotency-Key',
    {},
    cause,
  )
}

/** Builds the error of a submission that failed by itself: it had no effect. */
export function internalError(cause: unknown): ServiceError {
  if (isServiceError(cause)) return cause
  return new ServiceError('INTERNAL_ERROR', 'the request could not be carried out; nothing of it happened', {}, cause)
}
