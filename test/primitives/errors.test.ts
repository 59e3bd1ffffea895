import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../../primitives/error-codes.ts'
import { InvariantError, invariant, isServiceError, ServiceError } from '../../primitives/errors.ts'

describe('ServiceError', () => {
  const cause = new InvariantError('inner')
  const error = new ServiceError('INDEX_NOT_FOUND', 'index_id is "idx_x"; no such index', { index_id: 'idx_x' }, cause)

  test('carries its code, facts, exit code and cause', () => {
    expect(error).toMatchObject({ code: 'INDEX_NOT_FOUND', facts: { index_id: 'idx_x' }, exit_code: 3, cause })
    expect(error.message).toBe('index_id is "idx_x"; no such index')
  })

  test('is told apart from other errors, and by code', () => {
    expect(isServiceError(error)).toBe(true)
    expect(isServiceError(error, 'INDEX_NOT_FOUND')).toBe(true)
    expect(isServiceError(error, 'OBSERVATION_NOT_FOUND')).toBe(false)
    expect(isServiceError(cause)).toBe(false)
    expect(isServiceError('INDEX_NOT_FOUND')).toBe(false)
  })
})

test('an invariant that holds is silent; one that does not is a bug, never an error for callers', () => {
  expect(() => invariant(true, 'fine')).not.toThrow()
  expect(() => invariant(false, 'weights sum to 1')).toThrow(InvariantError)
})

/** Not found; a service that is unavailable, answers what cannot be used, or has had enough; a bug. All else is wrong input. */
const EXIT_OF_STATUS: Readonly<Record<number, number>> = { 404: 3, 429: 4, 500: 1, 502: 4, 503: 4, 504: 4 }
/** The venue answered and the chunk was judged, or a proof was checked: the command's answer is "no" (docs/errors.md). */
const ANSWERED_NO: readonly string[] = ['BACKFILL_CHUNK_INCOMPLETE', 'PROOF_INVALID']
/**
 * Statuses that pass by themselves; then codes whose request may be sent again in another form (decisions 1), or after the next
 * checkpoint (docs/log.md).
 */
const PASSING = [429, 503, 504]
const ASKED_ANEW = ['AUTH_TIMESTAMP_OUT_OF_WINDOW', 'IDEMPOTENCY_IN_PROGRESS', 'PROOF_PENDING']

test.each(Object.entries(ERROR_CODES))(
  '%s: status, exit code and name agree',
  (code, { status, exit_code, retryable }) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)+$/)
    // What is not found has one exit code, also where a body names it (422).
    const of_status = code.endsWith('_NOT_FOUND') ? 3 : (EXIT_OF_STATUS[status] ?? 2)
    expect(exit_code).toBe(ANSWERED_NO.includes(code) ? 1 : of_status)
    if (retryable && !ASKED_ANEW.includes(code)) expect(PASSING).toContain(status)
  },
)
