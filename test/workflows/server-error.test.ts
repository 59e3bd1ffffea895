import { expect, test, vi } from 'vitest'
import { reportRetry } from '../../service/exit-codes.ts'
import { serverError } from '../../workflows/client/server-error.ts'

test('a call that a loaded server did not answer is no internal error', () => {
  const answer = Object.assign(new Error('4 DEADLINE_EXCEEDED: Deadline exceeded'), {
    code: 4,
    details: 'Deadline exceeded after 10.0s',
    metadata: {},
  })
  const failed = Object.assign(new Error('Failed to describe schedule', { cause: answer }), { name: 'ServiceError' })
  const problem = vi.fn()
  reportRetry({ problem }, serverError(failed))
  expect(problem).toHaveBeenCalledWith(
    'the Temporal server did not do what was asked: Failed to describe schedule: Deadline exceeded after 10.0s; retrying',
    { code: 'SERVICE_UNAVAILABLE' },
  )
  const bug = new TypeError('x is not a function')
  expect(serverError(bug)).toBe(bug)
})
