import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from './metrics.ts'

const HEADERS_TIMEOUT_MS = 5000
const CONNECTIONS_MAX = 100

const of_admin = new WeakSet<IncomingMessage>()

/** Reports whether a request came to the admin address. */
export function isOfAdmin(request: IncomingMessage): boolean {
  return of_admin.has(request)
}

/**
 * Creates the server of the admin address, not yet listening: GET /metrics in the Prometheus text format, and everything that the API
 * serves, with the paths below /internal that no other address has. So the page that is opened here shows them too. It is separate
 * from the API because a proxy before the API passes on every path.
 */
export function createAdminServer(metrics: Metrics, app: Pick<FastifyInstance, 'routing' | 'server'>): Server {
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      of_admin.add(request)
      app.routing(request, response)
      return
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.content_type }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.maxConnections = CONNECTIONS_MAX
  server.on('upgrade', (...upgrade) => app.server.emit('upgrade', ...upgrade))
  return server
}
