import type { FastifyInstance } from 'fastify'
import type { ReaderStatus } from '../../warehouse/reader/reader.ts'
import { NOT_KEPT } from './cache-control.ts'
import { beginExchange, finish } from './exchange.ts'
import type { EndpointContext } from './serve-endpoint.ts'

/**
 * `/healthz`: the process answers. `/readyz`: it may be sent requests; 503 while the reader starts or ends. A stale reader is
 * ready: what it serves is labelled, and taking every process away would serve nobody.
 */
export function answerHealth(app: FastifyInstance, context: EndpointContext): void {
  const route = (url: string, answer: () => { status: number; body: unknown }): void => {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => {
        const exchange = beginExchange(context, url, request, reply)
        const { status, body } = answer()
        exchange.headers.push('cache-control', NOT_KEPT)
        finish(context, exchange, status, JSON.stringify(body))
      },
    })
  }
  route('/healthz', () => ({ status: 200, body: { status: 'ok' } }))
  route('/readyz', () => readiness(context.reader.status()))
}

function readiness({ phase, stale_since, reason, versions }: ReaderStatus): { status: number; body: unknown } {
  const ready = phase === 'ready' || phase === 'stale'
  return {
    status: ready ? 200 : 503,
    body: { status: ready ? 'ok' : 'unavailable', phase, stale_since, reason, versions },
  }
}
