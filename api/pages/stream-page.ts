import { escapeHtml } from '../../primitives/escape-html.ts'
import { asyncApiDocument } from '../../protocol/documents/asyncapi.ts'
import type { JsonObject } from '../../protocol/documents/schema-components.ts'
import { STREAM } from '../../protocol/limits.ts'
import { PRIVATE_TOPIC_NAMES, type PrivateTopic, privateTopicOf } from '../../protocol/stream/private-topics.ts'
import { TOPIC_NAMES, type Topic, topicOf } from '../../protocol/stream/topics.ts'
import { fieldTable } from './field-tables.ts'
import { page } from './html.ts'
import { block, code, table } from './html-parts.ts'
import type { ContractSchema } from './operations.ts'
import { followForm } from './try-form.ts'

/** Renders /docs/stream: messages of the stream, from the AsyncAPI document, and the topics with a page of their own. */
export function streamPage(base_url: string): string {
  const document = asyncApiDocument()
  const { description } = document.info as { readonly description: string }
  const paragraphs = description.split('\n\n').map((text) => `<p>${escapeHtml(text)}</p>`)
  const topics = [...TOPIC_NAMES.map(topicOf), ...PRIVATE_TOPIC_NAMES.map(privateTopicOf)]
  const rows = topics.map((one) => [
    topicLink(one.topic),
    'scope' in one ? code(one.scope) : 'public',
    escapeHtml(one.description),
  ])
  const body = [
    ...paragraphs,
    '<p>Guides: <a href="/docs/guides/stream">the public stream</a>, <a href="/docs/guides/private-stream">the stream of an account</a>.</p>',
    block(`${socketUrl(base_url)}\n{"op":"subscribe","id":"1","topic":"index.price"}`),
    '<h2 id="topics">Topics</h2>',
    table(['topic', 'scope', 'what'], rows),
    '<h2 id="messages">Messages</h2>',
    table(['message', 'what'], messagesOf(document)),
    bounds(),
  ]
  return page('Stream', body.join('\n'), { at: '/docs/stream' })
}

/** Renders /docs/stream/{topic}; null: there is no such topic. */
export function topicPage(name: string, base_url: string): string | null {
  const of_public = TOPIC_NAMES.find((topic) => topic === name)
  const of_accounts = PRIVATE_TOPIC_NAMES.find((topic) => topic === name)
  if (of_public !== undefined) return publicTopicPage(topicOf(of_public), base_url)
  return of_accounts === undefined ? null : privateTopicPage(privateTopicOf(of_accounts), base_url)
}

function publicTopicPage(facts: Topic, base_url: string): string {
  const { topic, description, filters, required_filters, kinds, conflated, known_gaps, data } = facts
  const rows = [
    ['kinds', kinds.map(code).join(', ')],
    ['a slow reader gets', conflated ? 'the latest of each key' : 'each message, or a gap message'],
    ['known gaps', gapsText(known_gaps)],
  ]
  const body = [
    `<p>${escapeHtml(description)}</p>`,
    table(['', ''], rows),
    filterSection(filters, required_filters),
    subscription(topic, filters, required_filters, base_url),
    dataSection(data as unknown as ContractSchema),
    followForm(topic, Object.keys(filters), required_filters, false),
  ]
  return page(topic, body.join('\n'), { at: `/docs/stream/${topic}` })
}

function privateTopicPage(facts: PrivateTopic, base_url: string): string {
  const { topic, description, scope, filters, kinds, snapshot_of, rest_path, known_gaps, data } = facts
  const rows = [
    ['scope', code(scope)],
    ['snapshot', escapeHtml(snapshot_of)],
    ['kinds', kinds.map(code).join(', ')],
    ['as', code(`GET /v1${rest_path}`)],
    ['known gaps', gapsText(known_gaps)],
  ]
  const body = [
    `<p>${escapeHtml(description)}</p>`,
    '<p>The connection is authenticated first: see <a href="/docs/guides/private-stream">the stream of an account</a>.</p>',
    table(['', ''], rows),
    filterSection(filters, []),
    subscription(topic, filters, [], base_url),
    dataSection(data as unknown as ContractSchema),
    followForm(topic, Object.keys(filters), [], true),
  ]
  return page(topic, body.join('\n'), { at: `/docs/stream/${topic}` })
}

type Filters = Readonly<Record<string, object>>

function filterSection(filters: Filters, required: readonly string[]): string {
  const rows = Object.entries(filters).map(([name, schema]) => {
    const { description = '' } = schema as { readonly description?: string }
    return [code(name), required.includes(name) ? 'required' : 'optional', escapeHtml(description)]
  })
  return `<h2 id="filters">Filters</h2>${table(['filter', '', 'meaning'], rows)}`
}

function subscription(topic: string, filters: Filters, required: readonly string[], base_url: string): string {
  const given = required.map((name) => [name, exampleOf(filters[name] as ContractSchema, name)])
  const message = JSON.stringify({ op: 'subscribe', id: '1', topic, ...Object.fromEntries(given) })
  return `<h2 id="example">Example</h2>${block(`${socketUrl(base_url)}\n${message}`)}`
}

function exampleOf({ examples }: ContractSchema, name: string): string {
  return String(examples?.[0] ?? name)
}

function dataSection(data: ContractSchema): string {
  return `<h2 id="data">Fields of data</h2>${fieldTable(data)}`
}

function gapsText(known_gaps: readonly string[]): string {
  return known_gaps.length === 0 ? 'none' : known_gaps.map(escapeHtml).join('; ')
}

function socketUrl(base_url: string): string {
  return `${base_url.replace(/^http/, 'ws')}/v1/ws`
}

function topicLink(topic: string): string {
  return `<a href="/docs/stream/${topic}">${code(topic)}</a>`
}

function messagesOf(document: JsonObject): string[][] {
  const { messages } = document.components as {
    readonly messages: Readonly<Record<string, { readonly summary: string }>>
  }
  return Object.entries(messages).map(([name, { summary }]) => [code(name), escapeHtml(summary)])
}

function bounds(): string {
  return `<p>A connection has at most ${STREAM.subscriptions_max} subscriptions; a message of a client at most ${STREAM.message_bytes_max} bytes. Schemas:
<a href="/asyncapi.json">asyncapi.json</a>.</p>`
}
