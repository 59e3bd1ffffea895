import { ApplicationFailure } from '@temporalio/common'
import { isServiceError } from '../../primitives/errors.ts'
import { writeError } from '../../warehouse/store/store-error.ts'
import { isFinal } from '../retry.ts'

/** Attempts of an activity that fails with an unknown error: a bug does not go away. */
export const UNKNOWN_ATTEMPTS_MAX = 5

/**
 * Converts an error of an activity to a failure whose type is the error's code. Bad data is final, outages are retried, and
 * unknown errors are retried a few times.
 * @param attempt number of the activity's attempt, from 1
 */
export function failureOf(thrown: unknown, attempt: number): ApplicationFailure {
  const error = writeError(thrown)
  if (error instanceof ApplicationFailure) return error
  if (isServiceError(error)) {
    const { code: type, message, facts } = error
    return ApplicationFailure.create({ message, type, nonRetryable: isFinal(type), details: [facts] })
  }
  const message = error instanceof Error ? error.message : String(error)
  const type = error instanceof Error ? error.name : 'Error'
  return ApplicationFailure.create({ message, type, nonRetryable: attempt >= UNKNOWN_ATTEMPTS_MAX })
}
