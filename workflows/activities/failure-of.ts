import { ApplicationFailure } from '@temporalio/common'
import { isServiceError } from '../../primitives/errors.ts'
import { isFinal } from '../retry.ts'

/** How often an error that we do not know is tried: a bug does not pass. */
export const UNKNOWN_ATTEMPTS_MAX = 5

/**
 * What an activity tells of an error: its type is the error's code. Bad data is final; outages are tried again; what we do not
 * know is tried a few times.
 * @param attempt of the activity, from 1
 */
export function failureOf(error: unknown, attempt: number): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error
  if (isServiceError(error)) {
    const { code: type, message, facts } = error
    return ApplicationFailure.create({ message, type, nonRetryable: isFinal(type), details: [facts] })
  }
  const message = error instanceof Error ? error.message : String(error)
  const type = error instanceof Error ? error.name : 'Error'
  return ApplicationFailure.create({ message, type, nonRetryable: attempt >= UNKNOWN_ATTEMPTS_MAX })
}
