import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Check } from 'typebox/value'
import { ServiceError } from '../../primitives/errors.ts'
import { JsonFault, parseStrictText } from '../../primitives/strict-json.ts'
import {
  CLIENT_MESSAGES,
  type ClientMessage,
  type RequestMessage,
  type SubscribeMessage,
} from '../../protocol/stream/client-messages.ts'
import type { Topic } from '../../protocol/stream/topics.ts'
import { describeAllowed } from '../server/describe-allowed.ts'
import type { Key } from './sources/topic-source.ts'

const OPS = Object.keys(CLIENT_MESSAGES) as (keyof typeof CLIENT_MESSAGES)[]
const ECHO_LENGTH_MAX = 80
/** Compiled, because a busy client sends hundreds a second. */
const REQUEST = Compile(CLIENT_MESSAGES.request)

type Fields = Readonly<Record<string, unknown>>
type ObjectSchema = { readonly properties: Readonly<Record<string, TSchema>>; readonly required?: readonly string[] }

/**
 * Parses a client's message and validates it against its schema: nothing is coerced, unknown fields are rejected.
 * @throws {ServiceError} VALIDATION_MESSAGE_INVALID names the field, the value seen and the accepted values
 */
export function decodeClientMessage(text: string): ClientMessage {
  const message = parseObject(text)
  const op = OPS.find((name) => name === message.op)
  if (op === undefined) throw invalid('op', message.op, OPS.join(', '))
  checkFields(CLIENT_MESSAGES[op], message, '')
  return message as ClientMessage
}

/** Returns the valid request that a message holds; null: it is another message, or not valid. */
export function requestOfMessage(text: string): RequestMessage | null {
  // Tells most messages apart without parsing them twice.
  if (!text.includes('"request"')) return null
  try {
    const message = parseStrictText(text)
    return REQUEST.Check(message) ? message : null
  } catch {
    return null
  }
}

/** Returns the id for the error response to a message: the message's own, if valid. */
export function idOfMessage(text: string): string | null {
  try {
    const { id } = parseObject(text)
    return Check(CLIENT_MESSAGES.ping.properties.id, id) ? (id as string) : null
  } catch {
    return null
  }
}

/** A topic's name and filters. */
type Filtered = Pick<Topic, 'topic' | 'filters'>

/**
 * Returns the given filters by name.
 * @throws {ServiceError} VALIDATION_MESSAGE_INVALID: a filter that the topic does not have
 */
export function filtersOf(message: SubscribeMessage, topic: Filtered): Readonly<Record<string, string>> {
  const names = Object.keys(topic.filters)
  const { op: _op, id: _id, topic: _topic, resume: _resume, ...given } = message
  const foreign = Object.keys(given).find((name) => !names.includes(name))
  if (foreign !== undefined)
    throw invalid(foreign, given[foreign as keyof typeof given], `${names.join(', ')} with ${topic.topic}`)
  return given
}

/**
 * Returns the values of the given filters, in the topic's order; they are a prefix of its filters.
 * @throws {ServiceError} VALIDATION_MESSAGE_INVALID: a filter that the topic does not have, or a required one missing
 */
export function keyOf(message: SubscribeMessage, topic: Filtered & Pick<Topic, 'required_filters'>): Key {
  const values = filtersOf(message, topic)
  const missing = topic.required_filters.find((name) => values[name] === undefined)
  if (missing !== undefined)
    throw invalid(missing, undefined, `${describeAllowed(topic.filters[missing]!)}, required by ${topic.topic}`)
  return Object.keys(topic.filters).flatMap((name) => values[name] ?? [])
}

function parseObject(text: string): Fields {
  let value: unknown
  try {
    value = parseStrictText(text)
  } catch (error) {
    if (error instanceof JsonFault && error.is_doubled) throw doubled(error)
    throw invalid('message', text, 'one JSON object')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('message', value, 'one JSON object')
  return value as Fields
}

function doubled({ message, allowed }: JsonFault): ServiceError {
  return new ServiceError('VALIDATION_MESSAGE_INVALID', `message ${message}; allowed: ${allowed}`, { field: 'message' })
}

function checkFields({ properties, required = [] }: ObjectSchema, fields: Fields, path: string): void {
  const known = Object.keys(properties)
  for (const name of required)
    if (!Object.hasOwn(fields, name)) throw invalid(path + name, undefined, allowedOf(properties[name]!))
  for (const [name, value] of Object.entries(fields)) {
    const schema = Object.hasOwn(properties, name) ? properties[name]! : null
    if (schema === null)
      throw invalid(
        path + echo(name),
        value,
        `no such field; the fields are ${known.map((field) => path + field).join(', ')}`,
      )
    if (isObjectSchema(schema) && typeof value === 'object' && value !== null && !Array.isArray(value))
      checkFields(schema, value as Fields, `${path}${name}.`)
    else if (!Check(schema, value)) throw invalid(path + name, value, allowedOf(schema))
  }
}

function isObjectSchema(schema: TSchema): schema is TSchema & ObjectSchema {
  return 'properties' in schema
}

function allowedOf(schema: TSchema): string {
  return isObjectSchema(schema) ? `an object of ${Object.keys(schema.properties).join(', ')}` : describeAllowed(schema)
}

function invalid(field: string, value: unknown, allowed: string): ServiceError {
  const seen =
    value === undefined
      ? 'missing'
      : echo(typeof value === 'string' ? JSON.stringify(value) : String(JSON.stringify(value)))
  return new ServiceError('VALIDATION_MESSAGE_INVALID', `${field} is ${seen}; allowed: ${allowed}`, { field })
}

/** Shortens a client's text for an error message. */
function echo(text: string): string {
  return text.length <= ECHO_LENGTH_MAX ? text : `${text.slice(0, ECHO_LENGTH_MAX)}...`
}

/** Builds the error of a message that is not allowed now, whatever its fields are. */
export function refused(message: string): ServiceError {
  return new ServiceError('VALIDATION_MESSAGE_INVALID', message)
}
