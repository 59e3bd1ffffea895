import { WorkflowFailedError, WorkflowUpdateFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { ServiceError } from '../../primitives/errors.ts'

/** Returns the innermost application failure of an activity or child; null if there is none. */
export function applicationFailure(error: unknown): ApplicationFailure | null {
  if (error instanceof ApplicationFailure) return error
  return error instanceof Error && error.cause !== undefined ? applicationFailure(error.cause) : null
}

/** Returns the error that made a workflow or an update fail, as its activity threw it; any other error unchanged. */
export function workflowFailure(error: unknown): unknown {
  if (!(error instanceof WorkflowFailedError || error instanceof WorkflowUpdateFailedError)) return error
  const failure = applicationFailure(error)
  const type = failure?.type ?? ''
  const code = type in ERROR_CODES ? (type as ErrorCode) : 'INTERNAL_ERROR'
  return new ServiceError(code, failure?.message ?? error.message, {}, error)
}
