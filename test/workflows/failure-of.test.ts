import { ApplicationFailure } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { failureOf, UNKNOWN_ATTEMPTS_MAX } from '../../workflows/activities/failure-of.ts'

const CODES = Object.keys(ERROR_CODES) as ErrorCode[]
/** Codes that pass by themselves or by an operator's hand; every other error of an activity is final. */
const WAITED_FOR: readonly ErrorCode[] = [
  'INTERNAL_ERROR',
  'WAREHOUSE_NOT_FOUND',
  'WAREHOUSE_STORE_UNSUITABLE',
  'WAREHOUSE_SCHEMA_CHANGED',
]

describe('what an activity tells of an error', () => {
  test.each(CODES)('%s: its type is its code, and it is final unless it passes', (code) => {
    const failure = failureOf(new ServiceError(code, 'the sentence', { field: 'x' }), 1)
    expect(failure).toMatchObject({ type: code, message: 'the sentence', details: [{ field: 'x' }] })
    expect(failure.nonRetryable).toBe(!ERROR_CODES[code].retryable && !WAITED_FOR.includes(code))
  })

  test('bad data is final, an outage is not', () => {
    const is_final = (code: ErrorCode) => failureOf(new ServiceError(code, ''), 1).nonRetryable
    expect(CODES.filter((code) => code.startsWith('VALIDATION_')).every(is_final)).toBe(true)
    expect(
      ['VENUE_UNAVAILABLE', 'WAREHOUSE_BUSY', 'WAREHOUSE_STORE_FULL', 'SERVICE_UNAVAILABLE'].some(is_final as never),
    ).toBe(false)
  })

  test('what we do not know is tried a few times', () => {
    const bug = new RangeError('no such thing')
    expect(failureOf(bug, UNKNOWN_ATTEMPTS_MAX - 1)).toMatchObject({ type: 'RangeError', nonRetryable: false })
    expect(failureOf(bug, UNKNOWN_ATTEMPTS_MAX).nonRetryable).toBe(true)
  })

  test('a failure that is told already stays as it is', () => {
    const told = ApplicationFailure.nonRetryable('told', 'TOLD')
    expect(failureOf(told, 1)).toBe(told)
  })
})
