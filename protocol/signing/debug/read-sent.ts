import { notAllowed, type ServiceError } from '../../../primitives/errors.ts'
import { ACCESS_HEADERS } from '../access-headers.ts'
import { isCurl, readCurl } from './read-curl.ts'
import { isJsonObject, type Sent, type SentMessage, type SentRequest, targetOf } from './sent.ts'

const ALLOWED =
  'a curl command, a request (its line, headers, an empty line, the body), or JSON: an order, a body with an authorization, an auth message, or {method, target, headers, body}'

/**
 * Reads what was sent: a curl command, the text of a request, or JSON of a request, an order, a batch, an authorization or an auth
 * message of a stream.
 * @param body  bytes of the body where they are in a file of their own; null: they are in the text
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: it is none of them
 */
export function readSent(text: string, body: string | null = null): Sent {
  const sent = readText(text, body)
  return sent.request === null || body === null ? sent : withMessages({ ...sent.request, body })
}

function readText(text: string, body: string | null): Sent {
  const plain = text.replace(/^\uFEFF/, '')
  if (isCurl(plain)) return withMessages(readCurl(plain, body))
  if (REQUEST_LINE.test(plain)) return withMessages(readHttp(plain))
  const value = parsed(plain)
  if (isJsonObject(value)) {
    if (typeof value.method === 'string') return withMessages(requestOf(value))
    if (value.op === 'auth') return { request: authRequest(value), messages: [] }
    const messages = messagesOf(value)
    if (messages.length > 0) return { request: null, messages }
  }
  throw unreadable(plain)
}

const REQUEST_LINE = /^[A-Za-z]{2,10} (\/|https?:\/\/)\S*( HTTP\/\d(\.\d)?)?\r?\n/

/** Reads a request line, headers, an empty line and the body; bytes of the body stay as they are. */
function readHttp(text: string): SentRequest {
  const end = /\r?\n\r?\n/.exec(text)
  const head = end === null ? text.trimEnd() : text.slice(0, end.index)
  const [first = '', ...lines] = head.split(/\r?\n/)
  const [method = '', target = ''] = first.split(' ')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { method, target: targetOf(target), headers, body: end === null ? '' : text.slice(end.index + end[0].length) }
}

function requestOf(value: Readonly<Record<string, unknown>>): SentRequest {
  const { method, headers, body } = value
  const target = [value.target, value.url, value.path].find((one) => typeof one === 'string')
  if (typeof target !== 'string') throw notAllowed('VALIDATION_USAGE_INVALID', 'target', 'missing', 'a path with /v1')
  const pairs = isJsonObject(headers) ? Object.entries(headers) : []
  return {
    method: String(method),
    target: targetOf(target),
    headers: Object.fromEntries(pairs.map(([name, one]) => [name.toLowerCase(), String(one)])),
    body: body === undefined || body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** Makes the request that an auth message is signed as. */
function authRequest(value: Readonly<Record<string, unknown>>): SentRequest {
  const headers = Object.entries(ACCESS_HEADERS).flatMap(([field, header]) =>
    value[field] === undefined ? [] : [[header.toLowerCase(), String(value[field])]],
  )
  return { method: 'WS', target: '/v1/ws', headers: Object.fromEntries(headers), body: '' }
}

function withMessages(request: SentRequest): Sent {
  const value = parsed(request.body)
  return { request, messages: isJsonObject(value) ? messagesOf(value) : [] }
}

/** Fields by which an order without a signature is known. */
const ORDER_FIELDS = ['limit_price', 'quantity', 'order_nonce', 'signer']

function messagesOf(value: Readonly<Record<string, unknown>>): readonly SentMessage[] {
  if (Array.isArray(value.orders)) {
    const orders = (value.orders as readonly unknown[]).filter(isJsonObject)
    return orders.map((body, n) => ({ kind: 'order', name: `order ${n + 1} of ${orders.length}`, body }))
  }
  if (isJsonObject(value.authorization)) return [{ kind: 'authorization', name: 'authorization', body: value }]
  const is_order = value.order_signature !== undefined || ORDER_FIELDS.every((name) => value[name] !== undefined)
  return is_order ? [{ kind: 'order', name: 'order', body: value }] : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unreadable(text: string): ServiceError {
  const start = text.trim().slice(0, 20)
  return notAllowed('VALIDATION_USAGE_INVALID', 'input', `a text that begins with ${JSON.stringify(start)}`, ALLOWED)
}
