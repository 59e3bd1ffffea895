import { createServer, type RequestListener, type Server } from 'node:http'
import { isRebound, reboundAnswer } from '../../primitives/loopback.ts'
import type { MetricSet } from './metric-set.ts'

const HEADERS_TIMEOUT_MS = 5000
const CONNECTIONS_MAX = 100

/** Creates the server of an admin address, not yet listening: GET /metrics; other requests are handed on, but none by a foreign name. */
export function createMetricsServer(
  { content_type, text }: Pick<MetricSet, 'content_type' | 'text'>,
  otherwise: RequestListener,
): Server {
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (request, response) => {
    if (isRebound(request)) {
      const { status, error } = reboundAnswer(request.headers.host)
      response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify({ error })}\n`)
      return
    }
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      otherwise(request, response)
      return
    }
    text().then(
      (body) => response.writeHead(200, { 'content-type': content_type }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  server.maxConnections = CONNECTIONS_MAX
  return server
}
