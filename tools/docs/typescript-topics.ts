import { asyncApiDocument } from '../../protocol/documents/asyncapi.ts'
import { contractDocument, type JsonSchema } from './contract-document.ts'
import { comment, typeOf } from './typescript-types.ts'

type Facts = {
  readonly topic: string
  readonly filters: readonly string[]
  readonly required_filters: readonly string[]
  readonly kinds: readonly string[]
  readonly snapshot: boolean
  readonly chained: boolean
}
type Document = {
  readonly 'x-topics': readonly Facts[]
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly summary: string; readonly payload: JsonSchema }>>
    readonly schemas: Readonly<Record<string, JsonSchema>>
  }
}

/** Renders the public topics of the stream: filters, kinds and data of each as a type, and how a client follows it as a table. */
export function renderTopics(): string {
  const document = asyncApiDocument() as unknown as Document
  const topics = document['x-topics']
  const types = topics.map((facts) => renderTopic(facts, document))
  const rows = topics.map(
    ({ topic, filters, required_filters, chained }) =>
      `  '${topic}': { filters: ${texts(filters)}, required: ${texts(required_filters)}, is_chained: ${chained} },\n`,
  )
  return `import type * as t from './types.ts'

/** Public topics of the stream, made from the AsyncAPI document by \`npm run docs\`. */
export type PublicTopics = {
${types.join('')}}

export type PublicTopicName = keyof PublicTopics

/** Filters of each topic, and whether each event names the one before it, so that a missing one is noticed. */
export const PUBLIC_TOPICS: Readonly<
  Record<
    PublicTopicName,
    { readonly filters: readonly string[]; readonly required: readonly string[]; readonly is_chained: boolean }
  >
> = {
${rows.join('')}}
`
}

function renderTopic({ topic, filters, required_filters, kinds, snapshot }: Facts, document: Document): string {
  const { summary, payload } = document.components.messages[topic.replaceAll('.', '_')]!
  const message = schemaOf(payload, document)
  const fields = filters.map((name) => `${name}${required_filters.includes(name) ? '' : '?'}: string`)
  const given = fields.length === 0 ? 'Record<never, never>' : `{ ${fields.join('; ')} }`
  const data = dataType(message.properties!.data!, document)
  const kind = kinds.map((name) => `'${name}'`).join(' | ')
  return `  /** ${comment(summary)} */\n  '${topic}': { filters: ${given}; kind: ${kind}; has_snapshot: ${snapshot}; data: ${data} }\n`
}

/** Returns the name of the resource in the types of the client; one that no answer of REST has is written out. */
function dataType(data: JsonSchema, document: Document): string {
  const name = data.$ref?.split('/').at(-1) ?? ''
  return name in contractDocument().schemas ? `t.${name}` : typeOf(schemaOf(data, document), 't.')
}

function schemaOf(schema: JsonSchema, { components }: Document): JsonSchema {
  return schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!
}

function texts(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`
}
