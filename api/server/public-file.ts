import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PAGES } from '../../protocol/limits.ts'
import { callerOf } from './client-address.ts'
import { digestOf, entityTag, heldTag } from './entity-tag.ts'
import {
  beginExchange,
  type Exchange,
  type ExchangeContext,
  fail,
  spendTokens,
  tokenHeaders,
  usedUp,
} from './exchange.ts'

/** Ends an exchange with a file; what it throws is answered as an error. */
type ServeFile = (exchange: Exchange, request: FastifyRequest) => void | Promise<void>

/** Takes the tokens of a file. @throws {ServiceError} RATE_LIMIT_EXCEEDED */
type Spend = (context: ExchangeContext, exchange: Exchange) => void

/** Takes tokens of market data, which files of records cost. */
export function marketData(cost: number): Spend {
  return (context, exchange) => spendTokens(context, exchange, 'market_data', cost)
}

/** Takes tokens of an address for a page. @throws {ServiceError} RATE_LIMIT_EXCEEDED */
export function spendOnPage({ limiters }: ExchangeContext, { ip, now, headers }: Exchange): void {
  if (limiters === null) return
  const verdict = limiters.pages.take(callerOf(ip), PAGES.cost, Math.floor(now / 1000))
  headers.push(...tokenHeaders('pages', PAGES.cost, verdict))
  if (!verdict.admitted) throw usedUp('pages', PAGES.cost, verdict)
}

/** Adds GET and HEAD of a public file that is no answer of an endpoint, such as a page, a feed or a tile. */
export function addPublicFile(
  app: FastifyInstance,
  context: ExchangeContext,
  url: string,
  spend: Spend,
  serve: ServeFile,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      const exchange = beginExchange(context, url, request, reply)
      try {
        spend(context, exchange)
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
