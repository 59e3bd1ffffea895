import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { valueAt } from '../../pipelines/text/json-pointer.ts'
import { fieldPath } from '../../primitives/field-path.ts'

type Schema = {
  readonly description?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Describes the first schema violation of a document: path, value seen, what is allowed; null if it is valid. */
export function explainShape(schema: TSchema, value: unknown): string | null {
  const errors = Errors(schema, value)
  const [first] = errors
  if (first === undefined) return null
  const { keyword, instancePath, schemaPath } = first
  const params = first.params as { readonly requiredProperties?: readonly string[] }
  const missing = params.requiredProperties?.[0]
  const found = valueAt(schema, schemaPath.slice(1)) as Schema | undefined
  if (missing !== undefined) {
    return `${pathOf(`${instancePath}/${missing}`)} is missing; allowed: ${inWords(found?.properties?.[missing])}`
  }
  if (keyword === 'boolean') {
    const parent = valueAt(schema, schemaPath.slice(1).replace(/\/additionalProperties$/, '')) as Schema | undefined
    return `${pathOf(instancePath)} is not known; allowed here: ${Object.keys(parent?.properties ?? {}).join(', ')}`
  }
  return `${pathOf(instancePath)} is ${JSON.stringify(valueAt(value, instancePath))}; allowed: ${inWords(found)}`
}

function inWords(schema: Schema | undefined): string {
  if (schema?.description !== undefined) return schema.description
  if (schema?.enum !== undefined) return schema.enum.join(', ')
  if (schema?.const !== undefined) return JSON.stringify(schema.const)
  if (schema?.anyOf !== undefined) return schema.anyOf.map(inWords).join(' or ')
  if (schema?.properties !== undefined) return `a mapping with the keys ${Object.keys(schema.properties).join(', ')}`
  return WORDS[schema?.type ?? ''] ?? 'see docs/trading-operations.md'
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  null: 'null',
}

const pathOf = (pointer: string): string => fieldPath(pointer, 'the file')
