import type { Static, TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { parseDocument, type Scalar, visit } from 'yaml'
import { ServiceError } from '../../primitives/errors.ts'
import { fieldPath } from '../../primitives/field-path.ts'
import { valueAt } from '../text/json-pointer.ts'
import { yamlFault } from '../text/yaml-fault.ts'

/**
 * Reads a YAML or JSON form, checked against its schema. Scalars keep their source text, so no number
 * passes through a double; `null` and `~` are null.
 * @param name the file's name, for messages
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID names the path, the value seen and what is allowed
 */
export function readForm<S extends TSchema>(schema: S, text: string, name: string): Static<S> {
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: true, strict: true })
  const syntax = document.errors[0]
  if (syntax !== undefined) throw refuse(name, yamlFault(syntax, text))
  visit(document, {
    Alias: () => {
      throw refuse(name, 'uses a YAML alias; allowed: plain values')
    },
    Scalar: (key, node) => {
      if (key !== 'key') node.value = scalarValue(node)
    },
  })
  const value: unknown = document.toJS()
  const fault = formFault(schema, value)
  if (fault !== null) throw refuse(name, fault)
  return value as Static<S>
}

/** Explains the first fault of a form: its field, the value seen and what is allowed; null: there is none. */
export function formFault(schema: TSchema, value: unknown): string | null {
  const problems = Errors(schema, value)
  const [first] = problems
  if (first === undefined) return null
  // A misspelled field is missing as well; the name that was written tells more.
  const mapping = first.schemaPath.replace(/\/additionalProperties$/, '')
  const unknown = problems.find(({ keyword, schemaPath }) => {
    return keyword === UNKNOWN_FIELD && schemaPath === `${mapping}/additionalProperties`
  })
  return sentence(unknown ?? first, schema, value)
}

/** Keyword of the schema `false`, which closed mappings have for other fields. */
const UNKNOWN_FIELD = 'boolean'

function scalarValue(node: Scalar): unknown {
  const text = node.value as string
  return node.type === 'PLAIN' && ['null', '~', ''].includes(text) ? null : text
}

type Problem = ReturnType<typeof Errors>[number]

function sentence({ keyword, instancePath, schemaPath, message, params }: Problem, schema: TSchema, value: unknown) {
  const missing = (params as { readonly requiredProperties?: readonly string[] }).requiredProperties?.[0]
  const nameOf = (path: string) => fieldPath(path, 'the form')
  if (missing !== undefined) return `${nameOf(`${instancePath}/${missing}`)} is missing; allowed: a value`
  const seen = `${nameOf(instancePath)} is ${shortText(valueAt(value, instancePath))}`
  if (keyword === UNKNOWN_FIELD) {
    const { properties = {} } = schemaAt(schema, schemaPath.replace(/\/additionalProperties$/, ''))
    return `${seen}, an unknown field; allowed here: ${Object.keys(properties).join(', ')}`
  }
  return `${seen}; allowed: ${descriptionAt(schema, schemaPath) ?? formOf(schemaAt(schema, schemaPath)) ?? message}`
}

const SHOWN_MAX = 200

/** Returns a value as JSON, cut: a form may hold a long one. */
function shortText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX).replace(/[\ud800-\udbff]$/, '')}...`
}

/** The parts of a JSON Schema that a sentence needs. */
type Shape = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly minItems?: number
  readonly maxItems?: number
}

function schemaAt(schema: TSchema, path: string): Shape {
  return (valueAt(schema, path.slice(1)) ?? {}) as Shape
}

/** Describes a mapping or a list in words; null: another value. */
function formOf({ type, properties, minItems = 0, maxItems }: Shape): string | null {
  if (properties !== undefined) return `a mapping with the fields ${Object.keys(properties).join(', ')}`
  if (type === 'object') return 'a mapping of names to texts'
  if (type !== 'array') return null
  return maxItems === undefined ? `a list of ${minItems} or more items` : `a list of ${minItems} to ${maxItems} items`
}

/** Returns the description of the violated schema; a union's own, if the violation is inside it. */
function descriptionAt(schema: TSchema, path: string): string | null {
  let found: string | null = null
  let node: unknown = schema
  for (const step of path.replace(/^#/, '').split('/').slice(1)) {
    node = valueAt(node, `/${step}`)
    const { description } = (node ?? {}) as { readonly description?: unknown }
    // The properties of a record may have one of that name, which is a schema.
    if (typeof description === 'string') found = description
  }
  return found
}

function refuse(name: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_DEFINITION_INVALID', `${name}: ${detail}`, { file: name })
}
