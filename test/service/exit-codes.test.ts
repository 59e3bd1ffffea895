import { describe, expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { InvariantError, ServiceError } from '../../primitives/errors.ts'
import { describeFailure } from '../../service/exit-codes.ts'

describe('an error of ours', () => {
  test.each(Object.keys(ERROR_CODES) as ErrorCode[])('%s ends with its own exit code', (code) => {
    const failure = describeFailure(new ServiceError(code, 'a sentence'))
    const { exit_code, retryable } = ERROR_CODES[code]
    expect(failure).toEqual({ exit_code, error: { code, message: 'a sentence', retryable }, usage: null })
  })

  test('is one sentence even when a library wrote several lines', () => {
    const error = new ServiceError('VALIDATION_SQL_REFUSED', 'statement is refused:\n  line 1\n\n  ^')
    expect(describeFailure(error).error.message).toBe('statement is refused: line 1 ^')
  })
})

test.each([new InvariantError('boom'), new TypeError('boom'), 'boom'])(
  'anything else (%s) is an internal error',
  (error) => {
    expect(describeFailure(error)).toEqual({
      exit_code: 1,
      error: { code: 'INTERNAL_ERROR', message: 'internal error: boom', retryable: false },
      usage: null,
    })
  },
)
