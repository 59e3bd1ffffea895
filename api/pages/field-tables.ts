import type { TSchema } from 'typebox'
import { escapeHtml } from '../../primitives/escape-html.ts'
import { describeAllowed } from '../server/describe-allowed.ts'
import { code, table } from './html-parts.ts'
import { type ContractSchema, type OperationParameter, resolved } from './operations.ts'

/** Deepest nesting of objects that is shown in one table. */
const DEPTH_MAX = 4

/** Renders the parameters of an operation: where each stands, what it means, what it accepts. */
export function parameterTable(parameters: readonly OperationParameter[]): string {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const meaning = [description ?? resolved(schema).description ?? '', allowedText(schema), defaultText(schema)]
    return [
      code(name),
      place,
      required ? 'required' : 'optional',
      escapeHtml(meaning.filter((part) => part !== '').join('; ')),
    ]
  })
  return table(['parameter', 'in', '', 'meaning'], rows)
}

/** Renders the fields of an object; those of objects within it follow it, with their path. */
export function fieldTable(schema: ContractSchema): string {
  return table(['field', 'type', 'meaning'], fieldRows(schema, '', 0))
}

function fieldRows(given: ContractSchema, prefix: string, depth: number): readonly (readonly string[])[] {
  const { properties = {}, required = [] } = objectOf(given) ?? {}
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const notes = [resolved(field).description ?? '', required.includes(name) ? '' : 'may be left out']
    const row = [code(path), escapeHtml(typeText(field)), escapeHtml(notes.filter((note) => note !== '').join('; '))]
    const is_list = listOf(field) !== null
    const within =
      depth < DEPTH_MAX ? fieldRows(listOf(field) ?? field, `${path}${is_list ? '[]' : ''}.`, depth + 1) : []
    return [row, ...within]
  })
}

/** Returns the object that a schema is, or one of its choices is; null: none is. */
function objectOf(given: ContractSchema): ContractSchema | null {
  const schema = resolved(given)
  if (schema.properties !== undefined) return schema
  for (const choice of schema.anyOf ?? []) {
    const found = objectOf(choice)
    if (found !== null) return found
  }
  return null
}

/** Returns the items of a list, which may be null; null: it is no list. */
function listOf(given: ContractSchema): ContractSchema | null {
  const schema = resolved(given)
  if (schema.items !== undefined) return schema.items
  for (const choice of schema.anyOf ?? []) if (resolved(choice).items !== undefined) return listOf(choice)
  return null
}

/** Returns the type of a field in words. */
function typeText(given: ContractSchema): string {
  const schema = resolved(given)
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeText))].join(' or ')
  if (schema.const !== undefined) return String(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(String).join(', ')
  if (schema.items !== undefined) return `list of ${typeText(schema.items)}`
  return schema.title ?? schema.type ?? 'any JSON'
}

function allowedText(schema: ContractSchema): string {
  const whole = resolved(schema)
  return whole.type === undefined && whole.enum === undefined ? '' : describeAllowed(whole as unknown as TSchema)
}

function defaultText(schema: ContractSchema): string {
  const { default: value } = resolved(schema)
  return value === undefined ? '' : `${String(value)} where left out`
}
