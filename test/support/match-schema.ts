import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { expect } from 'vitest'
import { endpointOf, type OperationId } from '../../protocol/endpoints/endpoints.ts'
import { collection, ErrorEnvelope, single } from '../../protocol/envelope.ts'

/** Strict, and another implementation than the one that the service checks requests with. */
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
const compiled = new WeakMap<TSchema, ValidateFunction>()
const envelopes = new Map<OperationId, TSchema>()

/** Fails with every place where a value breaks its schema. */
export function assertMatchesSchema(schema: TSchema, value: unknown): void {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  validate(value)
  const faults = (validate.errors ?? []).map(({ instancePath, message, params }) => ({ instancePath, message, params }))
  expect(faults).toEqual([])
}

/** Fails where a 200 of an operation is not the envelope that its endpoint describes. */
export function assertMatchesOperation(operation_id: OperationId, answer: unknown): void {
  assertMatchesSchema(envelopeOf(operation_id), answer)
}

/** Fails where an answer is not the error object. */
export function assertIsError(answer: unknown): void {
  assertMatchesSchema(ErrorEnvelope, answer)
}

function envelopeOf(operation_id: OperationId): TSchema {
  const { data, envelope } = endpointOf(operation_id)
  const schema = envelopes.get(operation_id) ?? (envelope === 'single' ? single(data) : collection(data))
  envelopes.set(operation_id, schema)
  return schema
}
