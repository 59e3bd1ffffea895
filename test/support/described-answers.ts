import type { TSchema } from 'typebox'
import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../../protocol/endpoints/endpoints.ts'
import { answerStatus, errorsOf, privateErrorsOf, statusesOf } from '../../protocol/endpoints/errors-of.ts'
import {
  PRIVATE_ENDPOINTS,
  type PrivateOperationId,
  privateEndpointOf,
} from '../../protocol/endpoints/trading-endpoints.ts'
import { collection, ErrorEnvelope, refusedWith, single } from '../../protocol/envelope.ts'
import { schemaFaults } from './schema-faults.ts'

/** An answer with its body as JSON.parse gives it; null: it has none. */
export type JsonAnswer = {
  readonly status: number
  readonly body: ReturnType<typeof JSON.parse>
  readonly headers: Readonly<Record<string, unknown>>
}

/** Any operation of the API. */
export type AnyOperationId = OperationId | PrivateOperationId

/** One schema object each: compiling one takes longer than checking with it. */
const schemas = new Map<string, TSchema>()

/** Returns what is wrong with an answer of an operation as the documents describe it: status, envelope, code, headers. */
export function undescribed(operation_id: AnyOperationId, answer: JsonAnswer): string[] {
  const { status, body } = answer
  if (body === null) return withoutRequestId(answer)
  if (body.error !== undefined) return [...withoutRequestId(answer), ...undescribedError(operation_id, answer)]
  const success = isPrivate(operation_id) ? privateEndpointOf(operation_id).success : 200
  const faults = status === success ? [] : [`status ${status} of an answer without error; described: ${success}`]
  return [...withoutRequestId(answer), ...faults, ...breaches(answerSchema(operation_id), body)]
}

/** Returns what is wrong with an error, whatever it answers. */
export function malformedError({ status, body, headers }: JsonAnswer): string[] {
  const { code, retryable, request_id } = body.error
  const known = ERROR_CODES[code as ErrorCode]
  if (known === undefined) return [`unknown code ${code}`]
  return [
    ...(retryable === known.retryable ? [] : [`${code} has retryable ${retryable}`]),
    ...(request_id === headers['svc-request-id'] ? [] : [`request_id ${request_id} differs from its header`]),
    ...(statusesOf(code).includes(status) ? [] : [`${code} with status ${status}`]),
    ...(body.data === undefined ? breaches(ErrorEnvelope, body) : []),
  ]
}

/** Returns the schema of an operation's answer that is no error. */
export function answerSchema(operation_id: AnyOperationId): TSchema {
  const { data, envelope } = isPrivate(operation_id) ? privateEndpointOf(operation_id) : endpointOf(operation_id)
  return schemaOf(operation_id, () => (envelope === 'single' ? single(data) : collection(data)))
}

export function isPrivate(operation_id: AnyOperationId): operation_id is PrivateOperationId {
  return operation_id in PRIVATE_ENDPOINTS && !(operation_id in ENDPOINTS)
}

function undescribedError(operation_id: AnyOperationId, answer: JsonAnswer): string[] {
  const { status, body } = answer
  const code = body.error.code as ErrorCode
  const malformed = malformedError(answer)
  if (malformed.length > 0) return malformed
  if (!isPrivate(operation_id)) {
    const described = errorsOf(endpointOf(operation_id))
    return described.includes(code) && status === ERROR_CODES[code].status ? [] : [`${code} ${status} is not described`]
  }
  const endpoint = privateEndpointOf(operation_id)
  const described = privateErrorsOf(endpoint).includes(code) && status === answerStatus(endpoint, code)
  const faults = described ? [] : [`${code} ${status} is not described`]
  if (body.data === undefined) return faults
  const refused = endpoint.refused_with_data
  if (refused == null || !(refused.statuses as readonly number[]).includes(status))
    return [...faults, `data beside ${code} ${status}`]
  return [
    ...faults,
    ...breaches(
      schemaOf(`${operation_id} refused`, () => refusedWith(refused.data)),
      body,
    ),
  ]
}

function withoutRequestId({ headers }: JsonAnswer): string[] {
  return typeof headers['svc-request-id'] === 'string' ? [] : ['no SVC-Request-Id']
}

function breaches(schema: TSchema, value: unknown): string[] {
  return schemaFaults(schema, value).map((fault) => JSON.stringify(fault))
}

function schemaOf(name: string, make: () => TSchema): TSchema {
  const schema = schemas.get(name) ?? make()
  schemas.set(name, schema)
  return schema
}
