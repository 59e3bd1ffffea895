import type { JsonSchema } from './contract-document.ts'
import { baseOf, literal, unionOf, valueNames } from './typescript-shared.ts'

const HEADER = '/** Resources and requests of the contract, made from the OpenAPI document by `npm run docs`. */\n'

/** Names of types: what is put before those of resources, such as `t.`, and the names of lists of values. */
type Naming = { readonly prefix: string; readonly values: ReadonlyMap<string, string> }

/** Renders the resources and requests as types that name no package; what several of them share is written once. */
export function renderTypes(schemas: Readonly<Record<string, JsonSchema>>): string {
  const naming = { prefix: '', values: valueNames(schemas) }
  const fields = new Map(Object.entries(schemas).map(([name, schema]) => [name, fieldsOf(schema, naming)]))
  const values = [...naming.values].map(([type, name]) => `export type ${name} = ${longerList(type, naming)}\n`)
  const parts = Object.entries(schemas).map(([name, schema]) => {
    const described = schema.description === undefined ? '' : `/** ${comment(schema.description)} */\n`
    const base = baseOf(name, fields)
    const own = base === null ? null : fields.get(name)!.filter((field) => !fields.get(base)!.includes(field))
    const type = own === null ? typed(schema, naming) : `${base} & ${objectType(own)}`
    return `${described}export type ${name} = ${type}\n`
  })
  return [HEADER, ...values, ...parts].join('\n')
}

/** Writes a list of values that begins with another one by the name of that one. */
function longerList(type: string, { values }: Naming): string {
  const [shorter, name] = [...values].find(([other]) => type.startsWith(`${other} | `)) ?? ['', '']
  return `${name}${type.slice(shorter.length)}`
}

/** Returns the type of a schema. @param prefix put before the names of other types, such as `t.` */
export function typeOf(schema: JsonSchema, prefix = ''): string {
  return typed(schema, { prefix, values: new Map() })
}

function typed(schema: JsonSchema, naming: Naming): string {
  if (schema.$ref !== undefined) return `${naming.prefix}${schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)}`
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return naming.values.get(unionOf(schema.enum)) ?? unionOf(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map((item) => typed(item, naming)))].join(' | ')
  if (schema.type === 'array') return `${grouped(typed(schema.items ?? {}, naming))}[]`
  if (schema.properties !== undefined) return objectType(fieldsOf(schema, naming))
  if (schema.patternProperties !== undefined)
    return `Record<string, ${typed(Object.values(schema.patternProperties)[0] ?? {}, naming)}>`
  return PLAIN[String(schema.type)] ?? 'unknown'
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'Record<string, unknown>',
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema, naming: Naming): readonly string[] {
  return Object.entries(properties).map(([field, schema]) => {
    const name = /^[A-Za-z_]\w*$/.test(field) ? field : JSON.stringify(field)
    return `${name}${required.includes(field) ? '' : '?'}: ${typed(schema, naming)}`
  })
}

function objectType(fields: readonly string[]): string {
  return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`
}

function grouped(type: string): string {
  return / \| /.test(type) && !type.startsWith('{') ? `(${type})` : type
}

/** Returns the first sentence of a description on one line, as the text of a comment. */
export function comment(text: string): string {
  const [first = ''] = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('*/', '* /')
    .split(/(?<=\.)\s/)
  const capital = first.charAt(0).toUpperCase() + first.slice(1)
  return /[.?!]$/.test(capital) ? capital : `${capital}.`
}
