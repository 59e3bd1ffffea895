import { expect } from 'vitest'
import type { ErrorCode } from '../../../primitives/error-codes.ts'
import { answerStatus } from '../../../protocol/endpoints/errors-of.ts'
import { type PrivateOperationId, privateEndpointOf } from '../../../protocol/endpoints/trading-endpoints.ts'
import { undescribed } from '../described-answers.ts'
import type { Got } from './served-accounts.ts'

/** Fails where an answer is none that its endpoint describes: status, envelope, code, headers. */
export function assertDescribed(operation_id: PrivateOperationId, got: Got): void {
  expect(undescribed(operation_id, got)).toEqual([])
}

/** Fails where an answer is not described, or not refused with this code. */
export function assertRefused(operation_id: PrivateOperationId, got: Got, code: ErrorCode): void {
  expect([got.body?.error?.code, got.status], got.text).toEqual([
    code,
    answerStatus(privateEndpointOf(operation_id), code),
  ])
  assertDescribed(operation_id, got)
}
