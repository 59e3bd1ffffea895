import { expect } from 'vitest'
import { type ErrorCode, ServiceError } from '../../primitives/errors.ts'

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
