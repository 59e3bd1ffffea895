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
 * @param refusal  returns why a valid upgrade is rejected; null: there is room for it
 * @returns the code with which the request was rejected and its socket closed; null: it is valid
 */
export function refuseUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  refusal: () => ServiceError | null,
  now_ms: number,
): ErrorCode | null {
  const [path, query] = splitAddress(request.url ?? '')
  if (path !== STREAM_PATH) {
    const message = `path is ${JSON.stringify(path.slice(0, 200))}; allowed: ${STREAM_PATH}`
    return refuse(socket, new ServiceError('ROUTE_NOT_FOUND', message), now_ms)
  }
  if (query !== '') {
    const message = `query is ${JSON.stringify(query.slice(0, 200))}; allowed: none, topics are asked for in messages`
    return refuse(socket, new ServiceError('VALIDATION_PARAMETER_UNKNOWN', message), now_ms)
  }
  const error = refusal()
  return error && refuse(socket, error, now_ms)
}

function splitAddress(url: string): [path: string, query: string] {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

function refuse(socket: Duplex, error: ServiceError, now_ms: number): ErrorCode {
  const request_id = newRequestId(now_ms)
  const { status, headers: stated, body } = errorAnswer(error, request_id)
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
  return error.code
}
