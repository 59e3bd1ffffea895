import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../../primitives/errors.ts'
import { echoValue } from './echo-value.ts'
import { errorAnswer } from './error-answer.ts'
import { newRequestId } from './request-id.ts'

/**
 * Answers bytes that are not an HTTP request (broken syntax, headers too long, not completed in time) and closes the connection.
 * There is no request object, so the response is written by hand.
 */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket, now_ms: number): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  writeRaw(socket, refusalOf(error), now_ms, {})
}

/** Rejects CONNECT: this service is not a proxy. */
export function answerConnect(target: string, socket: Duplex, now_ms: number): void {
  const allow = 'GET, HEAD, OPTIONS'
  const message = `CONNECT is not allowed on ${JSON.stringify(echoValue(target))}; allowed: ${allow}`
  writeRaw(socket, new ServiceError('METHOD_NOT_ALLOWED', message, { field: 'method', value: 'CONNECT' }), now_ms, {
    allow,
  })
}

function writeRaw(socket: Duplex, error: ServiceError, now_ms: number, more: Readonly<Record<string, string>>): void {
  const request_id = newRequestId(now_ms)
  const { status, body } = errorAnswer(error, request_id)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'svc-request-id': request_id,
    connection: 'close',
    ...more,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

function refusalOf({ code }: NodeJS.ErrnoException): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceError(
      'VALIDATION_BODY_TOO_LARGE',
      'the headers and the address together are too long; allowed: 16 KiB',
      {
        field: 'headers',
      },
    )
  }
  const what =
    code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'the request was not complete in time'
      : 'the bytes sent are not an HTTP/1.1 request'
  return new ServiceError('VALIDATION_REQUEST_MALFORMED', `${what}; allowed: HTTP/1.1 as defined in RFC 9112`, {
    field: 'request',
  })
}
