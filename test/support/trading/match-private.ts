import type { TSchema } from 'typebox'
import { expect } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../../primitives/error-codes.ts'
import { answerStatus, privateErrorsOf } from '../../../protocol/endpoints/errors-of.ts'
import { type PrivateOperationId, privateEndpointOf } from '../../../protocol/endpoints/trading-endpoints.ts'
import { collection, ErrorEnvelope, refusedWith, single } from '../../../protocol/envelope.ts'
import { assertMatchesSchema } from '../match-schema.ts'
import type { Got } from './served-accounts.ts'

const schemas = new Map<string, TSchema>()

/** Fails where an answer is none that its endpoint describes: status, envelope, code, headers. */
export function assertDescribed(operation_id: PrivateOperationId, got: Got): void {
  const endpoint = privateEndpointOf(operation_id)
  expect(got.headers['svc-request-id']).toBeTypeOf('string')
  if (got.body === null) return
  if (got.body.error === undefined) {
    expect(got.status).toBe(endpoint.success)
    const envelope = endpoint.envelope === 'single' ? single : collection
    assertMatchesSchema(
      schemaOf(operation_id, () => envelope(endpoint.data)),
      got.body,
    )
    return
  }
  const code = got.body.error.code as ErrorCode
  expect(privateErrorsOf(endpoint)).toContain(code)
  expect([code, got.status]).toEqual([code, answerStatus(endpoint, code)])
  expect(got.body.error.retryable).toBe(ERROR_CODES[code].retryable)
  expect(got.body.error.request_id).toBe(got.headers['svc-request-id'])
  const with_data = got.body.data !== undefined
  if (with_data) expect(endpoint.refused_with_data?.statuses).toContain(got.status)
  const name = with_data ? `${operation_id} refused` : 'error'
  assertMatchesSchema(
    schemaOf(name, () => (with_data ? refusedWith(endpoint.refused_with_data!.data) : ErrorEnvelope)),
    got.body,
  )
}

/** Fails where an answer is not described, or not refused with this code. */
export function assertRefused(operation_id: PrivateOperationId, got: Got, code: ErrorCode): void {
  expect([got.body?.error?.code, got.status], got.text).toEqual([
    code,
    answerStatus(privateEndpointOf(operation_id), code),
  ])
  assertDescribed(operation_id, got)
}

/** One schema object each: compiling one takes longer than checking with it. */
function schemaOf(name: string, make: () => TSchema): TSchema {
  const schema = schemas.get(name) ?? make()
  schemas.set(name, schema)
  return schema
}
