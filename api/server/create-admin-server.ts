import { createServer, type Server } from 'node:http'
import type { Metrics } from './metrics.ts'

const HEADERS_TIMEOUT_MS = 5000

/**
 * Creates the server of the admin address, not yet listening: GET /metrics in the Prometheus text format, and nothing else. It is
 * separate from the API so that metrics are never on a public address.
 */
export function createAdminServer(metrics: Metrics): Server {
  return createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (request, response) => {
    const known = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD')
    if (!known) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('GET /metrics\n')
      return
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.content_type }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}
