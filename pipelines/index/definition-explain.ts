import { Settings } from 'typebox/system'
import { Errors } from 'typebox/value'
import { fieldPath } from '../../primitives/field-path.ts'
import { didYouMean, nearestWord } from '../../primitives/nearest-word.ts'
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

/** A fault in the form of a definition: its path as shown, and a sentence with the value seen and what is allowed. */
export type FormFault = { readonly path: string; readonly text: string }

/** Most errors of the schema that are read: of a file that is no definition at all, everything is wrong. */
const ERRORS_MAX = 1_000

/** Explains every fault in a definition's form, in the order of the schema; empty: there is none. */
export function explainDefinition(value: unknown): readonly FormFault[] {
  const errors = errorsOf(value)
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf')
  const explained = errors.flatMap((error) => {
    if (error.keyword === 'additionalProperties') return [] // each key has an error of its own
    const union = unions.find((one) => isInside(error, one))
    if (union === undefined) return explain(error, value, errors)
    const inside = errors.filter((one) => one !== union && isInside(one, union))
    return error === inside[0] || error === union ? explain(meantBy(union, inside, value), value, errors) : []
  })
  return [...new Map(explained.map((fault) => [fault.text, fault])).values()]
}

function errorsOf(value: unknown): readonly SchemaError[] {
  const { maxErrors } = Settings.Get()
  Settings.Set({ maxErrors: ERRORS_MAX })
  try {
    return Errors(DefinitionSchema, value)
  } finally {
    Settings.Set({ maxErrors })
  }
}

function isInside(error: SchemaError, union: SchemaError): boolean {
  const is_same = error === union
  const is_part = error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`)
  return is_same || (is_part && `${error.instancePath}/`.startsWith(`${union.instancePath}/`))
}

/** Returns the error that explains a union best: of a mapping the one in its mapping form, else that of the union as a whole. */
function meantBy(union: SchemaError, inside: readonly SchemaError[], root: unknown): SchemaError {
  const isMapping = typeof valueAt(root, union.instancePath) === 'object'
  const meant = isMapping ? inside.find(({ keyword }) => keyword !== 'type' && keyword !== 'const') : undefined
  return meant ?? union
}

function explain(error: SchemaError, root: unknown, errors: readonly SchemaError[]): readonly FormFault[] {
  const schema = schemaAt(error.schemaPath)
  const params = error.params as { readonly requiredProperties?: readonly string[] }
  if (params.requiredProperties !== undefined)
    return missingKeys(error, params.requiredProperties, errors).map((missing) => {
      const path = pathText(`${error.instancePath}/${missing}`, root)
      return { path, text: `${path} is missing; allowed: ${describe(schema?.properties?.[missing])}` }
    })
  const path = pathText(error.instancePath, root)
  if (error.keyword === 'boolean') {
    const keys = keysBeside(error)
    const hint = didYouMean(lastStep(error.instancePath), keys)
    return [{ path, text: `${path} is not a key of a definition${hint}; allowed here: ${keys.join(', ')}` }]
  }
  const value = valueAt(root, error.instancePath)
  const hint = typeof value === 'string' ? didYouMean(value, wordsOf(schema)) : ''
  return [{ path, text: `${path} is ${JSON.stringify(value)}${hint}; allowed: ${describe(schema)}` }]
}

/** Returns the missing keys without those that an unknown key beside them misspells: its own fault names them. */
function missingKeys(error: SchemaError, missing: readonly string[], errors: readonly SchemaError[]) {
  const unknown = errors
    .filter(({ keyword, instancePath }) => keyword === 'boolean' && parentOf(instancePath) === error.instancePath)
    .map(({ instancePath }) => lastStep(instancePath))
  return missing.filter((key) => !unknown.some((written) => nearestWord(written, [key]) !== null))
}

function keysBeside({ schemaPath }: SchemaError): readonly string[] {
  return Object.keys(schemaAt(schemaPath.replace(/\/additionalProperties$/, ''))?.properties ?? {})
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'))
}

function lastStep(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

/** Returns the words that a schema accepts. */
function wordsOf(schema: Schema | undefined): readonly string[] {
  return (schema?.anyOf ?? []).flatMap((one) => (typeof one.const === 'string' ? [one.const] : []))
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

/** Returns the path of a fault. A version is named by its name if it has one of its own, as in the other errors. */
function pathText(pointer: string, root: unknown): string {
  const [position] = /^\/versions\/\d+(?=\/)/.exec(pointer) ?? []
  const name = position === undefined ? undefined : valueAt(root, `${position}/version`)
  const path = fieldPath(pointer, 'the file')
  if (typeof name !== 'string') return path
  const versions = valueAt(root, '/versions') as readonly { readonly version?: unknown }[]
  const is_doubled = versions.filter((one) => one?.version === name).length > 1
  return path.replace(/^versions\[(\d+)\]/, (_, at) => `versions[${is_doubled ? `#${at}` : name}]`)
}

function schemaAt(path: string): Schema | undefined {
  return valueAt(DefinitionSchema, path.slice(1)) as Schema | undefined
}
