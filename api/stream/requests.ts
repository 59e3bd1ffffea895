import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusedValue, ServiceError } from '../../primitives/errors.ts'
import { PRIVATE_ENDPOINTS, type PrivateOperationId } from '../../protocol/endpoints/trading-endpoints.ts'
import type { RequestMessage } from '../../protocol/stream/client-messages.ts'
import { PRIVATE_SERVERS, type PrivateServers } from '../private/serve-private.ts'
import { decodeClientMessage, refused } from './decode-client-message.ts'
import { textFrame } from './frame.ts'
import type { Message } from './message.ts'
import type { StreamLimits } from './stream-limits.ts'

type StreamRequest = Pick<RequestMessage, 'method' | 'path' | 'headers' | 'body'>
/** A REST response. `body`: its JSON text. */
type StreamResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Performs a request of a stream's client as if REST had received it.
 * @throws {ServiceError} VALIDATION_MESSAGE_INVALID: method and path are not those of an order operation
 */
export type PerformRequest = (request: StreamRequest, ip: string) => Promise<StreamResponse>

/** Operations that a message may hold: all that change orders. */
const OPERATIONS = Object.values(PRIVATE_ENDPOINTS)
  .filter(({ scope }) => scope === 'orders:write')
  .map(({ operation_id, method, path }) => ({
    operation_id,
    name: `${method} /v1${path}`,
    method,
    path: new RegExp(`^/v1${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?#]+)')}$`),
  }))

/** Headers of a response that mean something without HTTP. */
const SHOWN = /^(svc-.+|location|retry-after)$/

/**
 * Creates the way of requests from the stream to REST's routes. The code of the route runs, so that signatures, stages, limits,
 * idempotency and answers are those of REST; only the parts of HTTP around it are left out.
 */
export function streamRequests(app: FastifyInstance): PerformRequest {
  const servers = app.getDecorator<PrivateServers>(PRIVATE_SERVERS)
  return async (request, ip) => {
    const { operation_id, params } = operationOf(request)
    return new Promise((resolve) => servers[operation_id](requestTo(request, params, ip), replyTo(resolve)))
  }
}

type Params = Readonly<Record<string, string>>

function operationOf({ method, path }: StreamRequest): { operation_id: PrivateOperationId; params: Params } {
  for (const operation of OPERATIONS) {
    const match = operation.method === method ? operation.path.exec(path) : null
    const params = match === null ? null : decoded(match.groups ?? {})
    if (params !== null) return { operation_id: operation.operation_id, params }
  }
  const allowed = OPERATIONS.map(({ name }) => name).join(', ')
  throw refusedValue('VALIDATION_MESSAGE_INVALID', 'path', `${method} ${path}`, allowed)
}

/** null: the percent-encoding is broken. */
function decoded(groups: Params): Params | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    return null
  }
}

/** Builds the parts of a framework's request that a private route reads. */
function requestTo({ method, path, headers, body }: StreamRequest, params: Params, ip: string): FastifyRequest {
  const bytes = Buffer.from(body)
  const given = { ...(headers as Params), 'content-type': 'application/json', 'content-length': String(bytes.length) }
  const names = Object.entries(given)
  const raw = Object.assign(bodyOf(bytes), {
    method,
    url: path,
    headers: Object.fromEntries(names.map(([name, value]) => [name.toLowerCase(), value])),
    rawHeaders: names.flat(),
    socket: { remoteAddress: ip },
  })
  return { raw, params } as unknown as FastifyRequest
}

/** Builds a stream of one part; `Readable.from` would take an asynchronous iterator for it. */
function bodyOf(bytes: Buffer): Readable {
  return new Readable({
    read() {
      this.push(bytes)
      this.push(null)
    },
  })
}

/** Builds the parts of a framework's reply that an exchange writes. */
function replyTo(resolve: (response: StreamResponse) => void): FastifyReply {
  const writeHead = (status: number, list: readonly string[]) => ({
    end: (body: string | Buffer) => resolve({ status, headers: shown(list), body: String(body) }),
  })
  return { hijack: () => undefined, raw: { writeHead } } as unknown as FastifyReply
}

/** @param list names and values, alternating */
function shown(list: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let n = 0; n < list.length; n += 2) if (SHOWN.test(list[n]!)) headers[list[n]!] = list[n + 1]!
  return headers
}

/** Builds the message with a response; its body is JSON already. */
export function responseMessage(id: string, { status, headers, body }: StreamResponse): Message {
  const head = JSON.stringify({ type: 'response', id, status, headers })
  return {
    bytes: textFrame(`${head.slice(0, -1)},"body":`, body, '}'),
    sid: null,
    seq: 0,
    prev_seq: 0,
    latest_of: null,
  }
}

/** Whether the sender of a request was identified. */
export function isIdentified({ status }: StreamResponse): boolean {
  return status !== 401
}

/** Returns why a connection ends whose client sent too long a message. */
export function tooLong(bytes: number, { message_bytes_max, request_bytes_max }: StreamLimits): string {
  return `a message has ${bytes} bytes; allowed: ${message_bytes_max}, for a request after auth ${request_bytes_max}`
}

/** Builds the error of a long message after auth that holds no valid request: what is wrong with it, or that it is another message. */
export function invalidRequest(text: string, bytes: number, { message_bytes_max }: StreamLimits): unknown {
  try {
    decodeClientMessage(text)
  } catch (error) {
    return error
  }
  return refused(`the message has ${bytes} bytes; allowed: ${message_bytes_max}, unless it is a request`)
}

/** Builds the error of a request beyond those that may be in flight. */
export function tooManyInFlight({ requests_in_flight_max }: StreamLimits): ServiceError {
  const message = `${requests_in_flight_max} requests of this connection are not answered yet; allowed: at most ${requests_in_flight_max}`
  return new ServiceError('RATE_LIMIT_EXCEEDED', message)
}
