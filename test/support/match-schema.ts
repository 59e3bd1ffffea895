import type { TSchema } from 'typebox'
import { expect } from 'vitest'
import type { OperationId } from '../../protocol/endpoints/endpoints.ts'
import { ErrorEnvelope } from '../../protocol/envelope.ts'
import { answerSchema } from './described-answers.ts'
import { schemaFaults } from './schema-faults.ts'

/** Fails with every place where a value breaks its schema. */
export function assertMatchesSchema(schema: TSchema, value: unknown): void {
  expect(schemaFaults(schema, value)).toEqual([])
}

/** Fails where a 200 of an operation is not the envelope that its endpoint describes. */
export function assertMatchesOperation(operation_id: OperationId, answer: unknown): void {
  assertMatchesSchema(answerSchema(operation_id), answer)
}

/** Fails where an answer is not the error object. */
export function assertIsError(answer: unknown): void {
  assertMatchesSchema(ErrorEnvelope, answer)
}
