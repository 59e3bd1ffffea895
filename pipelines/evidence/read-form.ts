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
  if (syntax !== undefined) throw refuse(name, yamlFault(syntax))
  visit(document, {
    Alias: () => {
      throw refuse(name, 'uses a YAML alias; allowed: plain values')
    },
    Scalar: (key, node) => {
      if (key !== 'key') node.value = scalarValue(node)
    },
  })
  const value: unknown = document.toJS()
  const problem = Errors(schema, value)[0]
  if (problem !== undefined) throw refuse(name, sentence(problem, schema, value))
  return value as Static<S>
}

function scalarValue(node: Scalar): unknown {
  const text = node.value as string
  return node.type === 'PLAIN' && ['null', '~', ''].includes(text) ? null : text
}

type Problem = ReturnType<typeof Errors>[number]

function sentence({ instancePath, schemaPath, message, params }: Problem, schema: TSchema, value: unknown): string {
  const missing = (params as { readonly requiredProperties?: readonly string[] }).requiredProperties?.[0]
  const nameOf = (path: string) => fieldPath(path, 'the form')
  if (missing !== undefined) return `${nameOf(`${instancePath}/${missing}`)} is missing; allowed: a value`
  const allowed = descriptionAt(schema, schemaPath) ?? message
  return `${nameOf(instancePath)} is ${JSON.stringify(valueAt(value, instancePath)) ?? 'missing'}; allowed: ${allowed}`
}

/** Returns the description of the violated schema; a union's own, if the violation is inside it. */
function descriptionAt(schema: TSchema, path: string): string | null {
  let found: string | null = null
  let node: unknown = schema
  for (const step of path.replace(/^#/, '').split('/').slice(1)) {
    node = valueAt(node, `/${step}`)
    const { description } = (node ?? {}) as { readonly description?: string }
    if (description !== undefined) found = description
  }
  return found
}

function refuse(name: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_DEFINITION_INVALID', `${name}: ${detail}`, { file: name })
}
