import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorCode } from '../../primitives/error-codes.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { errorAnswer } from '../server/error-answer.ts'
import { newRequestId } from '../server/request-id.ts'

/** Path of the public and private stream. */
export const STREAM_PATH = '/v1/ws'

/**
 * Rejects an invalid upgrade with the error object of REST. The target must be the stream's path without a query; everything else
 * is requested by messages.
 * @param full  `server`: the server is full or stopping; `address`: the address has as many connections as it may have
 * @returns the code with which the request was rejected and its socket closed; null: it is valid
 */
export function refuseUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  full: 'server' | 'address' | null,
  now_ms: number,
): ErrorCode | null {
  const [path, query] = splitAddress(request.url ?? '')
  if (path !== STREAM_PATH) {
    const message = `path is ${JSON.stringify(path.slice(0, 200))}; allowed: ${STREAM_PATH}`
    return refuse(socket, 'ROUTE_NOT_FOUND', message, now_ms)
  }
  if (query !== '') {
    const message = `query is ${JSON.stringify(query.slice(0, 200))}; allowed: none, topics are asked for in messages`
    return refuse(socket, 'VALIDATION_PARAMETER_UNKNOWN', message, now_ms)
  }
  if (full === 'server') {
    return refuse(socket, 'SERVICE_UNAVAILABLE', 'the stream takes no further connection now; try again', now_ms)
  }
  if (full === 'address') {
    const message = 'the address has as many connections as allowed (connections_per_address_max of /v1/capabilities)'
    return refuse(socket, 'RATE_LIMIT_EXCEEDED', message, now_ms)
  }
  return null
}

function splitAddress(url: string): [path: string, query: string] {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

function refuse(socket: Duplex, code: ErrorCode, message: string, now_ms: number): ErrorCode {
  const request_id = newRequestId(now_ms)
  const { status, headers: stated, body } = errorAnswer(new ServiceError(code, message), request_id)
  const headers = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `svc-request-id: ${request_id}`,
    ...Object.entries(stated).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.on('error', () => socket.destroy())
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`)
  return code
}
