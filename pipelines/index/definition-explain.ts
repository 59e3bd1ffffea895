import { Errors } from 'typebox/value'
import { fieldPath } from '../../primitives/field-path.ts'
import { valueAt } from '../text/json-pointer.ts'
import { DefinitionSchema } from './definition-schema.ts'

type SchemaError = ReturnType<typeof Errors>[number]

/** The parts of a JSON Schema that a sentence needs. */
type Schema = {
  readonly description?: string
  readonly type?: string
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Explains the first fault in a definition's form: path, value seen, what is allowed; null if there is none. */
export function explainDefinition(value: unknown): string | null {
  const errors = Errors(DefinitionSchema, value)
  const first = errors[0]
  if (first === undefined) return null
  const union = errors.find((error) => error.keyword === 'anyOf' && first.schemaPath.startsWith(error.schemaPath))
  if (union === undefined) return explain(ofWholeList(first), value)
  const inside = errors.filter((error) => error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`))
  // The value is a mapping: explain the fault inside the union's mapping form.
  const isMapping = typeof valueAt(value, union.instancePath) === 'object'
  const meant = isMapping ? inside.find((error) => error.keyword !== 'type' && error.keyword !== 'const') : undefined
  return explain(meant ?? union, value)
}

/** Returns an error about a list of words as a whole: only the first words of a long list have an error each. */
function ofWholeList(error: SchemaError): SchemaError {
  const list = error.keyword === 'const' ? /^(.*)\/anyOf\/\d+$/.exec(error.schemaPath)?.[1] : undefined
  return list === undefined ? error : ({ ...error, keyword: 'anyOf', schemaPath: list } as SchemaError)
}

function explain(error: SchemaError, root: unknown): string {
  const schema = schemaAt(error.schemaPath)
  const params = error.params as { readonly requiredProperties?: readonly string[] }
  const missing = params.requiredProperties?.[0]
  if (missing !== undefined)
    return `${pathText(`${error.instancePath}/${missing}`, root)} is missing; allowed: ${describe(schema?.properties?.[missing])}`
  if (error.keyword === 'boolean') {
    const keys = Object.keys(schemaAt(error.schemaPath.replace(/\/additionalProperties$/, ''))?.properties ?? {})
    return `${pathText(error.instancePath, root)} is not a key of a definition; allowed here: ${keys.join(', ')}`
  }
  return `${pathText(error.instancePath, root)} is ${JSON.stringify(valueAt(root, error.instancePath))}; allowed: ${describe(schema)}`
}

/** Describes a schema in words. */
function describe(schema: Schema | undefined): string {
  if (schema?.description !== undefined) return schema.description
  if (schema?.const !== undefined) return JSON.stringify(schema.const)
  if (schema?.anyOf !== undefined) return schema.anyOf.map(describe).join(' or ')
  switch (schema?.type) {
    case 'string':
      return schema.maxLength === undefined
        ? 'text'
        : `text of ${schema.minLength ?? 0} to ${schema.maxLength} characters`
    case 'integer':
      return `a whole number from ${schema.minimum} to ${schema.maximum}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list of ${schema.minItems ?? 0} to ${schema.maxItems ?? 'any number of'} items`
    case 'object':
      return schema.properties === undefined
        ? 'a mapping of names to texts'
        : `a mapping with the keys ${Object.keys(schema.properties).join(', ')}`
    default:
      return schema?.type ?? 'nothing'
  }
}

/** Returns the path of a fault. A version is named by its name, as in the errors of `decodeDefinition`, if it has one. */
function pathText(pointer: string, root: unknown): string {
  const [position] = /^\/versions\/\d+(?=\/)/.exec(pointer) ?? []
  const name = position === undefined ? undefined : valueAt(root, `${position}/version`)
  const path = fieldPath(pointer, 'the file')
  return typeof name === 'string' ? path.replace(/^versions\[\d+\]/, () => `versions[${name}]`) : path
}

function schemaAt(path: string): Schema | undefined {
  return valueAt(DefinitionSchema, path.slice(1)) as Schema | undefined
}
