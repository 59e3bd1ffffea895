import type { TSchema } from 'typebox'
import { PRIVATE_STREAM, STREAM } from '../limits.ts'
import { CLIENT_MESSAGES } from '../stream/client-messages.ts'
import { PRIVATE_TOPIC_NAMES, type PrivateTopic, privateTopicOf } from '../stream/private-topics.ts'
import { CONTROL_MESSAGES, dataMessage, privateDataMessage } from '../stream/server-messages.ts'
import { EVENT_SCHEMA_VERSION, TOPIC_NAMES, type Topic, topicOf } from '../stream/topics.ts'
import { createSchemaComponents, type JsonObject } from './schema-components.ts'

const DESCRIPTION = `One websocket, JSON text frames, one message a frame.

The server sends the first message (welcome). It closes a connection that subscribes to nothing within ${STREAM.first_message_ms / 1000} s. Data messages
of one subscription key carry prev_seq and seq. If prev_seq is not the seq of the previous message, messages were lost, and a gap
message reports them. A heartbeat is sent every ${STREAM.heartbeat_ms / 1000} s, even if nothing happens. To resume after a broken connection, subscribe
with the epoch and seq of the last message received; messages published within the last ${STREAM.resume_retention_ms / 60_000} minutes are sent again.

Private topics (account.*) require an auth message, signed like a REST request with the method WS and the path /v1/ws. Their messages
are retained for ${PRIVATE_STREAM.resume_retention_ms / 3_600_000} hours; their seq is the engine_sequence.`

type Message = { readonly key: string; readonly schema: TSchema; readonly summary: string }

/** Builds the AsyncAPI 3.0 document of the stream, from the schemas that validate its messages. */
export function asyncApiDocument(): JsonObject {
  const components = createSchemaComponents('#/components/schemas')
  const topics = TOPIC_NAMES.map(topicOf)
  const private_topics = PRIVATE_TOPIC_NAMES.map(privateTopicOf)
  const sent = [...controlMessages(), ...topics.map(topicMessage), ...private_topics.map(privateTopicMessage)]
  const taken = clientMessages()
  const messages = Object.fromEntries(
    [...taken, ...sent].map(({ key, schema, summary }) => [
      key,
      { name: key, summary, contentType: 'application/json', payload: components.show(schema) },
    ]),
  )
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tidemark stream',
      version: EVENT_SCHEMA_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: { local: { host: '127.0.0.1:8080', protocol: 'ws', description: 'where tidemark up listens by default' } },
    channels: {
      stream: {
        address: '/v1/ws',
        messages: Object.fromEntries(
          [...taken, ...sent].map(({ key }) => [key, { $ref: `#/components/messages/${key}` }]),
        ),
        bindings: { ws: { method: 'GET' } },
      },
    },
    operations: {
      take: operation('receive', 'what a client sends', taken),
      send: operation('send', 'what the service sends', sent),
    },
    components: { messages, schemas: components.all() },
    'x-topics': topics.map(topicFacts),
    'x-private-topics': private_topics.map(privateTopicFacts),
  }
}

function operation(action: 'send' | 'receive', summary: string, messages: readonly Message[]): JsonObject {
  return {
    action,
    summary,
    channel: { $ref: '#/channels/stream' },
    messages: messages.map(({ key }) => ({ $ref: `#/channels/stream/messages/${key}` })),
  }
}

function clientMessages(): Message[] {
  const summaries = {
    auth: 'says whose connection it is; answered by authenticated or error',
    subscribe: 'begins a subscription; answered by subscribed or error',
    unsubscribe: 'ends one; answered by unsubscribed or error',
    ping: 'answered by pong',
    request: 'a signed write of orders; answered by response, or error',
  } as const
  const keys = Object.keys(CLIENT_MESSAGES) as (keyof typeof CLIENT_MESSAGES)[]
  return keys.map((key) => ({ key, schema: CLIENT_MESSAGES[key], summary: summaries[key] }))
}

function controlMessages(): Message[] {
  const summaries = {
    welcome: 'the first message of a connection',
    authenticated: 'the connection belongs to a key and its account',
    subscribed: 'the subscription has begun: its sid, its filters, and the seq it begins after',
    snapshot_end: 'the snapshot of a private topic is complete',
    unsubscribed: 'the subscription ended',
    pong: 'the answer to ping',
    heartbeat: 'shows that the connection is alive: the last seq of each subscription',
    gap: 'messages between two seqs were lost; a snapshot follows if the topic has one',
    closing: 'the service will close the connection',
    response: 'the answer to request, as REST gives it',
    error: 'a message was rejected',
  } as const
  const keys = Object.keys(CONTROL_MESSAGES) as (keyof typeof CONTROL_MESSAGES)[]
  return keys.map((key) => ({ key, schema: CONTROL_MESSAGES[key], summary: summaries[key] }))
}

function topicMessage(topic: Topic): Message {
  return { key: topic.topic.replaceAll('.', '_'), schema: dataMessage(topic), summary: topic.description }
}

function topicFacts(facts: Topic): JsonObject {
  const { topic, filters, required_filters, kinds, snapshot, conflated, chained, known_gaps } = facts
  return { topic, filters: Object.keys(filters), required_filters, kinds, snapshot, conflated, chained, known_gaps }
}

function privateTopicMessage(topic: PrivateTopic): Message {
  return { key: topic.topic.replaceAll('.', '_'), schema: privateDataMessage(topic), summary: topic.description }
}

function privateTopicFacts(facts: PrivateTopic): JsonObject {
  const { topic, scope, filters, kinds, snapshot_of, rest_path, known_gaps } = facts
  return { topic, scope, filters: Object.keys(filters), kinds, snapshot_of, rest_path, known_gaps }
}
