import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { BatchRefused } from '../store/write-batch.ts'
import { type Ticket, unavailable } from './submission-queue.ts'

/** A batch that cannot be applied or written as it is, by a fault of ours: its submissions are tried again one by one. */
export class PoisonedBatch extends Error {
  override readonly name = 'PoisonedBatch'

  constructor(cause: unknown) {
    super(`the batch cannot be carried out: ${String(cause)}`, { cause })
  }
}

/** SQLSTATE classes of data that a table refuses: the same batch would be refused again. */
const REFUSED_DATA = /^(22|23|P0)/

/** Whether the rows themselves were refused, and not the time or the writer. */
export function isRefusedData(error: unknown): boolean {
  return error instanceof BatchRefused && REFUSED_DATA.test(error.sqlstate)
}

/** Answers the submissions of a batch whose writing failed: it was rolled back for certain, or nobody knows. */
export function answerFailed(tickets: readonly Ticket[], error: unknown): void {
  const known = error instanceof BatchRefused
  for (const { reject } of tickets)
    reject(known ? unavailable('its batch was rolled back', { phase: 'recovering' }, error) : outcomeUnknown(error))
}

/** Taken, and nobody knows what came of it. */
export function outcomeUnknown(cause?: unknown): ServiceError {
  return new ServiceError(
    'OUTCOME_UNKNOWN',
    'the request was taken and its end is not known; repeat it with the same Idempotency-Key',
    {},
    cause,
  )
}

/** What the caller of a submission that only fails is told: nothing of it happened. */
export function internalError(cause: unknown): ServiceError {
  if (isServiceError(cause)) return cause
  return new ServiceError('INTERNAL_ERROR', 'the request could not be carried out; nothing of it happened', {}, cause)
}
