import type { JsonSchema } from './contract-document.ts'

const HEADER = '/** Resources and requests of the contract, made from the OpenAPI document by `npm run docs`. */\n'

/** Renders the resources and requests as types that name no package. */
export function renderTypes(schemas: Readonly<Record<string, JsonSchema>>): string {
  const parts = Object.entries(schemas).map(([name, schema]) => {
    const described = schema.description === undefined ? '' : `/** ${comment(schema.description)} */\n`
    return `${described}export type ${name} = ${typeOf(schema)}\n`
  })
  return [HEADER, ...parts].join('\n')
}

/** Returns the type of a schema. @param prefix put before the names of other types, such as `t.` */
export function typeOf(schema: JsonSchema, prefix = ''): string {
  if (schema.$ref !== undefined) return `${prefix}${schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)}`
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map((item) => typeOf(item, prefix)))].join(' | ')
  if (schema.type === 'array') return `${grouped(typeOf(schema.items ?? {}, prefix))}[]`
  if (schema.properties !== undefined) return objectType(schema, prefix)
  if (schema.patternProperties !== undefined)
    return `Record<string, ${typeOf(Object.values(schema.patternProperties)[0] ?? {}, prefix)}>`
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

function objectType({ properties = {}, required = [] }: JsonSchema, prefix: string): string {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const name = /^[A-Za-z_]\w*$/.test(field) ? field : JSON.stringify(field)
    return `${name}${required.includes(field) ? '' : '?'}: ${typeOf(schema, prefix)}`
  })
  return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`
}

function grouped(type: string): string {
  return / \| /.test(type) && !type.startsWith('{') ? `(${type})` : type
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)
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
