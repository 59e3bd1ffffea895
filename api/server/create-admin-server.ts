import type { IncomingMessage, Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isRebound } from '../../primitives/loopback.ts'
import { createMetricsServer } from '../admin/metrics-server.ts'
import type { Metrics } from './metrics.ts'

const HEALTH: readonly string[] = ['/healthz', '/readyz']
const THERE_ARE = `there are /metrics, ${HEALTH.join(', ')}`

const of_admin = new WeakSet<IncomingMessage>()

/** Reports whether a request came to the admin address. */
export function isOfAdmin(request: IncomingMessage): boolean {
  return of_admin.has(request)
}

/**
 * Creates the server of the admin address of the API, not yet listening: GET /metrics in the Prometheus text format, and everything that
 * the API serves, with the paths below /internal that no other address has. So the page that is opened here shows them too. It is separate
 * from the API because a proxy before the API passes on every path.
 * @param is_local  only this machine reaches it; else it has metrics and health alone, because nothing else may be seen from a network
 */
export function createAdminServer(
  metrics: Metrics,
  app: Pick<FastifyInstance, 'routing' | 'server'>,
  is_local: boolean,
): Server {
  const server = createMetricsServer(metrics, (request, response) => {
    if (is_local) of_admin.add(request)
    if (is_local || HEALTH.includes(request.url ?? '')) app.routing(request, response)
    else
      response.writeHead(404, { 'content-type': 'application/json' }).end(`${JSON.stringify({ error: THERE_ARE })}\n`)
  })
  if (is_local) {
    server.on('upgrade', (request, socket, head) => {
      if (isRebound(request)) socket.destroy()
      else app.server.emit('upgrade', request, socket, head)
    })
  }
  return server
}
