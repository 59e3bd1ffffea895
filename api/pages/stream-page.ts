import { escapeHtml } from '../../primitives/escape-html.ts'
import { asyncApiDocument } from '../../protocol/documents/asyncapi.ts'
import type { JsonObject } from '../../protocol/documents/schema-components.ts'
import { STREAM } from '../../protocol/limits.ts'
import { PRIVATE_TOPIC_NAMES, type PrivateTopic, privateTopicOf } from '../../protocol/stream/private-topics.ts'
import { TOPIC_NAMES, type Topic, topicOf } from '../../protocol/stream/topics.ts'
import { block, code, page, table } from './html.ts'

/** Renders /docs/stream: topics and messages of the stream, from the AsyncAPI document. */
export function streamPage(base_url: string): string {
  const document = asyncApiDocument()
  const { description } = document.info as { readonly description: string }
  const paragraphs = description.split('\n\n').map((text) => `<p>${escapeHtml(text)}</p>`)
  const sample = `${base_url.replace(/^http/, 'ws')}/v1/ws\n{"op":"subscribe","id":"1","topic":"index.price"}`
  const body = [
    ...paragraphs,
    block(sample),
    '<h2>Topics</h2>',
    ...TOPIC_NAMES.map(topicOf).map(topicSection),
    '<h2>Topics of an account</h2>',
    ...PRIVATE_TOPIC_NAMES.map(privateTopicOf).map(privateTopicSection),
    '<h2>Messages</h2>',
    table(['message', 'what'], messagesOf(document)),
    bounds(),
  ]
  return page('Stream', body.join('\n'))
}

function topicSection({ topic, description, filters, required_filters, kinds, conflated, known_gaps }: Topic): string {
  const shown = Object.keys(filters).map((name) => `${name}${required_filters.includes(name) ? ' (required)' : ''}`)
  const facts = [
    ['filters', shown.map(code).join(', ')],
    ['kinds', kinds.map(code).join(', ')],
    ['a slow reader gets', conflated ? 'the latest of each key' : 'each message, or a gap message'],
    ['known gaps', known_gaps.length === 0 ? 'none' : known_gaps.map(escapeHtml).join('; ')],
  ]
  return `<h3 id="${topic}">${code(topic)}</h3><p>${escapeHtml(description)}</p>${table(['', ''], facts)}`
}

function privateTopicSection(facts: PrivateTopic): string {
  const { topic, description, scope, filters, kinds, snapshot_of, rest_path, known_gaps } = facts
  const rows = [
    ['scope', code(scope)],
    ['filters', Object.keys(filters).map(code).join(', ')],
    ['snapshot', escapeHtml(snapshot_of)],
    ['kinds', kinds.map(code).join(', ')],
    ['as', code(`GET /v1${rest_path}`)],
    ['known gaps', known_gaps.length === 0 ? 'none' : known_gaps.map(escapeHtml).join('; ')],
  ]
  return `<h3 id="${topic}">${code(topic)}</h3><p>${escapeHtml(description)}</p>${table(['', ''], rows)}`
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
