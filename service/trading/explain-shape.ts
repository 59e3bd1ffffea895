import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'

type Schema = {
  readonly description?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** What is wrong with the form of a document: the place, the value seen, what is allowed; null where nothing is. */
export function explainShape(schema: TSchema, value: unknown): string | null {
  const errors = Errors(schema, value)
  const [first] = errors
  if (first === undefined) return null
  const { keyword, instancePath, schemaPath } = first
  const params = first.params as { readonly requiredProperties?: readonly string[] }
  const missing = params.requiredProperties?.[0]
  const found = at(schema, schemaPath.slice(1)) as Schema | undefined
  if (missing !== undefined) {
    return `${placeOf(`${instancePath}/${missing}`)} is missing; allowed: ${inWords(found?.properties?.[missing])}`
  }
  if (keyword === 'boolean') {
    const parent = at(schema, schemaPath.slice(1).replace(/\/additionalProperties$/, '')) as Schema | undefined
    return `${placeOf(instancePath)} is not known; allowed here: ${Object.keys(parent?.properties ?? {}).join(', ')}`
  }
  return `${placeOf(instancePath)} is ${JSON.stringify(at(value, instancePath))}; allowed: ${inWords(found)}`
}

function inWords(schema: Schema | undefined): string {
  if (schema?.description !== undefined) return schema.description
  if (schema?.enum !== undefined) return schema.enum.join(', ')
  if (schema?.const !== undefined) return JSON.stringify(schema.const)
  if (schema?.anyOf !== undefined) return schema.anyOf.map(inWords).join(' or ')
  if (schema?.properties !== undefined) return `a mapping with the keys ${Object.keys(schema.properties).join(', ')}`
  return WORDS[schema?.type ?? ''] ?? 'what docs/trading-operations.md says'
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  null: 'null',
}

function placeOf(pointer: string): string {
  return pointer === '' ? 'the file' : pointer.slice(1).replaceAll('/', '.')
}

function at(root: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], root)
}
