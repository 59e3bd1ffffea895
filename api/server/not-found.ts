import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../primitives/errors.ts'
import { NOT_KEPT } from './cache-control.ts'
import { echoValue } from './echo-value.ts'
import { beginExchange, type ExchangeContext, fail, finish, spendTokens } from './exchange.ts'
import { rawQueryOf } from './raw-query-of.ts'

/** Registered paths with their methods, to distinguish 404 from 405. */
type KnownPath = { readonly pattern: RegExp; readonly methods: Set<string> }

const OTHER_METHODS = ['OPTIONS']
const COST = 1
const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Answers requests that match no route: 204 to OPTIONS of a known path (a browser's preflight), 405 with Allow to other methods of
 * it, 404 to everything else. Call it before routes are added. Bodies are not read.
 */
export function answerUnknown(app: FastifyInstance, context: ExchangeContext): void {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = known.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const one of [method].flat()) path.methods.add(one)
    known.set(url, path)
  })
  // With its own body parsers, Fastify would answer 415 before 404.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
  const answer = (request: FastifyRequest, reply: FastifyReply): void => {
    const exchange = beginExchange(context, 'unknown', request, reply)
    try {
      spendTokens(context, exchange, 'market_data', COST)
      rawQueryOf(request.raw.url!)
      const path = pathOf(request)
      const methods = path === '*' ? ['GET', 'HEAD'] : methodsOf(known, path)
      if (methods.length === 0) throw noRoute(request, path)
      const allow = [...methods, ...OTHER_METHODS].join(', ')
      exchange.headers.push('allow', allow)
      if (request.method !== 'OPTIONS') throw notAllowed(request, path, allow)
      exchange.headers.push(...preflightHeaders(allow))
      finish(context, exchange, 204, null)
    } catch (error) {
      fail(context, exchange, error)
    }
  }
  app.register(async (unknown) => {
    // Fastify would look at the headers of some methods before it says that there is no route. The hook is of an instance without
    // routes, so that requests to a route do not pass it.
    unknown.addHook('onRequest', (request, reply, done) =>
      READ_METHODS.has(request.method) ? done() : answer(request, reply),
    )
    unknown.setNotFoundHandler(answer)
  })
}

const ALLOWED_HEADERS = [
  'If-None-Match',
  'Content-Type',
  'Idempotency-Key',
  'SVC-Access-Key',
  'SVC-Access-Timestamp',
  'SVC-Access-Nonce',
  'SVC-Access-Signature',
  'SVC-Access-Signature-Version',
].join(', ')

/** Returns the headers of a preflight response. */
function preflightHeaders(allow: string): string[] {
  const headers = {
    'access-control-allow-methods': allow,
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': '86400',
    'cache-control': NOT_KEPT,
  }
  return Object.entries(headers).flat()
}

function methodsOf(known: ReadonlyMap<string, KnownPath>, path: string): string[] {
  const found = known.get(path) ?? [...known.values()].find(({ pattern }) => pattern.test(path))
  return found === undefined ? [] : [...found.methods].sort()
}

/** Returns the path of a target in origin form or absolute form. */
function pathOf({ raw }: FastifyRequest): string {
  return raw.url!.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '')
}

function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll(/:[a-z_]+/g, '[^/]+')}$`, 's')
}

function noRoute(request: FastifyRequest, path: string): ServiceError {
  const message = `there is no path ${JSON.stringify(echoValue(path))}; /openapi.json lists them, /docs describes them`
  return new ServiceError('ROUTE_NOT_FOUND', message, { field: 'path', value: echoValue(path), method: request.method })
}

function notAllowed(request: FastifyRequest, path: string, allow: string): ServiceError {
  const message = `${request.method} is not allowed on ${JSON.stringify(echoValue(path))}; allowed: ${allow}`
  return new ServiceError('METHOD_NOT_ALLOWED', message, { field: 'method', value: request.method })
}
