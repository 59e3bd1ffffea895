import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { InvariantError, ServiceError } from '../../primitives/errors.ts'
import { describeFailure, reportFailure, reportRetry } from '../../service/exit-codes.ts'
import type { Output } from '../../service/output.ts'
import { failureOf } from '../../workflows/activities/failure-of.ts'

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

describe('a disk that cannot be written, wherever it is,', () => {
  const failed = (code: string, path: string) =>
    Object.assign(new Error(`${code}: it failed, open '${path}'`), { code, path })

  test.each([
    ['ENOSPC', 'WAREHOUSE_STORE_FULL', 'the disk of /var/tmp/x is full; free some space and try again'],
    ['EDQUOT', 'WAREHOUSE_STORE_FULL', 'the disk of /var/tmp/x is full; free some space and try again'],
    [
      'EROFS',
      'WAREHOUSE_STORE_UNSUITABLE',
      '/var/tmp/x is on a read-only file system; allowed: a place that this user may write to',
    ],
  ])('is no internal error: %s', (code, expected, message) => {
    const { error, exit_code } = describeFailure(failed(code, '/var/tmp/x'))
    expect([error.code, error.message, exit_code]).toEqual([expected, message, 4])
  })

  test('is named by the text of DuckDB', () => {
    const error = new Error('IO Error: Could not write file "/tmp/tidemark-engine-1/x.tmp": No space left on device')
    expect(describeFailure(error).error.message).toContain('the disk of /tmp/tidemark-engine-1/x.tmp is full')
  })

  test.runIf(existsSync('/dev/full'))('is told of a real write without a path', async () => {
    const error = await writeFile('/dev/full', 'text').catch((thrown: unknown) => thrown)
    expect(describeFailure(error).error).toMatchObject({ code: 'WAREHOUSE_STORE_FULL', retryable: true })
    expect(failureOf(error, 99)).toMatchObject({ type: 'WAREHOUSE_STORE_FULL', nonRetryable: false })
  })
})

test.each([
  Object.assign(new Error('the database system is in recovery mode'), { code: '57P03' }),
  Object.assign(new Error('sorry, too many clients already'), { code: '53300' }),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
])('a database that does not answer (%s) is no internal error', (error) => {
  expect(describeFailure(error)).toEqual({
    exit_code: 4,
    error: {
      code: 'SERVICE_UNAVAILABLE',
      message: `the trading database does not answer: ${error.message}`,
      retryable: true,
    },
    usage: null,
  })
  const refused = Object.assign(new Error('relation "x" does not exist'), { code: '42P01' })
  expect(describeFailure(refused).error.code).toBe('INTERNAL_ERROR')
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

test('a retried internal error names the part that failed; an error of ours says it itself', () => {
  const lines: string[] = []
  const problem = (text: string) => void lines.push(text)
  reportRetry({ problem }, 'trading database', new Error('connection timeout'))
  reportRetry({ problem }, 'trading database', new ServiceError('SERVICE_UNAVAILABLE', 'the server does not answer'))
  expect(lines).toEqual([
    'trading database: internal error: connection timeout; retrying',
    'the server does not answer; retrying',
  ])
})

test('the first line of a list of mistakes has no colon before its code', async () => {
  const lines: string[] = []
  const output = { json: false, log: (_: string, text: string) => void lines.push(text) } as unknown as Output
  const text = 'bad.yaml has 2 mistakes:\n  bad.yaml:1: one\n  bad.yaml:2: two'
  await reportFailure(new ServiceError('VALIDATION_DEFINITION_INVALID', text, { mistakes: '2' }), output, false)
  expect(lines).toEqual(['bad.yaml has 2 mistakes', 'bad.yaml:1: one', 'bad.yaml:2: two'])
})
