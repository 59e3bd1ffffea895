import type { FastifyInstance, FastifyRequest } from 'fastify'
import { digestOf, entityTag, heldTag } from './entity-tag.ts'
import { beginExchange, type Exchange, type ExchangeContext, fail, spendTokens } from './exchange.ts'

/** Ends an exchange with a file; what it throws is answered as an error. */
type ServeFile = (exchange: Exchange, request: FastifyRequest) => void | Promise<void>

/** Adds GET and HEAD of a public file that is no answer of an endpoint, such as a page, a feed or a tile. */
export function addPublicFile(
  app: FastifyInstance,
  context: ExchangeContext,
  url: string,
  cost: number,
  serve: ServeFile,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      const exchange = beginExchange(context, url, request, reply)
      try {
        spendTokens(context, exchange, 'market_data', cost)
        await serve(exchange, request)
      } catch (error) {
        fail(context, exchange, error)
      }
      return reply
    },
  })
}

/** Adds the entity tag and the caching of a file. @returns whether the caller holds it already, so that 304 is the answer */
export function isHeld({ request, headers }: Exchange, content: string | Uint8Array, cache_control: string): boolean {
  const tag = entityTag(digestOf(content), '')
  const held = heldTag(request.headers['if-none-match'] ?? '', tag)
  headers.push('etag', held ?? tag, 'cache-control', cache_control)
  return held !== null
}
