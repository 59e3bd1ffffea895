import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAdminServer } from '../../../api/server/create-admin-server.ts'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import { createMetrics, type Metrics } from '../../../api/server/metrics.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader, READY } from '../../support/fake-reader.ts'
import { assertIsError } from '../../support/match-schema.ts'

let app: FastifyInstance
let metrics: Metrics
let port = 0

beforeAll(async () => {
  const status = () => ({ ...READY, versions: { market: 7 } })
  metrics = createMetrics({
    poisoned_submissions: null,
    status,
    now_ms: () => Date.now(),
    stream: () => ({
      ...{ connections: 3, subscriptions: 4, buffered_bytes: 5, failures: 6 },
      ...{ refused: { RATE_LIMIT_EXCEEDED: 7 }, ended: { 1008: 8 }, dropped: 9 },
    }),
  })
  app = await createApiServer({
    reader: fakeReader({ status }),
    handlers: fakeHandlers(),
    environment: 'test',
    observe: metrics.observe,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app.close()
})

/** Sends bytes and returns the server's answer once it has closed the connection. */
async function speak(bytes: string | Buffer): Promise<{ head: string; body: string }> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(bytes)
  await once(socket, 'close')
  const [head = '', ...body] = Buffer.concat(chunks).toString().split('\r\n\r\n')
  return { head, body: body.join('\r\n\r\n') }
}

const asked = (line: string, ...headers: string[]): string =>
  [line, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n')

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400, 'VALIDATION_REQUEST_MALFORMED'],
  ['a header without a name', asked('GET /v1/time HTTP/1.1', ': x'), 400, 'VALIDATION_REQUEST_MALFORMED'],
  [
    'headers of 20 KiB',
    asked('GET /v1/time HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`),
    413,
    'VALIDATION_BODY_TOO_LARGE',
  ],
  ['an address of 9,000 bytes', asked(`GET /v1/time?${'x'.repeat(9000)} HTTP/1.1`), 413, 'VALIDATION_BODY_TOO_LARGE'],
  ['TRACE', asked('TRACE /v1/time HTTP/1.1'), 405, 'METHOD_NOT_ALLOWED'],
  ['QUERY without a body', asked('QUERY /v1/time HTTP/1.1'), 405, 'METHOD_NOT_ALLOWED'],
  ['POST without a media type', asked('POST /v1/time HTTP/1.1'), 405, 'METHOD_NOT_ALLOWED'],
  ['PROPFIND', asked('PROPFIND /v1/time HTTP/1.1'), 405, 'METHOD_NOT_ALLOWED'],
  ['CONNECT', asked('CONNECT example.com:443 HTTP/1.1'), 405, 'METHOD_NOT_ALLOWED'],
  ['a fragment', asked('GET /v1/time#?limit=5 HTTP/1.1'), 400, 'VALIDATION_REQUEST_MALFORMED'],
  ['raw UTF-8 in a query', asked('GET /v1/indexes?family=\u00e4 HTTP/1.1'), 400, 'VALIDATION_REQUEST_MALFORMED'],
  ['a broken path', asked('GET /v1/indexes/%f HTTP/1.1'), 400, 'VALIDATION_REQUEST_MALFORMED'],
  ['a path of another kind', asked('GET /v1/../etc/passwd HTTP/1.1'), 404, 'ROUTE_NOT_FOUND'],
  [
    'a chunked body with GET',
    `${asked('GET /v1/time HTTP/1.1', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`,
    400,
    'VALIDATION_BODY_INVALID',
  ],
  ['a body that never comes', asked('GET /v1/time HTTP/1.1', 'Content-Length: 10'), 400, 'VALIDATION_BODY_INVALID'],
])('%s', async (_name, bytes, status, code) => {
  const { head, body } = await speak(bytes)
  expect(head.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  assertIsError(JSON.parse(body))
  expect(JSON.parse(body).error.code).toBe(code)
  expect(head.toLowerCase()).toContain(`svc-request-id: ${JSON.parse(body).error.request_id}`)
  expect(head.toLowerCase()).not.toMatch(/\r\n(server|x-powered-by):/)
})

test('HEAD has the headers of GET, the length included, and no body', async () => {
  const [got, head] = await Promise.all([
    speak(asked('GET /v1/indexes HTTP/1.1')),
    speak(asked('HEAD /v1/indexes HTTP/1.1')),
  ])
  const lengthOf = (text: string) => /content-length: (\d+)/i.exec(text)?.[1]
  expect(lengthOf(got.head)).toBe(String(Buffer.byteLength(got.body)))
  expect([lengthOf(head.head), head.body]).toEqual([lengthOf(got.head), ''])
})

test('a target in absolute form and an unknown expectation are answered like any other request', async () => {
  const absolute = await speak(asked('GET http://example.com/v1/indexes?limit=5 HTTP/1.1'))
  expect(absolute.head).toContain('HTTP/1.1 200')
  const expecting = await speak(asked('GET /v1/time HTTP/1.1', 'Expect: a-miracle'))
  expect(expecting.head).toContain('HTTP/1.1 200')
})

test('one connection takes many requests, and every one has its own id', async () => {
  const line = 'GET /v1/indexes HTTP/1.1\r\nHost: x\r\n'
  const { head, body } = await speak(`${`${line}\r\n`.repeat(20)}${line}Connection: close\r\n\r\n`)
  const ids = [...`${head}${body}`.matchAll(/"request_id":"([^"]+)"/g)].map(([, id]) => id)
  expect(ids.length).toBe(21)
  expect(new Set(ids).size).toBe(21)
  expect(ids).toEqual([...ids].sort((a, b) => (a!.slice(0, 13) < b!.slice(0, 13) ? -1 : 0)))
})

test('metrics count answers by operation and status, and are on an address of their own', async () => {
  await speak(asked('GET /v1/indexes?color=blue HTTP/1.1'))
  const text = await metrics.text()
  expect(text).toContain('tidemark_http_answers_total{operation="list_indexes",status="400"}')
  expect(text).toContain('tidemark_http_answer_seconds_count{operation="list_indexes"}')
  expect(text).toContain('tidemark_reader_log_version{table="market"} 7')
  expect(text).toContain('tidemark_stream_connections 3')
  expect(text).toContain('tidemark_stream_refused_total{code="RATE_LIMIT_EXCEEDED"} 7')
  expect(text).toContain('tidemark_stream_ended_total{close_code="1008"} 8')
  expect(text).toContain('tidemark_stream_dropped_messages_total{cause="slow_consumer"} 9')
  expect(text).toContain('process_resident_memory_bytes')
  expect((await app.inject({ url: '/metrics' })).statusCode).toBe(404)
  const admin = createAdminServer(metrics, app, true).listen(0, '127.0.0.1')
  await once(admin, 'listening')
  const answer = await new Promise<number | undefined>((resolve) => {
    const { port: admin_port } = admin.address() as AddressInfo
    httpRequest({ host: '127.0.0.1', port: admin_port, path: '/metrics', agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).end()
  })
  expect(answer).toBe(200)
  await new Promise((resolve) => admin.close(resolve))
})
