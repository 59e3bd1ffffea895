import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'

/** Strict, and another implementation than the one that the service checks requests with. */
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
const compiled = new WeakMap<TSchema, ValidateFunction>()

/** Place in a value that breaks its schema. */
export type SchemaFault = {
  readonly instancePath: string
  readonly message: string | undefined
  readonly params: object
}

/** Returns every place where a value breaks its schema. */
export function schemaFaults(schema: TSchema, value: unknown): SchemaFault[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message, params }) => ({ instancePath, message, params }))
}
