import type { JsonSchema } from './contract-document.ts'

/** Reserved words of Python that a field may be named. */
const KEYWORDS = new Set([
  'from',
  'in',
  'is',
  'not',
  'class',
  'def',
  'pass',
  'global',
  'import',
  'lambda',
  'with',
  'as',
])

const HEADER = `"""Resources of the contract, made from the OpenAPI document by \`npm run docs\`."""

from __future__ import annotations

from typing import Any, Literal, TypedDict
`

/** Renders the resources as typed dictionaries. Inline objects become types named after the field that has them. */
export function renderPythonTypes(schemas: Readonly<Record<string, JsonSchema>>): string {
  const names = new Set(Object.keys(schemas))
  const parts: string[] = []
  for (const [name, schema] of Object.entries(schemas)) parts.push(...renderSchema(name, schema, names))
  return `${[HEADER, ...parts].join('\n')}`
}

function renderSchema(name: string, schema: JsonSchema, taken: Set<string>): readonly string[] {
  const inner: string[] = []
  if (schema.properties === undefined) return [`\n${name} = ${quoted(typeOf(schema, name, taken, inner))}\n`]
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties).map(([field, item]) => ({
    field,
    type: typeOf(item, `${name}${camel(field)}`, taken, inner),
    required: required.has(field),
  }))
  return [...inner, renderTypedDict(name, fields, schema.description)]
}

type Field = { readonly field: string; readonly type: string; readonly required: boolean }

function renderTypedDict(name: string, fields: readonly Field[], description: string | undefined): string {
  const doc = `    """${sentence(description ?? `Resource ${name}.`)}"""\n`
  if (fields.some(({ field }) => !isIdentifier(field))) return renderByCall(name, fields)
  const [always, maybe] = [fields.filter((f) => f.required), fields.filter((f) => !f.required)]
  const lines = (some: readonly Field[]) => some.map(({ field, type }) => `    ${field}: ${type}\n`).join('')
  if (maybe.length === 0) return `\nclass ${name}(TypedDict):\n${doc}\n${lines(always) || '    pass\n'}`
  if (always.length === 0) return `\nclass ${name}(TypedDict, total=False):\n${doc}\n${lines(maybe)}`
  const base = `\nclass _${name}Required(TypedDict):\n${lines(always)}`
  return `${base}\n\nclass ${name}(_${name}Required, total=False):\n${doc}\n${lines(maybe)}`
}

/** Renders a dictionary with a field that is no name in Python. */
function renderByCall(name: string, fields: readonly Field[]): string {
  const total = fields.every((field) => field.required)
  const items = fields.map(({ field, type }) => `        "${field}": "${type.replaceAll('"', "'")}",\n`).join('')
  return `\n${name} = TypedDict(\n    "${name}",\n    {\n${items}    },\n${total ? '' : '    total=False,\n'})\n`
}

/** Returns the type of a schema; inline objects are added to \`inner\`. */
export function typeOf(schema: JsonSchema, name: string, taken: Set<string>, inner: string[]): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined)
    return [...new Set(choices.map((item, i) => typeOf(item, i === 0 ? name : `${name}${i + 1}`, taken, inner)))].join(
      ' | ',
    )
  if (schema.type === 'array') return `list[${typeOf(schema.items ?? {}, `${name}Item`, taken, inner)}]`
  if (schema.type === 'object' && schema.properties !== undefined) return inlineObject(schema, name, taken, inner)
  return PLAIN[String(schema.type)] ?? 'Any'
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  object: 'dict[str, Any]',
}

function inlineObject(schema: JsonSchema, name: string, taken: Set<string>, inner: string[]): string {
  const own = taken.has(name) ? `${name}Part` : name
  taken.add(own)
  inner.push(...renderSchema(own, schema, taken))
  return own
}

function literal(value: unknown): string {
  if (value === null) return 'None'
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
}

function quoted(type: string): string {
  return type.includes('|') ? `"${type}"` : type
}

function camel(field: string): string {
  return field
    .split(/[^A-Za-z0-9]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}

function isIdentifier(field: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(field) && !KEYWORDS.has(field)
}

/** Returns the first sentence of a description as the line of a docstring. */
export function sentence(text: string): string {
  const first = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''")
    .split(/(?<=\.)\s/)[0]!
  const cut = first.length > 95 ? `${first.slice(0, 92)}...` : first
  const capital = cut.charAt(0).toUpperCase() + cut.slice(1)
  return /[.?!]$/.test(capital) ? capital : `${capital}.`
}
