import { expect } from 'vitest'
import type { ErrorCode } from '../../primitives/error-codes.ts'
import { ServiceError } from '../../primitives/errors.ts'

/** The error that `action` throws, which must be one of ours with this code. */
export function refusal(code: ErrorCode, action: () => unknown): ServiceError {
  let error: unknown = null
  try {
    action()
  } catch (thrown) {
    error = thrown
  }
  expect(error, `expected ${code}`).toBeInstanceOf(ServiceError)
  expect((error as ServiceError).code).toBe(code)
  return error as ServiceError
}

/** The error that `work` ends with, which must be one of ours. */
export async function refusalOf(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error, 'expected a refusal').toBeInstanceOf(ServiceError)
  return error as ServiceError
}
